/**
 * Whether turns tell what a request costs a server that has the core to itself. Each pair of
 * servers is loaded alone, in duets and in turns of several lengths, in random order, so that all
 * meet the same machine:
 *
 *     PATH=$PWD/.tools/bin:$PATH bun run benchmarks/turns.ts [--pairs 10] [--turns 100,250,500]
 *         [SUITE...]
 *
 * A pair takes about a minute; nothing else may run meanwhile.
 */
import { parseArgs } from 'node:util';
import { markdownTable } from 'markdown-table';
import { mean, sampleStandardDeviation, shuffle } from 'simple-statistics';
import { halfWidth } from '../harness/analysis/interval.ts';
import { type Estimate, meanEstimate } from '../harness/analysis/mean-estimate.ts';
import { cpuUsIn } from '../harness/analysis/slice-totals.ts';
import { measureAlternatingSlice } from '../harness/pair/alternating.ts';
import { type RunningPair, startBoth } from '../harness/pair/arms.ts';
import { measureDuetSlice } from '../harness/pair/duet.ts';
import { sidesAt } from '../harness/pair/sides.ts';
import { measureTurns } from '../harness/pair/turns.ts';
import { warmUp } from '../harness/pair/warm-up.ts';
import type { PlannedPair, PlannedRow } from '../harness/plan/plan.ts';
import { loadOf } from '../harness/plan/task-load.ts';
import { endAllChildren } from '../harness/processes/child.ts';
import type { Loaded, Side } from '../harness/result/schema.ts';
import type { Settled } from '../harness/settle/settle.ts';
import { benchmarkPlanIfHere, goodSlice, refuseFaults } from './benchmark-plan.ts';

/** What was read off some slices of one pair, in µs of CPU per request. */
interface Reading {
  baselineUs: number;
  costUs: number;
}

/** A way to load both servers of a pair, once. */
interface Way {
  name: string;
  load(running: RunningPair): Promise<Record<Side, Loaded>[]>;
}

/** Suites and scenarios; those of which something is missing here are left out. */
const CHOSEN: { suite: string; scenarios?: string[]; tasks?: string[] }[] = [
  { suite: 'levels', scenarios: ['trace-active', 'trace-10x'] },
  { suite: 'tracers-bun', scenarios: ['sentry-hono'] },
  { suite: 'tracers-express', scenarios: ['auto-3'] },
  // Turns are for full load, and its task `paced` has a rate.
  { suite: 'calibration', tasks: ['bare', 'busy'] },
];

const { values: options, positionals: suites } = parseArgs({
  allowPositionals: true,
  options: {
    pairs: { type: 'string', default: '10' },
    /** Lengths of turns in ms. */
    turns: { type: 'string', default: '100,250,500' },
  },
});
const pairs = Number(options.pairs);
if (!(pairs >= 2)) throw new Error('--pairs needs 2 or more: less has no spread');

const ALONE_SECONDS = 6;
const DUETS = 6;

const ALONE: Way = {
  name: `alone, slices of ${ALONE_SECONDS} s`,
  load: async (running) => {
    const load = loadOf(running.pair.row.task, ALONE_SECONDS);
    return await Array.fromAsync({ length: 2 }, async (_, index) => {
      const sides = sidesAt(index, 'baseline');
      return goodSlice(await measureAlternatingSlice(running, load, sides, []));
    });
  },
};

const IN_DUETS: Way = {
  name: 'duets',
  load: async (running) => {
    const load = loadOf(running.pair.row.task, 1, 2);
    return await Array.fromAsync({ length: DUETS }, async (_, index) => {
      return goodSlice(await measureDuetSlice(running, load, sidesAt(index, 'baseline')));
    });
  },
};

const WAYS: Way[] = [ALONE, IN_DUETS, ...options.turns.split(',').map(Number).map(inTurnsOf)];

function inTurnsOf(turnMs: number): Way {
  return {
    name: `turns of ${turnMs} ms`,
    load: async (running) => {
      const load = loadOf(running.pair.row.task, DUETS);
      return [goodSlice(await measureTurns(running, load, turnMs))];
    },
  };
}

const wanted = CHOSEN.filter(({ suite }) => suites.length === 0 || suites.includes(suite));
if (wanted.length === 0)
  throw new Error(`Suites are ${CHOSEN.map(({ suite }) => suite).join(', ')}`);

const table = [['Row', 'Load', 'Baseline, µs', 'Cost, µs', 'Off alone', 'Spread between pairs']];
try {
  for (const chosen of wanted) {
    const settled = await benchmarkPlanIfHere({ ...chosen, pairs });
    for (const row of settled?.plan.rows ?? []) {
      if (row.scenario === row.baseline) continue;
      const readings = await Array.fromAsync({ length: pairs }, () =>
        readPair(settled as Settled, row),
      );
      table.push(...linesOf(row.label, readings));
    }
  }
} finally {
  // What was read before a fault is kept.
  console.log(markdownTable(table));
  if (table.length === 1) process.exitCode = 1;
  await endAllChildren();
}

async function readPair({ plan, world }: Settled, row: PlannedRow): Promise<Map<Way, Reading>> {
  const pair: PlannedPair = { row, startedFirst: 'baseline', loadedFirst: 'baseline' };
  await using arms = await startBoth(world, pair);
  const running = { world, pair, arms };
  refuseFaults(await warmUp(running, plan.header.configuration));
  const readings = new Map<Way, Reading>();
  for (const way of shuffle(WAYS)) {
    const slices = await way.load(running);
    const baselineUs = cpuUsIn(slices, 'baseline');
    readings.set(way, { baselineUs, costUs: cpuUsIn(slices, 'scenario') - baselineUs });
  }
  return readings;
}

function linesOf(label: string, readings: Map<Way, Reading>[]): string[][] {
  const costOf = (way: Way) => meanEstimate(readings.map((each) => costIn(each, way)));
  const alone = costOf(ALONE);
  return WAYS.map((way) => {
    const cost = costOf(way);
    const baselines = readings.map((each) => each.get(way)?.baselineUs ?? Number.NaN);
    const ratios = readings.map((each) => costIn(each, way) / cost.value);
    return [
      label,
      way.name,
      mean(baselines).toFixed(2),
      intervalText(cost),
      `${(100 * (cost.value / alone.value - 1)).toFixed(1)} %`,
      sampleStandardDeviation(ratios).toFixed(3),
    ];
  });
}

function costIn(readings: Map<Way, Reading>, way: Way): number {
  return readings.get(way)?.costUs ?? Number.NaN;
}

function intervalText(estimate: Estimate): string {
  return `${estimate.value.toFixed(2)} ±${halfWidth(estimate).toFixed(2)}`;
}
