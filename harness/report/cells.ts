import { type DuetEstimate, isSignificant, smallestSeenUs } from '../stats/duet.ts';
import { contains, halfWidth, type Interval } from '../stats/interval.ts';
import type { LatencySummary, SoloChange, SoloRow } from '../stats/solo.ts';
import type { Row, Summary } from '../stats/summary.ts';
import { asMs, asMsChange, asPercentChange, asRate, asUs, asUsChange } from './units.ts';

export const INVALID = 'invalid';
const NOT_MEASURED = '-';

/** Mean latency: `1.65 ms`. */
export function latencyCell({ figures, invalid }: SoloRow): string {
  if (invalid.length > 0) return INVALID;
  return figures ? asMs(figures.latencyUs.mean) : NOT_MEASURED;
}

/** Change of the mean latency with its interval; `~` where it can't be told from none. */
export function changeCell({ figures, invalid }: SoloRow): string {
  if (invalid.length > 0) return INVALID;
  if (!figures) return NOT_MEASURED;
  // Measured, but there is nothing valid to compare it with.
  if (!figures.change) return INVALID;
  const { meanUs, intervalUs } = figures.change;
  if (!intervalUs) return asMsChange(meanUs);
  if (contains(intervalUs, 0)) return `~ (below ${asMs(halfWidth(intervalUs))})`;
  return `${asMsChange(meanUs)} ${between(intervalUs, asMsChange)}`;
}

/** One percentile of the latency, or the slowest answer. */
export function percentileCell(name: keyof LatencySummary): (row: Row) => string {
  return ({ solo }) => {
    const timeUs = solo.figures?.latencyUs[name];
    return timeUs === null || timeUs === undefined ? NOT_MEASURED : asMs(timeUs);
  };
}

/** Smallest and largest change of the rounds. */
export function spreadCell(change: SoloChange | undefined): string {
  return change ? `${asMsChange(change.minUs)} … ${asMsChange(change.maxUs)}` : '';
}

/** Change of the server's CPU per request with its interval; `~` where it can't be told from none. */
export function cpuCell({ duet, isBaseline }: Row, { baselineUs, noiseFloorUs }: Summary): string {
  if (isBaseline) return baselineUs === undefined ? NOT_MEASURED : asUs(baselineUs);
  if (duet && duet.invalid.length > 0) return INVALID;
  return duet?.estimate ? estimateCell(duet.estimate, noiseFloorUs) : NOT_MEASURED;
}

function estimateCell(estimate: DuetEstimate, floorUs: number): string {
  const { changeUs, changeUsInterval } = estimate;
  if (!changeUsInterval) return asUsChange(changeUs);
  if (!isSignificant(estimate, floorUs)) return `~ (below ${asUs(smallestSeenUs(estimate, floorUs))})`;
  return `${asUsChange(changeUs)} ${between(changeUsInterval, asUsChange)}`;
}

/** CPU per request as a multiple of the baseline's: `x1.35`. */
export function ratioCell({ duet }: Row): string {
  return duet?.estimate ? `x${duet.estimate.ratio.toFixed(2)}` : '';
}

/** What the baseline against itself showed: `±0.03 µs`. */
export function noiseFloorCell({ noiseFloor, noiseFloorUs }: Summary): string {
  if (!noiseFloor || noiseFloor.invalid.length > 0) return INVALID;
  return noiseFloor.estimate?.changeUsInterval ? `±${asUs(noiseFloorUs)}` : NOT_MEASURED;
}

/** Requests a second for the baseline, and the change from it for the others. */
export function throughputCell({ isBaseline, figures, invalid }: SoloRow): string {
  if (invalid.length > 0) return INVALID;
  if (!figures) return NOT_MEASURED;
  if (isBaseline) return `${asRate(figures.throughput)}/s`;
  return figures.change ? throughputChangeCell(figures.change) : INVALID;
}

/** Relative change of throughput with its interval; `~` where it can't be told from none. */
export function throughputChangeCell({ throughput, throughputInterval }: SoloChange): string {
  if (!throughputInterval) return asPercentChange(throughput);
  if (contains(throughputInterval, 0))
    return `~ (below ${(halfWidth(throughputInterval) * 100).toFixed(1)} %)`;
  return `${asPercentChange(throughput)} ${between(throughputInterval, asPercentChange)}`;
}

function between({ low, high }: Interval, print: (value: number) => string): string {
  return `(${print(low)} … ${print(high)})`;
}
