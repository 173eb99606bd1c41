import { mean } from 'simple-statistics';
import type { Interval } from '../analysis/interval.ts';
import { type Estimate, meanEstimate } from '../analysis/mean-estimate.ts';
import { type Both, forBoth, SIDES } from '../pair/sides.ts';
import type { Side } from '../result/schema.ts';
import type { Profile } from './profiles.ts';
import type { Spent } from './spent.ts';

/** A part of what a request costs, on either side, in µs of CPU time. */
export interface Part<Change = Interval> {
  where: string;
  us: Both<number>;
  change: Change;
}

/** Finds what a request spends in one server of a pair. */
export type FindSpent = (profile: Profile, side: Side) => Spent[];

/** What has rows of its own, and with how many others their intervals hold together. */
interface PartsOptions {
  /** What takes less on both sides is shown together. */
  minUs: number;
  /** How many more rows there are; null if each interval holds by itself. */
  moreRows: number | null;
}

/** What a request spent in one server of one pair. */
interface Booking {
  us: number;
  owner: string;
  side: Side;
  pair: number;
}

const OTHERS = 'others, each below 1 %';

/** Returns what was spent by owner, those first that changed most. */
export function partsOf(
  pairs: readonly Both<Profile>[],
  findSpent: FindSpent,
  { minUs, moreRows }: PartsOptions,
): Part<Estimate>[] {
  const bookings = bookingsOf(pairs, findSpent);
  const owners = Map.groupBy(bookings, ({ owner }) => owner);
  const isSmall = (owner: string) =>
    SIDES.every((side) => mean(usOfPairs(owners.get(owner) ?? [], side, pairs.length)) < minUs);
  const small = new Set([...owners.keys()].filter(isSmall));
  const groups = Map.groupBy(bookings, ({ owner }) => (small.has(owner) ? OTHERS : owner));
  const rows = moreRows === null ? 1 : groups.size + moreRows;
  return [...groups]
    .map(([where, own]) =>
      partOf(
        where,
        forBoth((side) => usOfPairs(own, side, pairs.length)),
        rows,
      ),
    )
    .toSorted((one, other) => Math.abs(other.change.value) - Math.abs(one.change.value));
}

/**
 * Returns a part by what it took in each pair, in µs.
 * @param rows so many intervals hold together
 */
export function partOf(where: string, usOfPairs: Both<number[]>, rows: number): Part<Estimate> {
  const differences = usOfPairs.scenario.map(
    (scenarioUs, pair) => scenarioUs - (usOfPairs.baseline[pair] ?? Number.NaN),
  );
  return {
    where,
    us: forBoth((side) => mean(usOfPairs[side])),
    change: meanEstimate(differences, rows),
  };
}

function bookingsOf(pairs: readonly Both<Profile>[], findSpent: FindSpent): Booking[] {
  return pairs.flatMap((profiles, pair) =>
    SIDES.flatMap((side) =>
      findSpent(profiles[side], side).map(({ us, owner }) => ({ us, owner, side, pair })),
    ),
  );
}

/** Returns what these bookings took on one side, for each pair. */
function usOfPairs(bookings: readonly Booking[], side: Side, pairs: number): number[] {
  const us = Array<number>(pairs).fill(0);
  for (const booking of bookings) {
    if (booking.side === side) us[booking.pair] = (us[booking.pair] ?? 0) + booking.us;
  }
  return us;
}
