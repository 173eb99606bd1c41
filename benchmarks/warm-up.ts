/**
 * When the warm-up ends, and what 60 s more would change: CPU per request of scenario minus
 * baseline, before and after.
 *
 *     PATH=$PWD/.tools/bin:$PATH bun run benchmarks/warm-up.ts [PAIRS [SECONDS [SUITE...]]]
 *
 * It takes PAIRS x some 80 s for each row; nothing else may run meanwhile.
 */
import { markdownTable } from 'markdown-table';
import { mean, sum } from 'simple-statistics';
import { meanEstimate } from '../harness/analysis/compare-estimates.ts';
import { startBoth } from '../harness/pair/arms.ts';
import { measureDuetSlice } from '../harness/pair/duet.ts';
import { warmUp } from '../harness/pair/warm-up.ts';
import type { PlannedRow } from '../harness/plan/plan.ts';
import { loadOf } from '../harness/plan/task-load.ts';
import { endAllChildren } from '../harness/processes/child.ts';
import type { DuetSlice, Side } from '../harness/result/schema.ts';
import type { Settled } from '../harness/settle/settle.ts';
import { Problem } from '../harness/words/errors.ts';
import { benchmarkPlan } from './benchmark-plan.ts';

const [times = '5', seconds = '60', ...suites] = process.argv.slice(2);
const [pairs, more] = [Number(times), Number(seconds)];
/** So many slices of 1 s give the cost before, and as many the cost after. */
const SLICES = 5;
/** Suites and scenarios; those of which something is missing here are left out. */
const CHOSEN: [suite: string, scenarios: string[]][] = [
  ['levels', ['baseline', 'trace-active', 'trace-10x']],
  ['tracers-bun', ['sentry-hono']],
  ['tracers-node', ['auto-3']],
  ['body-size', ['bun-stream']],
];

const unknown = suites.find((name) => !CHOSEN.some(([suite]) => suite === name));
if (unknown) throw new Error(`${unknown} is none of ${CHOSEN.map(([suite]) => suite).join(', ')}`);

const table = [
  [
    'Row',
    'Seconds of warm-up (longest)',
    'Steady',
    'Cost then, µs',
    `Change by ${more} s more, µs`,
  ],
];
for (const [suite, scenarios] of CHOSEN) {
  if (suites.length > 0 && !suites.includes(suite)) continue;
  // Sending spans is most of what has to warm up.
  const settled = await benchmarkPlan({ suite, scenarios, pairs, export: 'otlp' }).catch(
    (error) => {
      if (!(error instanceof Problem)) throw error;
      console.error(error.message);
    },
  );
  for (const row of settled?.plan.rows ?? []) {
    const done = await Array.fromAsync({ length: pairs }, () => measured(settled as Settled, row));
    const lengths = done.map(({ slices }) => slices);
    const before = meanEstimate(done.map(({ beforeUs }) => beforeUs));
    const change = meanEstimate(done.map(({ beforeUs, afterUs }) => afterUs - beforeUs));
    const text = ({ value, standardError }: typeof before) =>
      `${value.toFixed(2)} ±${standardError.toFixed(2)}`;
    const steady = `${done.filter(({ isSteady }) => isSteady).length} of ${pairs}`;
    table.push([
      row.label,
      `${mean(lengths).toFixed(1)} (${Math.max(...lengths)})`,
      steady,
      text(before),
      text(change),
    ]);
  }
}
console.log(`${markdownTable(table)}\n\n± is a standard error over ${pairs} pairs.`);
if (table.length === 1) process.exitCode = 1;
await endAllChildren();

async function measured({ plan, world }: Settled, row: PlannedRow) {
  await using servers = await startBoth(world, {
    row,
    startedFirst: 'baseline',
    loadedFirst: 'baseline',
  });
  const { isSteady, slices } = await warmUp(world, row.task, servers, plan.header.configuration);
  const load = loadOf(row.task, 1, 2);
  const duet = async () => {
    const { slice, faults } = await measureDuetSlice(world, servers, load, [
      'baseline',
      'scenario',
    ]);
    if (faults[0]) throw new Error(`${faults[0].what} (${faults[0].detail})`);
    return slice;
  };
  const duets = (length: number) => Array.fromAsync({ length }, duet);
  const beforeUs = costUs(await duets(SLICES));
  await duets(more);
  return { isSteady, slices, beforeUs, afterUs: costUs(await duets(SLICES)) };
}

/** Scenario minus baseline, µs of CPU per request. */
function costUs(duets: Pick<DuetSlice, Side>[]): number {
  const servedOf = (side: Side) =>
    sum(duets.map((duet) => duet[side].requests + duet[side].underWay));
  const of = (side: Side) =>
    sum(duets.map((duet) => duet[side].cpuNs ?? Number.NaN)) / servedOf(side) / 1e3;
  return of('scenario') - of('baseline');
}
