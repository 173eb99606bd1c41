import { areUnlike } from '../pair/cpu-slices.ts';
import { forBoth } from '../pair/sides.ts';
import { isOfOldRevision } from '../result/revision-names.ts';
import type { AlternatingSlice, Pair, Result, Side, Task } from '../result/schema.ts';
import { type PairWithBursts, withBursts } from './bursts.ts';
import { type Growth, growthOf } from './growth.ts';
import { withReadableCounts } from './lost-records.ts';
import { isOfRevisions, isValid } from './rows.ts';
import { cpuUsIn } from './slice-totals.ts';
import { slicesOf } from './slices.ts';
import { idleInWarmUp } from './timeline.ts';

/** The pairs of one row, in the order in which they were measured. */
export interface RowPairs {
  scenario: string;
  /** Requests a second; null for as many as the servers answer. */
  rate: number | null;
  measured: Pair[];
  /** Without the slices in which a steady rate was not held, and with the bursts in the others. */
  cleaned: PairWithBursts[];
  /** Those of which figures are made: all that were cleaned, or none if one of them has a fault. */
  usable: PairWithBursts[];
  /**
   * What it costs more than the baseline in each of the cleaned pairs, in µs; null if nobody knows.
   */
  trueCostsUs: number[] | null;
  /** How its cost moves with the requests served; null if it does not. */
  growth: Growth | null;
}

/** Returns the pairs of each row of a task. Only here are pairs cleaned. */
export function rowPairsOf(result: Result, task: Task): RowPairs[] {
  return task.scenarios.map((scenario) => rowPairsOfScenario(result, task, scenario));
}

function rowPairsOfScenario(result: Result, task: Task, scenario: string): RowPairs {
  const measured = result.pairs.filter(
    (pair) => pair.task === task.name && pair.scenario === scenario,
  );
  const isPaced = task.rate !== null;
  const counted = isPaced ? withReadableCounts(measured) : measured;
  const mayBeUnlike = isPaced && !areAlike(result, task, scenario);
  const withCpuSource = mayBeUnlike ? withCpuOfServersAlone(counted) : counted;
  const held = withCpuSource.map(withoutSlicesBelowRate);
  const growth = growthOf(held, isPaced);
  const cleaned = withBursts(held, { isPaced, isMoving: growth !== null });
  return {
    scenario,
    rate: task.rate,
    measured,
    cleaned,
    usable: cleaned.every(isValid) ? cleaned : [],
    trueCostsUs: trueCostsOf(result, scenario, cleaned),
    growth,
  };
}

/** The baseline is like itself, and nearly like its other revisions. */
function areAlike({ suite }: Result, { baseline }: Task, scenario: string): boolean {
  const isRevision = isOfRevisions(suite) && !isOfOldRevision(scenario);
  return scenario === baseline || isRevision;
}

/**
 * Returns the pairs of a row at a steady rate with its CPU read from alternating slices, if the row
 * costs much and its file is an older one. That has duets of such rows, in which the baseline takes
 * more beside a dear server.
 */
function withCpuOfServersAlone(pairs: readonly Pair[]): Pair[] {
  const areOlder = pairs.every(({ cpuFrom }) => cpuFrom === undefined);
  if (!areOlder || !areUnlikeInDuets(pairs)) return [...pairs];
  return pairs.map((pair) => ({ ...pair, cpuFrom: 'alternating' }));
}

/** Not if no clock tells, or if nothing was answered. */
function areUnlikeInDuets(pairs: readonly Pair[]): boolean {
  const duets = pairs.flatMap((pair) => pair.duets);
  return areUnlike(cpuUsIn(duets, 'scenario') / cpuUsIn(duets, 'baseline'));
}

/** What slices show in which a steady rate was not held is another load. */
function withoutSlicesBelowRate(pair: Pair): Pair {
  if (slicesOf(pair).every(isHeld)) return pair;
  const { baseline, scenario } = pair.usage;
  return {
    ...pair,
    alternating: pair.alternating.filter(isHeld),
    duets: pair.duets.filter(isHeld),
    turns: pair.turns.filter(isHeld),
    whileIdle: forBoth((side) => idleWhileHeld(pair, side)),
    // CPU times of user and system are those of all slices.
    usage: { baseline: { ...baseline, cpuUs: null }, scenario: { ...scenario, cpuUs: null } },
  };
}

/** Returns what a server did while it was idle in the warm-up, and in slices that held the rate. */
function idleWhileHeld(pair: Pair, side: Side): Pair['whileIdle'][Side] {
  const inWarmUp = idleInWarmUp(pair, side);
  return pair.whileIdle[side].filter((_, at) => {
    const slice = pair.alternating[at - inWarmUp];
    return slice === undefined || isHeld(slice);
  });
}

function isHeld({ rateShortfall }: Pick<AlternatingSlice, 'rateShortfall'>): boolean {
  return rateShortfall === null;
}

/** Null if the suite does not say that the cost is known. */
function trueCostsOf({ suite }: Result, name: string, pairs: Pair[]): number[] | null {
  const declaredUs = suite.scenarios.find((scenario) => scenario.name === name)?.trueCostUs;
  if (typeof declaredUs !== 'number') return null;
  return pairs.map((pair) => trueCostOf(pair, declaredUs));
}

/**
 * What the servers of a pair measured of their known cost under load; if they did not, what the
 * suite declares.
 */
function trueCostOf({ usage }: Pair, declaredUs: number): number {
  const costUs = (side: Side) => usage[side].probe?.trueCostUs ?? Number.NaN;
  const measuredUs = costUs('scenario') - costUs('baseline');
  return Number.isFinite(measuredUs) ? measuredUs : declaredUs;
}
