import type { Loaded, Pair, Side, WarmUpSlice } from '../result/schema.ts';
import { kindAtOnceOf, slicesAtOnceOf } from './slices.ts';

/*
 * The life of a pair's servers under load, warm-up included, as one list of slices: by this
 * timeline, what depends on how long a server has run is told from what each request costs.
 */

/**
 * In what slices servers are under load: both at once, or one after the other. `warm-up-alone` is
 * the second of each under the whole load with which a warm-up ends where no compiler shows.
 */
export type TimelineKind = 'warm-up' | 'warm-up-alone' | 'alternating' | 'duets' | 'turns';

/** One server in a slice. */
export interface TimelineLoad {
  /** Those that it worked for. */
  requests: number;
  /** Not a number if no clock tells. */
  cpuNs: number;
  /** How long its CPU was watched: the load, its start, and until the server rested. */
  watchedSeconds: number;
}

/** Both servers of a pair in a slice. */
export interface TimelineSlice extends Record<Side, TimelineLoad> {
  kind: TimelineKind;
  /** Its place among the slices of its kind, from 0 on. */
  index: number;
  /**
   * Requests that the scenario had answered when the slice was half over: those of the slices before
   * it, warm-up included, and half of its own.
   */
  scenarioServed: number;
}

/** Returns how often a server was idle in the warm-up: after that it is so once in each slice. */
export function idleInWarmUp({ whileIdle, alternating }: Pair, side: Side): number {
  return Math.max(0, whileIdle[side].length - alternating.length);
}

/** Returns all slices in which both servers were under load, in the order of time. */
export function timelineOf(pair: Pair): TimelineSlice[] {
  const kindAtOnce: TimelineKind = kindAtOnceOf(pair);
  const slices = [
    ...warmUpOf(pair),
    ...pair.alternating.map(({ baseline, scenario, cores }, index) => ({
      kind: 'alternating' as const,
      index,
      baseline: timelineLoad(baseline, cores.baseline?.wallNs),
      scenario: timelineLoad(scenario, cores.scenario?.wallNs),
    })),
    ...slicesAtOnceOf(pair).map(({ baseline, scenario, cores }, index) => ({
      kind: kindAtOnce,
      index,
      baseline: timelineLoad(baseline, cores?.wallNs),
      scenario: timelineLoad(scenario, cores?.wallNs),
    })),
  ];
  let served = 0;
  return slices.flatMap(({ baseline, scenario, ...slice }) => {
    const before = served;
    served += scenario?.requests ?? 0;
    if (!baseline || !scenario) return [];
    return [{ ...slice, baseline, scenario, scenarioServed: (before + served) / 2 }];
  });
}

/** A slice, without a server that had no load in it. */
type WarmUpEntry = Pick<TimelineSlice, 'kind' | 'index'> & Partial<Record<Side, TimelineLoad>>;

function warmUpOf({ warmUp }: Pair): WarmUpEntry[] {
  const [first, second] = warmUp.slice(-2);
  const endsAlone = first?.scenario === null && second?.baseline === null;
  if (!endsAlone) return warmUp.map(warmUpEntry);
  const { baseline } = first;
  const { scenario } = second;
  const alone = { ...warmUpEntry({ baseline, scenario }, 0), kind: 'warm-up-alone' as const };
  return [...warmUp.slice(0, -2).map(warmUpEntry), alone];
}

function warmUpEntry({ baseline, scenario }: WarmUpSlice, index: number): WarmUpEntry {
  return {
    kind: 'warm-up',
    index,
    ...(baseline && { baseline: warmUpLoad(baseline) }),
    ...(scenario && { scenario: warmUpLoad(scenario) }),
  };
}

function warmUpLoad({ requests, watchedMs, cpuMs }: NonNullable<WarmUpSlice[Side]>): TimelineLoad {
  return {
    requests,
    cpuNs: cpuMs === null ? Number.NaN : cpuMs * 1e6,
    watchedSeconds: watchedMs / 1e3,
  };
}

function timelineLoad(
  { requests, underWay, cpuNs, seconds }: Loaded,
  wallNs?: number,
): TimelineLoad {
  return {
    requests: requests + underWay,
    cpuNs: cpuNs ?? Number.NaN,
    watchedSeconds: wallNs ? wallNs / 1e9 : seconds,
  };
}

/** While a server is cold, its slices differ by the code that is compiled in them. */
export const COLD_SLICES = 2;

/**
 * Returns the slices with both servers under load at once, in series of which the slices can be
 * compared: at a steady rate, those after the warm-up are a series of their own. In turns only one
 * server is under load, so they are not among these slices.
 * @param from the place of the first slice of the warm-up that is looked at
 * @param isPaced whether slices after the warm-up have a steady rate, which the warm-up has not
 */
export function togetherSeries(
  timeline: readonly TimelineSlice[],
  from: number,
  isPaced: boolean,
): TimelineSlice[][] {
  const warmUp = timeline.filter(({ kind, index }) => kind === 'warm-up' && index >= from);
  const duets = timeline.filter(({ kind }) => kind === 'duets');
  return isPaced ? [warmUp, duets] : [[...warmUp, ...duets]];
}

/** Returns the CPU time of a request, in µs. */
export function cpuUsOf({ cpuNs, requests }: TimelineLoad): number {
  return cpuNs / 1e3 / requests;
}
