/**
 * When the warm-up ends, and what 60 s more would change: CPU per request of scenario minus
 * baseline, before and after.
 *
 *     PATH=$PWD/.tools/bin:$PATH bun run benchmarks/warm-up.ts [PAIRS [SECONDS [SUITE...]]]
 *
 * It takes PAIRS x some 80 s for each row; nothing else may run meanwhile.
 */
import { markdownTable } from 'markdown-table';
import { mean } from 'simple-statistics';
import { meanEstimate } from '../harness/analysis/mean-estimate.ts';
import { cpuUsIn } from '../harness/analysis/slice-totals.ts';
import { type RunningPair, startBoth } from '../harness/pair/arms.ts';
import { measureDuetSlice } from '../harness/pair/duet.ts';
import { sidesAt } from '../harness/pair/sides.ts';
import { warmUp } from '../harness/pair/warm-up.ts';
import type { PlannedPair, PlannedRow } from '../harness/plan/plan.ts';
import { loadOf } from '../harness/plan/task-load.ts';
import { endAllChildren } from '../harness/processes/child.ts';
import type { DuetSlice } from '../harness/result/schema.ts';
import type { Settled } from '../harness/settle/settle.ts';
import { benchmarkPlanIfHere, goodSlice, refuseFaults } from './benchmark-plan.ts';

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
try {
  for (const [suite, scenarios] of CHOSEN) {
    if (suites.length > 0 && !suites.includes(suite)) continue;
    // Sending spans is most of what has to warm up.
    const settled = await benchmarkPlanIfHere({ suite, scenarios, pairs, export: 'otlp' });
    for (const row of settled?.plan.rows ?? []) {
      const warmed = await Array.fromAsync({ length: pairs }, () =>
        warmUpForLonger(settled as Settled, row),
      );
      table.push(lineOf(row.label, warmed));
    }
  }
} finally {
  // What was read before a fault is kept.
  console.log(`${markdownTable(table)}\n\n± is a standard error over ${pairs} pairs.`);
  if (table.length === 1) process.exitCode = 1;
  await endAllChildren();
}

/** How a warm-up ended, and what the scenario cost then and later, in µs of CPU per request. */
interface Warmed {
  isSteady: boolean;
  slices: number;
  beforeUs: number;
  afterUs: number;
}

async function warmUpForLonger({ plan, world }: Settled, row: PlannedRow): Promise<Warmed> {
  const pair: PlannedPair = { row, startedFirst: 'baseline', loadedFirst: 'baseline' };
  await using arms = await startBoth(world, pair);
  const running = { world, pair, arms };
  const warmed = await warmUp(running, plan.header.configuration);
  refuseFaults(warmed);
  const { isSteady, slices } = warmed;
  const duets = (length: number) => Array.fromAsync({ length }, () => measureDuet(running));
  const beforeUs = costUs(await duets(SLICES));
  await duets(more);
  return { isSteady, slices, beforeUs, afterUs: costUs(await duets(SLICES)) };
}

async function measureDuet(running: RunningPair): Promise<DuetSlice> {
  const load = loadOf(running.pair.row.task, 1, 2);
  return goodSlice(await measureDuetSlice(running, load, sidesAt(0, 'baseline')));
}

/** Scenario minus baseline, µs of CPU per request. */
function costUs(duets: DuetSlice[]): number {
  return cpuUsIn(duets, 'scenario') - cpuUsIn(duets, 'baseline');
}

function lineOf(label: string, warmed: readonly Warmed[]): string[] {
  const lengths = warmed.map(({ slices }) => slices);
  const steady = warmed.filter(({ isSteady }) => isSteady).length;
  return [
    label,
    `${mean(lengths).toFixed(1)} (${Math.max(...lengths)})`,
    `${steady} of ${pairs}`,
    meanText(warmed.map(({ beforeUs }) => beforeUs)),
    meanText(warmed.map(({ beforeUs, afterUs }) => afterUs - beforeUs)),
  ];
}

function meanText(values: number[]): string {
  const { value, standardError } = meanEstimate(values);
  return `${value.toFixed(2)} ±${standardError.toFixed(2)}`;
}
