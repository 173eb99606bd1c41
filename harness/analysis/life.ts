import type { Loaded, Pair, Side, WarmUpSlice } from '../result/schema.ts';
import { kindAtOnceOf, slicesAtOnceOf } from './slices.ts';

/*
 * The life of a pair's servers under load, warm-up included, as one list of slices: by it, what
 * depends on how long a server has run is told from what each request costs.
 */

/**
 * In what slices servers are under load: both at once, or one after the other. `warm-up-alone` is
 * the second of each under the whole load with which a warm-up ends where no compiler shows.
 */
export type LifeKind = 'warm-up' | 'warm-up-alone' | 'alternating' | 'duets' | 'turns';

/** One server in a slice. */
export interface LifeLoad {
  /** Those that it worked for. */
  requests: number;
  /** Not a number if no clock tells. */
  cpuNs: number;
  /** How long its CPU was watched: the load, its start, and until the server rested. */
  watchedSeconds: number;
}

/** Both servers of a pair in a slice. */
export interface LifeSlice extends Record<Side, LifeLoad> {
  kind: LifeKind;
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
export function lifeOf(pair: Pair): LifeSlice[] {
  const kindAtOnce: LifeKind = kindAtOnceOf(pair);
  const slices = [
    ...warmUpOf(pair),
    ...pair.alternating.map(({ baseline, scenario, cores }, index) => ({
      kind: 'alternating' as const,
      index,
      baseline: lifeLoad(baseline, cores.baseline?.wallNs),
      scenario: lifeLoad(scenario, cores.scenario?.wallNs),
    })),
    ...slicesAtOnceOf(pair).map(({ baseline, scenario, cores }, index) => ({
      kind: kindAtOnce,
      index,
      baseline: lifeLoad(baseline, cores?.wallNs),
      scenario: lifeLoad(scenario, cores?.wallNs),
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
type WarmUpLife = Pick<LifeSlice, 'kind' | 'index'> & Partial<Record<Side, LifeLoad>>;

function warmUpOf({ warmUp }: Pair): WarmUpLife[] {
  const [first, second] = warmUp.slice(-2);
  const endsAlone = first?.scenario === null && second?.baseline === null;
  if (!endsAlone) return warmUp.map(warmUpLife);
  const { baseline } = first;
  const { scenario } = second;
  const alone = { ...warmUpLife({ baseline, scenario }, 0), kind: 'warm-up-alone' as const };
  return [...warmUp.slice(0, -2).map(warmUpLife), alone];
}

function warmUpLife({ baseline, scenario }: WarmUpSlice, index: number): WarmUpLife {
  return {
    kind: 'warm-up',
    index,
    ...(baseline && { baseline: warmUpLoad(baseline) }),
    ...(scenario && { scenario: warmUpLoad(scenario) }),
  };
}

function warmUpLoad({ requests, watchedMs, cpuMs }: NonNullable<WarmUpSlice[Side]>): LifeLoad {
  return {
    requests,
    cpuNs: cpuMs === null ? Number.NaN : cpuMs * 1e6,
    watchedSeconds: watchedMs / 1e3,
  };
}

function lifeLoad({ requests, underWay, cpuNs, seconds }: Loaded, wallNs?: number): LifeLoad {
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
  life: readonly LifeSlice[],
  from: number,
  isPaced: boolean,
): LifeSlice[][] {
  const warmUp = life.filter(({ kind, index }) => kind === 'warm-up' && index >= from);
  const duets = life.filter(({ kind }) => kind === 'duets');
  return isPaced ? [warmUp, duets] : [[...warmUp, ...duets]];
}

/** Returns the CPU time of a request, in µs. */
export function cpuUsOf({ cpuNs, requests }: LifeLoad): number {
  return cpuNs / 1e3 / requests;
}
