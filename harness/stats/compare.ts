import tQuantile from '@stdlib/stats-base-dists-t-quantile';
import { mean, sampleVariance } from 'simple-statistics';
import type { Result } from '../results/schema.ts';
import { duetSummary, logRatio, noiseFloorUs } from './duet.ts';
import { type Interval, LEAST_VALUES, mapInterval } from './interval.ts';
import { type TaskResult, taskResults } from './tasks.ts';

/** What became of a scenario's cost from one result to another. */
export interface Comparison {
  task: string;
  scenario: string;
  title: string;
  /** Of the server's CPU time by duets, or of latency by solo rounds; null where neither is in both. */
  cost: Cost | null;
  /** Why there is no cost. */
  missing: string | null;
}

/** Times in µs a request: all at what the baseline took in the old result, so that the two machines' speeds cancel out. */
export interface Cost {
  by: 'cpu' | 'latency';
  oldUs: number;
  newUs: number;
  changeUs: number;
  /** Undefined where a side has too few forks or rounds. */
  changeUsInterval: Interval | undefined;
  /** The change relative to the scenario's own time a request, baseline included: 0.05 is 5 % more. */
  relative: number;
  relativeInterval: Interval | undefined;
  verdict: 'better' | 'worse' | '~' | undefined;
}

/** A limit to a change: µs a request, or % of the scenario's time a request. */
export interface Limit {
  value: number;
  unit: 'us' | '%';
}

/** All scenarios of both results, the baselines left out: those of the new one, then those that only the old one has. */
export function compareResults(old: Result, current: Result): Comparison[] {
  const before = sides(old);
  const after = sides(current);
  const keys = [...new Set([...after.keys(), ...before.keys()])];
  return keys.map((key) => comparison(before.get(key), after.get(key)));
}

/** Whether a change is worse, and its interval lies wholly above the limit. */
export function isAbove({ cost }: Comparison, { value, unit }: Limit): boolean {
  const interval = unit === 'us' ? cost?.changeUsInterval : cost?.relativeInterval;
  return cost?.verdict === 'worse' && (interval?.low ?? 0) > (unit === 'us' ? value : value / 100);
}

/** A scenario of one result. */
interface Side extends Pick<Comparison, 'task' | 'scenario' | 'title'> {
  hasDuets: boolean;
  cpu: Ratios | undefined;
  latency: Ratios | undefined;
}

/** Logs of scenario / baseline, one for each independent fork or round. */
interface Ratios {
  logs: number[];
  /** What the baseline took, in µs a request. */
  baselineUs: number;
  /** The noise floor relative to the baseline. */
  floor: number;
}

function sides(result: Result): Map<string, Side> {
  const all = taskResults(result).flatMap((each) => {
    const { baseline, scenarios } = each.result.suite;
    return scenarios
      .filter(({ name }) => name !== baseline)
      .map(({ name, title }) => side(each, name, title));
  });
  return new Map(all.map((each) => [JSON.stringify([each.task, each.scenario]), each]));
}

function side({ task, result }: TaskResult, scenario: string, title: string): Side {
  return {
    task: task.name,
    scenario,
    title,
    hasDuets: result.duetForks.some((fork) => fork.scenario === scenario),
    cpu: cpuRatios(result, scenario),
    latency: latencyRatios(result, scenario),
  };
}

function cpuRatios(result: Result, scenario: string): Ratios | undefined {
  const { baselineUs, rows, noiseFloor } = duetSummary(result);
  if (!baselineUs || !rows.find((row) => row.scenario === scenario)?.estimate) return undefined;
  const own = result.duetForks.filter((fork) => fork.scenario === scenario);
  return { logs: own.map(logRatio), baselineUs, floor: noiseFloorUs(noiseFloor) / baselineUs };
}

function latencyRatios({ soloRounds, suite }: Result, scenario: string): Ratios | undefined {
  const pairs = soloRounds.map(({ measurements }) =>
    [suite.baseline, scenario].map((name) => measurements.find((each) => each.scenario === name)),
  );
  const isWhole = pairs.flat().every((each) => each?.invalid.length === 0);
  if (pairs.length === 0 || !isWhole) return undefined;
  const meansUs = pairs.map(
    (pair) => pair.map((each) => each?.load.latencyUs?.mean ?? Number.NaN) as [number, number],
  );
  const logs = meansUs.map(([baselineUs, scenarioUs]) => Math.log(scenarioUs / baselineUs));
  return { logs, baselineUs: mean(meansUs.map(([baselineUs]) => baselineUs)), floor: 0 };
}

/** By duets where both results have them: one that has invalid ones has nothing to say. */
function comparison(before: Side | undefined, after: Side | undefined): Comparison {
  const { task, scenario, title } = (after ?? before) as Side;
  const missing = (what: string, where: string) => ({
    task,
    scenario,
    title,
    cost: null,
    missing: `${what} in the ${where} result`,
  });
  if (!before || !after) return missing('not', before ? 'new' : 'old');
  const by = before.hasDuets && after.hasDuets ? 'cpu' : 'latency';
  const [old, current] = [before[by], after[by]];
  if (!old || !current) return missing(`no valid ${by === 'cpu' ? 'duets' : 'rounds'}`, old ? 'new' : 'old');
  return { task, scenario, title, cost: costOf(by, old, current), missing: null };
}

function costOf(by: Cost['by'], before: Ratios, after: Ratios): Cost {
  const { baselineUs } = before;
  const ratio = Math.exp(mean(before.logs));
  const newRatio = Math.exp(mean(after.logs));
  const log = differenceInterval(before.logs, after.logs);
  const inUs = (relative: number) => relative * ratio * baselineUs;
  const relativeInterval = log && mapInterval(log, Math.expm1);
  const changeUs = (newRatio - ratio) * baselineUs;
  const floorUs = Math.max(before.floor, after.floor) * baselineUs;
  return {
    by,
    oldUs: (ratio - 1) * baselineUs,
    newUs: (newRatio - 1) * baselineUs,
    changeUs,
    changeUsInterval: relativeInterval && mapInterval(relativeInterval, inUs),
    relative: newRatio / ratio - 1,
    relativeInterval,
    verdict: relativeInterval && verdictOf(relativeInterval, Math.abs(changeUs) > floorUs),
  };
}

function verdictOf({ low, high }: Interval, isAboveNoise: boolean): NonNullable<Cost['verdict']> {
  if (!isAboveNoise) return '~';
  if (low > 0) return 'worse';
  return high < 0 ? 'better' : '~';
}

/**
 * The 95 % interval of `mean(b) - mean(a)` of independent values whose variances may differ: Welch's t with the degrees
 * of freedom of Welch and Satterthwaite (B. L. Welch, Biometrika 34, 1947, 28-35). Undefined where a side has fewer than
 * LEAST_VALUES.
 */
export function differenceInterval(a: number[], b: number[]): Interval | undefined {
  if (Math.min(a.length, b.length) < LEAST_VALUES) return undefined;
  const [ofA, ofB] = [a, b].map((values) => sampleVariance(values) / values.length) as [number, number];
  const difference = mean(b) - mean(a);
  const variance = ofA + ofB;
  if (variance === 0) return { low: difference, high: difference };
  const freedom = variance ** 2 / (ofA ** 2 / (a.length - 1) + ofB ** 2 / (b.length - 1));
  const halfWidth = tQuantile(0.975, freedom) * Math.sqrt(variance);
  return { low: difference - halfWidth, high: difference + halfWidth };
}
