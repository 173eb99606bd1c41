/**
 * The parts of simulations: rows whose true costs are known, pairs with the noise of a published
 * run, and whether intervals hold the truth. The target is the cost at the mean speed of each
 * simulated run.
 */
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { mean, median } from 'simple-statistics';
import { adjustRun } from '../../harness/analysis/ancova.ts';
import { halfWidth, type Interval } from '../../harness/analysis/interval.ts';
import type { Estimate } from '../../harness/analysis/mean-estimate.ts';
import { isKnownWellEnough } from '../../harness/analysis/precision.ts';
import type { Sample } from '../../harness/analysis/sample.ts';
import type { Precision } from '../../harness/result/schema.ts';
import type { NoiseOfRun } from './published.ts';

/** A row. The unit of its times is what the baseline takes at the nominal speed. */
export interface SimulatedRow {
  /** At the nominal speed; `truthOf` has that at the mean speed of the run. */
  cost: number;
  /** The standard deviation of errors, as a share of all that a request takes (1 + cost). */
  spread: number;
  samples: Sample[];
}

export type Random = () => number;

/** What tables of simulations are made with. */
export interface Simulation {
  noises: readonly NoiseOfRun[];
  /** How many tables are simulated of each case. */
  tables: number;
  random: Random;
}

/** By which costs follow the machine's speed: 0 makes them a difference, 1 a ratio. */
export const SLOPES = [0.3, 1, 1.6];

/** How much of the machine's speed in one pair is left in the next, where it drifts. */
const LAG = 0.4;

/** Returns a source of numbers from 0 to 1, always the same ones for a seed. */
export function randomOf(seed: number): Random {
  const generator = xoroshiro128plus(seed);
  return () => uniformFloat64(generator);
}

export function drawOne<Value>(values: readonly Value[], random: Random): Value {
  return values[Math.floor(random() * values.length)] as Value;
}

/** Returns what so many simulations show, each with the noise of one of these runs. */
export function simulate<Outcome>(
  count: number,
  noises: readonly NoiseOfRun[],
  random: Random,
  simulateOne: (noise: NoiseOfRun) => Outcome,
): Outcome[] {
  return Array.from({ length: count }, () => simulateOne(drawOne(noises, random)));
}

/** Returns rows without pairs: the last of three or more is the baseline against itself. */
export function emptyRows(
  { rows, isUnequal }: { rows: number; isUnequal: boolean },
  noise: NoiseOfRun,
  random: Random,
): SimulatedRow[] {
  return Array.from({ length: rows }, (_, at) => {
    if (rows >= 3 && at === rows - 1) return { cost: 0, spread: noise.smallSpread, samples: [] };
    const spread = isUnequal ? drawOne(noise.spreads, random) : rootMeanSquare(noise.spreads);
    return { cost: drawOne(noise.costs, random), spread, samples: [] };
  });
}

/** Returns the speed of the machine in one pair after another. */
export function speedsOf(
  noise: NoiseOfRun,
  { isDrifting }: { isDrifting: boolean },
  random: Random,
): () => number {
  const lag = isDrifting ? LAG : 0;
  let speed = drawOne(noise.speeds, random);
  return () => {
    speed = lag * speed + Math.sqrt(1 - lag ** 2) * drawOne(noise.speeds, random);
    return speed;
  };
}

/** Adds one pair to a row, by the model of the analysis. */
export function addPair(
  row: SimulatedRow,
  speed: number,
  slope: number,
  noise: NoiseOfRun,
  random: Random,
): void {
  const baseline = 1 + speed;
  const error = (1 + row.cost) * row.spread * drawOne(noise.errors, random);
  const scenario = baseline + row.cost * (1 + slope * speed) + error;
  row.samples.push({ baseline, scenario });
}

/** How a run decides the number of its pairs, and how costs follow the speed of its machine. */
export interface RuleCase {
  slope: number;
  /** The precision that is asked for. */
  within: Precision;
  /** The fewest and the most pairs of a row. */
  leastPairs: number;
  mostPairs: number;
  /** The level at which intervals are computed. */
  level: number;
}

/** What a run showed when its rule ended it. */
export interface RuleOutcome {
  estimates: (Estimate | null)[];
  /** What each row truly costs. */
  truths: number[];
  doHold: boolean;
  /** In the mean of its rows. */
  pairs: number;
}

/**
 * Adds the fewest pairs to each row, and then one to each that is not finished, until all are.
 * Returns what the run shows then.
 */
export function runByRule(
  rows: SimulatedRow[],
  { slope, leastPairs, level }: RuleCase,
  noise: NoiseOfRun,
  random: Random,
  unfinishedOf: () => SimulatedRow[],
): RuleOutcome {
  const nextSpeed = speedsOf(noise, { isDrifting: true }, random);
  const add = (row: SimulatedRow) => addPair(row, nextSpeed(), slope, noise, random);
  for (let pair = 0; pair < leastPairs; pair++) rows.forEach(add);
  let unfinished = unfinishedOf();
  while (unfinished.length > 0) {
    unfinished.forEach(add);
    unfinished = unfinishedOf();
  }
  const truths = rows.map((row) => truthOf(row, rows, slope));
  const estimates = estimatesAt(rows, level);
  const pairs = mean(rows.map(({ samples }) => samples.length));
  return { estimates, truths, doHold: allHold(estimates, truths), pairs };
}

/** Returns the rows that are not known well enough, and that may get more pairs. */
export function unknownRows(
  rows: readonly SimulatedRow[],
  { within, mostPairs, level }: RuleCase,
): SimulatedRow[] {
  const estimates = estimatesAt(rows, level);
  return rows.filter(({ samples }, at) => {
    const estimate = estimates[at];
    const isKnown = estimate && isKnownWellEnough(estimate, within);
    return !isKnown && samples.length < mostPairs;
  });
}

/** Returns what rows of one task are estimated to cost; null for one without a figure. */
export function estimatesAt(rows: readonly SimulatedRow[], level: number): (Estimate | null)[] {
  const sampled = rows.map(({ samples }) => ({ task: '', samples }));
  return adjustRun(sampled, level).estimates;
}

/** Returns the true cost at the mean speed of the run that was simulated. */
export function truthOf(
  { cost }: SimulatedRow,
  rows: readonly SimulatedRow[],
  slope: number,
): number {
  return cost * (1 + slope * (meanBaselineOf(rows) - 1));
}

export function meanBaselineOf(rows: readonly SimulatedRow[]): number {
  return mean(rows.flatMap(({ samples }) => samples.map(({ baseline }) => baseline)));
}

export function holds({ low, high }: Interval, truth: number): boolean {
  return low <= truth && truth <= high;
}

/** Returns which share of the outcomes is true. */
export function shareOfTrue(happened: readonly boolean[]): number {
  return happened.filter(Boolean).length / happened.length;
}

/**
 * Returns what the rows of each task are estimated to cost, the tasks of one run together. A task's
 * place is its name.
 */
export function estimatesOfTasks(
  tasks: readonly (readonly Pick<SimulatedRow, 'samples'>[])[],
): Estimate[][] {
  const rows = tasks.flatMap((own, at) => own.map(({ samples }) => ({ task: `${at}`, samples })));
  const estimates = adjustRun(rows).estimates.values();
  return tasks.map((own) => own.map(() => estimates.next().value as Estimate));
}

/** Returns whether each interval holds the truth of its row. */
export function allHold(
  intervals: readonly (Interval | null)[],
  truths: readonly number[],
): boolean {
  return intervals.every((interval, at) => interval && holds(interval, truths[at] ?? Number.NaN));
}

/** Returns the median of half-width / cost, over the rows that cost something. */
export function widthOf(
  intervals: readonly (Interval | null)[],
  truths: readonly number[],
): number {
  const widths = intervals.flatMap((interval, at) => {
    const truth = truths[at] ?? 0;
    return interval && truth !== 0 ? [halfWidth(interval) / Math.abs(truth)] : [];
  });
  return median(widths);
}

function rootMeanSquare(values: readonly number[]): number {
  return Math.sqrt(mean(values.map((value) => value ** 2)));
}
