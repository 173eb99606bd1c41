import type { Profiler, Runtime } from 'node:inspector';
import { basename } from 'node:path';
import { mean, sum } from 'simple-statistics';
import { estimate, type Interval, welch } from '../analysis/estimate.ts';
import { figuresOf } from '../analysis/figures.ts';
import type { Row } from '../analysis/rows.ts';
import { type Both, forBoth, SIDES } from '../pair/sides.ts';
import type { Side } from '../result/schema.ts';
import { Problem } from '../words/errors.ts';
import type { Profile } from './profiles.ts';

/** A part of what a request costs, on either side, in µs of CPU time. */
export interface Part {
  where: string;
  us: Both<number>;
  change: Interval;
}

/** CPU time of a request in one server, whose code took it, and in which function; in none for threads. */
type Spent = { side: Side; pair: number; us: number; owner: string; call?: Runtime.CallFrame };
type There = Pick<Spent, 'side' | 'pair'>;

/** Where a scenario's cost lies. */
export type Explanation = ReturnType<typeof explain>;

/** What is smaller than this part of a request's cost on both sides has no row of its own. */
const MIN_SHARE = 0.01;
const REST = 'outside JavaScript: event loop, HTTP, kernel';
const MAX_FUNCTIONS = 15;
/** What V8 and JavaScriptCore call that no JavaScript runs. */
const NO_JAVASCRIPT = new Set(['(root)', '(program)', '(idle)']);

/**
 * Books a scenario's measured cost to packages and threads. A sample stands for its period, as far as its thread had a
 * core, scaled from what a request took while it was profiled to what it was measured to take. The rest is a part, too.
 * @throws Problem if the cost was not measured.
 */
export function explain(row: Row, baselineTitle: string, profiled: Both<Profile>[]) {
  const change = row.change.cpuUs?.estimate;
  const scenarioUs = row.figures?.cpuUs;
  if (!change || !scenarioUs)
    throw new Problem(`The CPU time of ${row.label} was not measured`, 'See report --format full');
  const us = { baseline: scenarioUs - change.value, scenario: scenarioUs };
  const pairs = profiled.length;
  const minUs = MIN_SHARE * scenarioUs;
  const profiledUs = forBoth((side) =>
    mean(profiled.map(({ [side]: { tracetax } }) => tracetax.cpuNs / 1e3 / tracetax.requests)),
  );
  const inAll = (find: (profile: Profile, there: There) => Spent[]) =>
    profiled.flatMap((profiles, pair) => SIDES.flatMap((side) => find(profiles[side], { side, pair })));
  const known = inAll((profile, there) => spentIn(profile, us[there.side] / profiledUs[there.side], there));
  const knownUs = perPair(known, pairs);
  const restUs = forBoth((side) => us[side] - mean(knownUs[side]));
  const packages = withoutSmall(known, pairs, minUs);
  const rows = packages.size + 1;
  const system = timeOf(row, 'system time', 'cpuSystemUs');
  const isSampled = profiled.every((each) => SIDES.every((side) => each[side].tracetax.kernel));
  const inKernel = ({ us }: Part) =>
    inAll(({ tracetax: { kernel } }, there) => {
      const counts = kernel ?? {};
      return spentBy(counts, us[there.side] / sum(Object.values(counts)), there);
    });
  const calls = isSampled && system && withoutSmall(inKernel(system), pairs, minUs);
  const sampled = known.filter(({ call }) => call);
  const functions = partsOf(Map.groupBy(sampled, labelOf), pairs, 1);
  return {
    title: row.label,
    baselineTitle,
    /** Without a profiler. */
    measured: { where: 'measured', us, change },
    /** JavaScript by package, other threads, and the rest. Their sum was measured; their intervals hold together. */
    parts: [
      ...partsOf(packages, pairs, rows),
      { where: REST, us: restUs, change: welch(changeOf(knownUs), change, rows) },
    ],
    /** Without what they call: no more than an indication. */
    functions: functions.filter((each) => Math.abs(each.change.value) >= minUs).slice(0, MAX_FUNCTIONS),
    /** Null if no pair has all of its slices. */
    user: timeOf(row, 'user time', 'cpuUserUs'),
    system,
    /** System time by what the kernel did in it; null if that is not known, or not every server was sampled there. */
    kernel: calls ? partsOf(calls, pairs, calls.size) : null,
    profiledPairs: pairs,
    profiledUs,
  };
}

/** Of the pairs that have such times: one with a slice that was left out has none. Null if no pair has. */
function timeOf(row: Row, where: string, kind: 'cpuUserUs' | 'cpuSystemUs'): Part | null {
  const timed = row.pairs.filter(({ usage }) => SIDES.every((side) => usage[side].cpuUs));
  const us = (side: Side) => timed.map((pair) => figuresOf([pair], side)?.resources[kind] ?? Number.NaN);
  return timed.length > 0 ? partOf(where, forBoth(us)) : null;
}

/** What was sampled of a server, and what its other threads took. `factor`: of all times. */
function spentIn({ nodes, timeDeltas, tracetax }: Profile, factor: number, there: There): Spent[] {
  const { requests, intervalUs, ranShare, threadNs, packages } = tracetax;
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const usPerSample = (periodOf(timeDeltas, intervalUs) * ranShare * factor) / requests;
  const visit = (node: Profiler.ProfileNode, caller: string): Spent[] => {
    const { callFrame, hitCount = 0, children = [] } = node;
    const hasRun = !NO_JAVASCRIPT.has(callFrame.functionName);
    // A built-in function has no file, and belongs to whom it was called by. V8 tells of its collector as of a function.
    const isGarbage = callFrame.functionName === '(garbage collector)';
    const owner = isGarbage ? 'garbage collection' : (packages[callFrame.url] ?? caller);
    const called = children.flatMap((id) => byId.get(id) ?? []).flatMap((child) => visit(child, owner));
    const own = { ...there, call: callFrame, owner, us: hitCount * usPerSample };
    return hasRun && hitCount > 0 ? [own, ...called] : called;
  };
  const samples = nodes[0] ? visit(nodes[0], 'native code that no JavaScript called') : [];
  return [...samples, ...spentBy(threadNs, factor / requests / 1e3, there)];
}

/** What was counted by name, of what is no function. */
function spentBy(counts: Record<string, number>, usEach: number, there: There): Spent[] {
  return Object.entries(counts).map(([owner, count]) => ({ ...there, owner, us: count * usEach }));
}

/**
 * The real time from one sample to the next: the sampler wakes late. JavaScriptCore keeps no sample if no JavaScript
 * runs, so most times are multiples: those near the interval are single periods, which vary by a fifth on purpose.
 */
function periodOf(timeDeltas: number[] = [], intervalUs: number): number {
  const single = timeDeltas.filter((deltaUs) => deltaUs > 0.75 * intervalUs && deltaUs < 1.6 * intervalUs);
  return single.length > 0 ? mean(single) : intervalUs;
}

/** The sum in each pair. */
function perPair(spent: Spent[], pairs: number): Both<number[]> {
  const sums = forBoth(() => new Array<number>(pairs).fill(0));
  for (const { side, pair, us } of spent) sums[side][pair] = (sums[side][pair] ?? 0) + us;
  return sums;
}

/** By owner; those together that are small on both sides. */
function withoutSmall(spent: Spent[], pairs: number, minUs: number): Map<string, Spent[]> {
  const groups = [...Map.groupBy(spent, ({ owner }) => owner)];
  const isLarge = (own: Spent[]) => Object.values(perPair(own, pairs)).some((us) => mean(us) >= minUs);
  const large = new Set(groups.filter(([, own]) => isLarge(own)).map(([owner]) => owner));
  return Map.groupBy(spent, ({ owner }) => (large.has(owner) ? owner : 'others, each below 1 %'));
}

/** Those first that changed most. Their intervals hold together with those of so many rows. */
function partsOf(groups: Map<string, Spent[]>, pairs: number, rows: number): Part[] {
  const parts = [...groups].map(([where, own]) => partOf(where, perPair(own, pairs), rows));
  return parts.toSorted((one, other) => Math.abs(other.change.value) - Math.abs(one.change.value));
}

function partOf(where: string, us: Both<number[]>, rows = 1): Part {
  return { where, us: forBoth((side) => mean(us[side])), change: changeOf(us, rows) };
}

/** Scenario minus baseline, over pairs. */
function changeOf({ baseline, scenario }: Both<number[]>, rows = 1) {
  const differences = scenario.map((us, pair) => us - (baseline[pair] ?? Number.NaN));
  return estimate(differences, rows);
}

function labelOf({ call, owner }: Spent): string {
  const { functionName, url, lineNumber, columnNumber } = call as Runtime.CallFrame;
  const place = url === '' ? 'built in' : `${basename(url)}:${lineNumber + 1}:${columnNumber + 1}`;
  return `${functionName || '(anonymous)'} (${place}) of ${owner}`;
}
