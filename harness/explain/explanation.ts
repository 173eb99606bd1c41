import type { Runtime } from 'node:inspector';
import { basename } from 'node:path';
import { mean, sum } from 'simple-statistics';
import { welch } from '../analysis/compare-estimates.ts';
import type { Estimate } from '../analysis/mean-estimate.ts';
import type { Row } from '../analysis/rows.ts';
import { served } from '../analysis/slice-totals.ts';
import { slicesOf } from '../analysis/slices.ts';
import { type Both, forBoth, SIDES } from '../pair/sides.ts';
import type { Side } from '../result/schema.ts';
import { Problem } from '../words/errors.ts';
import { type FindSpent, type Part, partOf, partsOf } from './parts.ts';
import type { Profile } from './profiles.ts';
import { spentBy, spentIn } from './spent.ts';

/*
 * This room tells where a cost lies. A plan, its world and a measured run go in; further pairs are
 * profiled, and the cost of a row is divided among packages, threads and the kernel. Nothing
 * imports this room but the command `explain`.
 */

/** Where a scenario's cost lies. */
export interface Explanation {
  title: string;
  baselineTitle: string;
  /** The cost as it was measured, without a profiler. */
  measured: Part<Estimate>;
  /**
   * JavaScript by package, other threads, and the rest. Their sum was measured; their intervals
   * hold together.
   */
  parts: Part[];
  /**
   * Functions without what they call: no more than an indication, with intervals that hold each by
   * itself.
   */
  functions: Part[];
  /** User time; null if no pair has all of its slices. */
  user: Part | null;
  /** System time; null as above. */
  system: Part | null;
  /**
   * System time by what the kernel did in it; null if that is not known, or not every server was
   * sampled there.
   */
  kernel: Part[] | null;
  profiledPairs: number;
  /** What a request took while it was profiled. */
  profiledUs: Both<number>;
}

/** What takes less than this share of a request's cost on both sides has no row of its own. */
const MIN_SHARE = 0.01;
const MAX_FUNCTIONS = 15;

/**
 * Returns where the cost of a row lies. A sample stands for its period, as far as its thread had a
 * core, scaled from what a request took while it was profiled to what it was measured to take. What
 * is left of the measured cost is a part, too.
 * @throws Problem if the cost was not measured
 */
export function explain(
  row: Row,
  baselineTitle: string,
  profiled: readonly Both<Profile>[],
): Explanation {
  const measured = measuredPart(row);
  const profiledUs = forBoth((side) => meanProfiledUs(profiled, side));
  const minUs = MIN_SHARE * measured.us.scenario;
  const findSpent: FindSpent = (profile, side) =>
    spentIn(profile, measured.us[side] / profiledUs[side]);
  const parts = partsOf(profiled, findSpent, { minUs, moreRows: 1 });
  const system = timePart(row, 'system');
  return {
    title: row.label,
    baselineTitle,
    measured,
    parts: [...parts, restPart(measured, profiled, findSpent, parts.length + 1)],
    functions: functionParts(profiled, findSpent, minUs),
    user: timePart(row, 'user'),
    system,
    kernel: system && kernelParts(profiled, system, minUs),
    profiledPairs: profiled.length,
    profiledUs,
  };
}

function measuredPart(row: Row): Part<Estimate> {
  const change = row.change.cpuUs;
  const scenarioUs = row.figures?.cpuUs;
  if (!change || !scenarioUs)
    throw new Problem(`The CPU time of ${row.label} was not measured`, 'See report --format full');
  const us = { baseline: change.baseline, scenario: change.baseline + change.value };
  return { where: 'measured', us, change };
}

function meanProfiledUs(profiled: readonly Both<Profile>[], side: Side): number {
  const us = profiled.map((profiles) => {
    const { cpuNs, requests } = profiles[side].tracetax;
    return cpuNs / 1e3 / requests;
  });
  return mean(us);
}

/** Returns what was measured and not sampled. */
function restPart(
  measured: Part<Estimate>,
  profiled: readonly Both<Profile>[],
  findSpent: FindSpent,
  rows: number,
): Part {
  const findAll: FindSpent = (profile, side) =>
    findSpent(profile, side).map((spent) => ({ ...spent, owner: 'all' }));
  const [sampled] = partsOf(profiled, findAll, { minUs: 0, moreRows: 0 }) as [Part<Estimate>];
  return {
    where: 'outside JavaScript: event loop, HTTP, kernel',
    us: forBoth((side) => measured.us[side] - sampled.us[side]),
    change: welch(sampled.change, measured.change, rows),
  };
}

function functionParts(
  profiled: readonly Both<Profile>[],
  findSpent: FindSpent,
  minUs: number,
): Part[] {
  const findByFunction: FindSpent = (profile, side) =>
    findSpent(profile, side).flatMap(({ us, owner, call }) =>
      call ? [{ us, owner: functionLabel(call, owner) }] : [],
    );
  return partsOf(profiled, findByFunction, { minUs: 0, moreRows: null })
    .filter(({ change }) => Math.abs(change.value) >= minUs)
    .slice(0, MAX_FUNCTIONS);
}

function functionLabel(
  { functionName, url, lineNumber, columnNumber }: Runtime.CallFrame,
  owner: string,
): string {
  const place = url === '' ? 'built in' : `${basename(url)}:${lineNumber + 1}:${columnNumber + 1}`;
  return `${functionName || '(anonymous)'} (${place}) of ${owner}`;
}

/**
 * Returns the system time by what the kernel did in it; null if not every server was sampled there.
 */
function kernelParts(
  profiled: readonly Both<Profile>[],
  system: Part,
  minUs: number,
): Part[] | null {
  const isSampled = profiled.every((profiles) =>
    SIDES.every((side) => profiles[side].tracetax.kernel !== null),
  );
  if (!isSampled) return null;
  const findInKernel: FindSpent = ({ tracetax }, side) => {
    const samples = tracetax.kernel ?? {};
    return spentBy(samples, system.us[side] / sum(Object.values(samples)));
  };
  return partsOf(profiled, findInKernel, { minUs, moreRows: 0 });
}

/**
 * Returns user or system time per request, of the pairs that have such times: one with a slice that
 * was left out has none. Null if no pair has.
 */
function timePart(row: Row, kind: 'user' | 'system'): Part | null {
  const timed = row.pairs.filter(({ usage }) => SIDES.every((side) => usage[side].cpuUs !== null));
  if (timed.length === 0) return null;
  const usOfPairs = forBoth((side) =>
    timed.map((pair) => {
      const us = pair.usage[side].cpuUs?.[kind] ?? Number.NaN;
      return us / served(slicesOf(pair), side);
    }),
  );
  return partOf(`${kind} time`, usOfPairs, 1);
}
