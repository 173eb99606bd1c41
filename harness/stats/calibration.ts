import { mean } from 'simple-statistics';
import type { Result } from '../results/schema.ts';
import { cpuPerRequestUs } from './duet.ts';
import { contains, type Interval, meanInterval } from './interval.ts';

/** One server whose extra cost is known, and what the kit found. Times in µs of CPU a request. */
export interface CalibrationRow {
  title: string;
  trueUs: number;
  /** NaN where it could not be measured. */
  measuredUs: number;
  intervalUs: Interval | undefined;
  /** Whether the interval covers the truth. */
  isCovered: boolean;
}

/**
 * True against measured cost. A burnt µs stays a µs on a machine that slows down, while instrumentation takes longer on
 * it; so the differences themselves are averaged over forks here, not the ratios.
 */
export function calibrationRows({ suite, duetForks }: Result): CalibrationRow[] {
  const others = suite.scenarios.filter(({ name }) => name !== suite.baseline);
  return others.map(({ name, title }) => {
    const forks = duetForks.filter((fork) => fork.scenario === name && fork.invalid.length === 0);
    const differencesUs = forks.map(
      (fork) => cpuPerRequestUs([fork], 'scenario') - cpuPerRequestUs([fork], 'baseline'),
    );
    const intervalUs = meanInterval(differencesUs);
    return {
      title,
      trueUs: knownCostUs(name),
      measuredUs: differencesUs.length > 0 ? mean(differencesUs) : Number.NaN,
      intervalUs,
      isCovered: intervalUs !== undefined && contains(intervalUs, knownCostUs(name)),
    };
  });
}

/** From the names that suites/calibration gives its scenarios: `burn-10us`. */
function knownCostUs(scenario: string): number {
  return Number(/^burn-(\d+)us$/.exec(scenario)?.[1]);
}
