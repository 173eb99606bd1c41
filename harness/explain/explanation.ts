import type { Profiler, Runtime } from 'node:inspector';
import { basename } from 'node:path';
import { mean, sum } from 'simple-statistics';
import { type Estimate, meanEstimate, welch } from '../analysis/estimate.ts';
import { served, slicesOf } from '../analysis/figures.ts';
import type { Interval } from '../analysis/interval.ts';
import type { Row } from '../analysis/rows.ts';
import { type Both, forBoth, SIDES } from '../pair/sides.ts';
import type { Side } from '../result/schema.ts';
import { Problem } from '../words/errors.ts';
import type { Profile } from './profiles.ts';

/** A part of what a request costs, on either side, in µs of CPU time. */
export interface Part<Change = Interval> {
  where: string;
  us: Both<number>;
  change: Change;
}

/** CPU time of a request in one server, whose code took it, and in which function; in none for threads. */
type Spent = { us: number; owner: string; call?: Runtime.CallFrame };
type Find = (profile: Profile, side: Side) => Spent[];

/** Where a scenario's cost lies. */
export type Explanation = ReturnType<typeof explain>;

/** What is smaller than this part of a request's cost on both sides has no row of its own. */
const MIN_SHARE = 0.01;
const MAX_FUNCTIONS = 15;
/** What V8 and JavaScriptCore call that no JavaScript runs. */
const NO_JAVASCRIPT = new Set(['(root)', '(program)', '(idle)']);

/**
 * Books a scenario's measured cost to packages and threads. A sample stands for its period, as far as its thread had a
 * core, scaled from what a request took while it was profiled to what it was measured to take. The rest is a part, too.
 * @throws Problem if the cost was not measured.
 */
export function explain(row: Row, baselineTitle: string, profiled: Both<Profile>[]) {
  const change = row.change.cpuUs;
  const scenarioUs = row.figures?.cpuUs;
  if (!change || !scenarioUs)
    throw new Problem(`The CPU time of ${row.label} was not measured`, 'See report --format full');
  const us = { baseline: scenarioUs - change.value, scenario: scenarioUs };
  const minUs = MIN_SHARE * scenarioUs;
  const profiledUs = forBoth((side) =>
    mean(profiled.map(({ [side]: { tracetax } }) => tracetax.cpuNs / 1e3 / tracetax.requests)),
  );
  const spent: Find = (profile, side) => spentIn(profile, us[side] / profiledUs[side]);
  const together: Find = (...where) => spent(...where).map((each) => ({ ...each, owner: 'all' }));
  const byFunction: Find = (...where) =>
    spent(...where).flatMap(({ us, owner, call }) =>
      call ? { us, owner: labelOf(call, owner) } : [],
    );
  const [all] = partsOf(profiled, together, 0, 0) as [Part<Estimate>];
  const parts = partsOf(profiled, spent, minUs, 1);
  const rest = {
    where: 'outside JavaScript: event loop, HTTP, kernel',
    us: forBoth((side) => us[side] - all.us[side]),
    change: welch(all.change, change, parts.length + 1),
  };
  const system = timeOf(row, 'system');
  const inKernel: Find = ({ tracetax: { kernel } }, side) =>
    spentBy({ ...kernel }, (system?.us[side] ?? 0) / sum(Object.values({ ...kernel })));
  const isSampled = profiled.every((each) => SIDES.every((side) => each[side].tracetax.kernel));
  return {
    title: row.label,
    baselineTitle,
    /** Without a profiler. */
    measured: { where: 'measured', us, change },
    /** JavaScript by package, other threads, and the rest. Their sum was measured; their intervals hold together. */
    parts: [...parts, rest],
    /** Without what they call: no more than an indication, with intervals that hold each by itself. */
    functions: partsOf(profiled, byFunction, 0, null)
      .filter((each) => Math.abs(each.change.value) >= minUs)
      .slice(0, MAX_FUNCTIONS),
    /** Null if no pair has all of its slices. */
    user: timeOf(row, 'user'),
    system,
    /** System time by what the kernel did in it; null if that is not known, or not every server was sampled there. */
    kernel: isSampled && system ? partsOf(profiled, inKernel, minUs, 0) : null,
    profiledPairs: profiled.length,
    profiledUs,
  };
}

/** Of the pairs that have such times: one with a slice that was left out has none. Null if no pair has. */
function timeOf(row: Row, kind: 'user' | 'system') {
  const timed = row.pairs.filter(({ usage }) => SIDES.every((side) => usage[side].cpuUs));
  const us = (side: Side) =>
    timed.map(
      (pair) => (pair.usage[side].cpuUs?.[kind] ?? Number.NaN) / served(slicesOf(pair), side),
    );
  return timed.length > 0 ? partOf(`${kind} time`, forBoth(us), 1) : null;
}

/** What was sampled of a server, and what its other threads took. `factor`: of all times. */
function spentIn({ nodes, timeDeltas, tracetax }: Profile, factor: number): Spent[] {
  const { requests, intervalUs, ranShare, threadNs, packages } = tracetax;
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const usPerSample = (periodOf(timeDeltas, intervalUs) * ranShare * factor) / requests;
  const visit = (node: Profiler.ProfileNode, caller: string): Spent[] => {
    const { callFrame: call, hitCount = 0, children = [] } = node;
    // A built-in function has no file, and belongs to whom it was called by. V8 tells of its collector as of a function.
    const isGarbage = call.functionName === '(garbage collector)';
    const owner = isGarbage ? 'garbage collection' : (packages[call.url] ?? caller);
    const called = children
      .flatMap((id) => byId.get(id) ?? [])
      .flatMap((child) => visit(child, owner));
    const isOwn = hitCount > 0 && !NO_JAVASCRIPT.has(call.functionName);
    return isOwn ? [{ us: hitCount * usPerSample, owner, call }, ...called] : called;
  };
  const samples = nodes[0] ? visit(nodes[0], 'native code that no JavaScript called') : [];
  return [...samples, ...spentBy(threadNs, factor / requests / 1e3)];
}

/** What was counted by name, of what is no function. */
function spentBy(counts: Record<string, number>, usEach: number): Spent[] {
  return Object.entries(counts).map(([owner, count]) => ({ owner, us: count * usEach }));
}

/**
 * The real time from one sample to the next: the sampler wakes late. JavaScriptCore keeps no sample if no JavaScript
 * runs, so most times are multiples: those near the interval are single periods, which vary by a fifth on purpose.
 */
function periodOf(timeDeltas: number[] = [], intervalUs: number): number {
  const single = timeDeltas.filter(
    (deltaUs) => deltaUs > 0.75 * intervalUs && deltaUs < 1.6 * intervalUs,
  );
  return single.length > 0 ? mean(single) : intervalUs;
}

/**
 * By owner, those first that changed most; those together that are below `minUs` on both sides. Their intervals hold together
 * with those of so many more rows, or with none.
 */
function partsOf(
  profiled: Both<Profile>[],
  find: Find,
  minUs: number,
  more: number | null,
): Part<Estimate>[] {
  const all = profiled.flatMap((both, pair) =>
    SIDES.flatMap((side) =>
      find(both[side], side).map(({ us, owner }) => ({ us, owner, side, pair })),
    ),
  );
  const perPair = (own: typeof all) =>
    forBoth((side) =>
      profiled.map((_, at) =>
        sum(own.filter((each) => each.side === side && each.pair === at).map(({ us }) => us)),
      ),
    );
  const isSmall = (own: typeof all) => Object.values(perPair(own)).every((us) => mean(us) < minUs);
  const small = new Set(
    [...Map.groupBy(all, ({ owner }) => owner)]
      .filter(([, own]) => isSmall(own))
      .map(([owner]) => owner),
  );
  const groups = Map.groupBy(all, ({ owner }) =>
    small.has(owner) ? 'others, each below 1 %' : owner,
  );
  const rows = more === null ? 1 : groups.size + more;
  const parts = [...groups].map(([where, own]) => partOf(where, perPair(own), rows));
  return parts.toSorted((one, other) => Math.abs(other.change.value) - Math.abs(one.change.value));
}

function partOf(where: string, us: Both<number[]>, rows: number): Part<Estimate> {
  const differences = us.scenario.map((own, pair) => own - (us.baseline[pair] ?? Number.NaN));
  return { where, us: forBoth((side) => mean(us[side])), change: meanEstimate(differences, rows) };
}

function labelOf(
  { functionName, url, lineNumber, columnNumber }: Runtime.CallFrame,
  owner: string,
): string {
  const place = url === '' ? 'built in' : `${basename(url)}:${lineNumber + 1}:${columnNumber + 1}`;
  return `${functionName || '(anonymous)'} (${place}) of ${owner}`;
}
