import { mean } from 'simple-statistics';
import type { DuetFork, DuetSide, Result } from '../results/schema.ts';
import { halfWidth, type Interval, mapInterval, meanInterval } from './interval.ts';

/** What a scenario costs the server in CPU time, from its duets with the baseline. */
export interface DuetRow {
  scenario: string;
  /** Why there is no estimate; empty where there is. */
  invalid: string[];
  estimate: DuetEstimate | undefined;
}

export interface DuetEstimate {
  forks: number;
  slices: number;
  /** CPU per request of the scenario / of the baseline. */
  ratio: number;
  /** Undefined where there are too few forks. */
  ratioInterval: Interval | undefined;
  /** The ratio at the baseline's own cost in this run, in µs a request. */
  changeUs: number;
  changeUsInterval: Interval | undefined;
}

export interface DuetSummary {
  /** CPU per request of the baseline in all its duets of this run, in µs; undefined where there are none. */
  baselineUs: number | undefined;
  /** One for each scenario but the baseline, in the suite's order. */
  rows: DuetRow[];
  /** The baseline against itself: what this run sees where there is nothing to see. */
  noiseFloor: DuetRow;
}

/** The estimates of all scenarios of the result. */
export function duetSummary({ suite, duetForks }: Result): DuetSummary {
  const good = duetForks.filter((fork) => fork.invalid.length === 0);
  const baselineUs = good.length > 0 ? cpuPerRequestUs(good, 'baseline') : undefined;
  const row = (scenario: string): DuetRow => {
    const own = duetForks.filter((fork) => fork.scenario === scenario);
    const invalid = own.flatMap((fork, index) =>
      fork.invalid.map((reason) => `duet ${index + 1}: ${reason}`),
    );
    const estimate =
      invalid.length === 0 && own.length > 0 ? estimateOf(own, baselineUs as number) : undefined;
    return { scenario, invalid, estimate };
  };
  const others = suite.scenarios.map(({ name }) => name).filter((name) => name !== suite.baseline);
  return { baselineUs, rows: others.map(row), noiseFloor: row(suite.baseline) };
}

/** Only the CPU time and the requests of a side matter here. */
type Sides = { slices: { baseline: CpuAndRequests; scenario: CpuAndRequests }[] };
type CpuAndRequests = Pick<DuetSide, 'cpuNs'> & { load: Pick<DuetSide['load'], 'requests'> };

/**
 * The ratio of CPU per request, scenario / baseline, with its 95 % interval.
 *
 * A fork gives one figure, the log of its ratio of totals over slices; their mean and Student's t make the estimate.
 * The fork is the unit because processes differ from each other for as long as they live, which no number of slices
 * averages out. A bootstrap over forks and slices within forks counts the noise of slices twice and knows nothing of
 * how few the forks are: it covered 83 to 99 % where this covers 93 to 96 % (docs/method.md, benchmarks/coverage.ts).
 */
export function ratioEstimate(forks: Sides[]): { ratio: number; interval: Interval | undefined } {
  const logs = forks.map(logRatio);
  const interval = meanInterval(logs);
  return { ratio: Math.exp(mean(logs)), interval: interval && mapInterval(interval, Math.exp) };
}

/** The log of CPU per request, scenario / baseline, of one fork: the independent figure that estimates are made of. */
export function logRatio(fork: Sides): number {
  return Math.log(cpuPerRequestUs([fork], 'scenario') / cpuPerRequestUs([fork], 'baseline'));
}

/** CPU per request in µs: CPU time of all slices / requests of all slices. */
export function cpuPerRequestUs(forks: Sides[], side: 'baseline' | 'scenario'): number {
  const sides = forks.flatMap((fork) => fork.slices.map((slice) => slice[side]));
  const cpuNs = sides.reduce((sum, each) => sum + each.cpuNs, 0);
  const requests = sides.reduce((sum, { load }) => sum + load.requests, 0);
  return cpuNs / requests / 1_000;
}

function estimateOf(forks: DuetFork[], baselineUs: number): DuetEstimate {
  const { ratio, interval } = ratioEstimate(forks);
  const asChangeUs = (value: number) => (value - 1) * baselineUs;
  return {
    forks: forks.length,
    slices: forks.reduce((sum, fork) => sum + fork.slices.length, 0),
    ratio,
    ratioInterval: interval,
    changeUs: asChangeUs(ratio),
    changeUsInterval: interval && mapInterval(interval, asChangeUs),
  };
}

/**
 * Whether a change is told from none: its interval excludes zero, and it lies above what the baseline against itself
 * showed. Undefined where there is no interval.
 */
export function isSignificant(
  { changeUs, changeUsInterval }: DuetEstimate,
  floorUs: number,
): boolean | undefined {
  if (!changeUsInterval) return undefined;
  const excludesZero = changeUsInterval.low > 0 || changeUsInterval.high < 0;
  return excludesZero && Math.abs(changeUs) > floorUs;
}

/** The noise floor in µs: how far from zero the baseline's difference from itself may lie; 0 where it is not known. */
export function noiseFloorUs({ estimate }: DuetRow): number {
  const interval = estimate?.changeUsInterval;
  return interval ? Math.max(Math.abs(interval.low), Math.abs(interval.high)) : 0;
}

/** The smallest change in µs that this run could have told from none. */
export function smallestSeenUs({ changeUsInterval }: DuetEstimate, floorUs: number): number {
  return Math.max(floorUs, changeUsInterval ? halfWidth(changeUsInterval) : 0);
}
