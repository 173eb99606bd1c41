import { basename } from 'node:path';
import { mean, sum } from 'simple-statistics';
import { welch } from '../analysis/compare.ts';
import { type Estimate, estimate, type Interval } from '../analysis/estimate.ts';
import { figuresOf } from '../analysis/figures.ts';
import type { Row } from '../analysis/task.ts';
import { type Both, SIDES } from '../measure/bench.ts';
import { Problem } from '../problem.ts';
import type { Pair, Side } from '../result/schema.ts';
import { type Call, callTree, keyOf, type PerPair, plus, summed } from './calls.ts';
import type { Frame, ProfiledSide } from './profiles.ts';

/** A part of what a request costs, on either side, in µs of CPU time. */
export interface Part {
  where: string;
  us: Both<number>;
  change: Interval;
}

/** Where a scenario's cost lies. */
export interface Explanation {
  title: string;
  baselineTitle: string;
  /** What was measured, without a profiler. */
  measured: Part & { change: Estimate };
  /** JavaScript by package; other threads, and what is left. All sum to what was measured; their intervals hold together. */
  packages: Part[];
  outside: Part[];
  /** Functions without what they call, those first that changed most: no more than an indication. */
  functions: (Part & { owner: string })[];
  /** The measured difference by kind of time; null if no probe told. */
  kinds: { userUs: Estimate; systemUs: Estimate } | null;
  profiledPairs: number;
  /** What a request took then. */
  profiledUs: Both<number>;
  calls: Call;
}

/** What is smaller than this part of a request's cost on both sides has no row of its own. */
const LEAST_SHARE = 0.005;
const MOST_FUNCTIONS = 15;

/** What the threads of JavaScriptCore's and V8's samplers are called. */
const SAMPLERS = /^(thread|.*ProfEvntProc)$/;

/**
 * Books a scenario's measured cost to packages and threads. A sample stands for its period, as far as the thread had the core
 * then, scaled from what a request took while it was profiled to what it was measured to take. What no sample accounts for
 * is a part, too.
 * @throws Problem if the cost was not measured.
 */
export function explain(row: Row, baselineTitle: string, pairs: Pair[], profiled: Both<ProfiledSide>[]): Explanation {
  const change = row.change.cpuUs?.estimate;
  const scenarioUs = row.figures?.cpuUs;
  if (!change || !scenarioUs) throw new Problem(`${row.title} has no CPU time that was measured`, 'See its report');
  const us = { baseline: scenarioUs - change.value, scenario: scenarioUs };
  const measured = { where: 'measured', us, change };
  const profiledUs = { baseline: profiledCostUs(profiled, 'baseline'), scenario: profiledCostUs(profiled, 'scenario') };
  const calls = callTree(
    profiled,
    ({ side, periodUs, ranShare, requests }) => ((us[side] / profiledUs[side]) * periodUs * ranShare) / requests,
  );
  const parts = partsOf(measured, calls, threadsOf(profiled));
  const functions = functionsOf(calls, LEAST_SHARE * scenarioUs);
  const kinds = kindsOf(pairs);
  return {
    title: row.title,
    baselineTitle,
    measured,
    ...parts,
    functions,
    kinds,
    profiledPairs: profiled.length,
    profiledUs,
    calls,
  };
}

/** CPU time of a request while it was profiled, in µs, without the sampler's thread. */
function profiledCostUs(profiled: Both<ProfiledSide>[], side: Side): number {
  const servers = profiled.map((pair) => pair[side]);
  const samplers = servers.flatMap(({ threadNs }) => Object.entries(threadNs).filter(([name]) => SAMPLERS.test(name)));
  const ns = sum(servers.map(({ cpuNs }) => cpuNs)) - sum(samplers.map(([, ns]) => ns));
  return ns / 1e3 / sum(servers.map(({ requests }) => requests));
}

/** Threads beside the one that runs JavaScript and the sampler's. */
function threadsOf(profiled: Both<ProfiledSide>[]): Map<string, PerPair> {
  const names = profiled.flatMap((pair) => SIDES.flatMap((side) => Object.keys(pair[side].threadNs)));
  const us = (side: Side, name: string) =>
    profiled.map((pair) => (pair[side].threadNs[name] ?? 0) / 1e3 / pair[side].requests);
  const own = names.filter((name) => !SAMPLERS.test(name));
  return new Map(
    own.map((name) => [`thread ${name}`, { baseline: us('baseline', name), scenario: us('scenario', name) }]),
  );
}

function partsOf(measured: Explanation['measured'], calls: Call, threads: Map<string, PerPair>) {
  const leastUs = LEAST_SHARE * measured.us.scenario;
  const packages = withoutSmall(
    summed(calls, ({ owner }) => owner),
    leastUs,
    'other packages',
  );
  const others = withoutSmall(threads, leastUs, 'other threads');
  const rows = packages.size + others.size + 1;
  const parts = (sums: Map<string, PerPair>) =>
    [...sums].map(([where, us]) => part(where, us, rows)).toSorted(byChange);
  const all = part(
    '',
    [...packages.values(), ...others.values()].reduce((one, us) => plus(one, us)),
    1,
  );
  const left = (side: Side) => measured.us[side] - all.us[side];
  const rest = {
    where: 'outside JavaScript: event loop, HTTP, kernel',
    us: { baseline: left('baseline'), scenario: left('scenario') },
    change: welch(all.change, measured.change, rows),
  };
  return { packages: parts(packages), outside: [...parts(others), rest] };
}

function withoutSmall(sums: Map<string, PerPair>, leastUs: number, others: string): Map<string, PerPair> {
  const kept = new Map<string, PerPair>();
  for (const [name, us] of sums) {
    const largest = Math.max(mean(us.baseline), mean(us.scenario));
    const where = largest < leastUs ? others : name;
    if (largest > 0) kept.set(where, plus(us, kept.get(where)));
  }
  return kept;
}

function part(where: string, us: PerPair, rows: number): Part & { change: Estimate } {
  return { where, us: { baseline: mean(us.baseline), scenario: mean(us.scenario) }, change: changeOf(us, rows) };
}

/** Scenario minus baseline, over pairs. */
export function changeOf({ baseline, scenario }: PerPair, rows = 1): Estimate {
  const differences = scenario.map((us, pair) => us - (baseline[pair] ?? Number.NaN));
  return estimate(differences, rows);
}

function byChange(one: Part, other: Part): number {
  return Math.abs(other.change.value) - Math.abs(one.change.value);
}

function functionsOf(calls: Call, leastUs: number): Explanation['functions'] {
  const about = new Map<string, { where: string; owner: string }>();
  const sums = summed(calls, ({ frame, owner }) => {
    const key = `${owner} ${keyOf(frame)}`;
    about.set(key, { where: labelOf(frame), owner });
    return key;
  });
  const functions = [...sums].map(([key, us]) => ({
    ...part('', us, 1),
    ...(about.get(key) as { where: string; owner: string }),
  }));
  const changed = functions.filter(({ change }) => Math.abs(change.value) >= leastUs);
  return changed.toSorted(byChange).slice(0, MOST_FUNCTIONS);
}

function labelOf({ functionName, url, lineNumber }: Frame): string {
  return `${functionName || '(anonymous)'} (${url === '' ? 'built in' : `${basename(url)}:${lineNumber + 1}`})`;
}

/** Over all slices together, as the probes counted it. */
function kindsOf(pairs: Pair[]): Explanation['kinds'] {
  const change = (kind: 'cpuUserUs' | 'cpuSystemUs') => {
    const us = (side: Side) => pairs.map((pair) => figuresOf([pair], side)?.resources?.[kind] ?? Number.NaN);
    return changeOf({ baseline: us('baseline'), scenario: us('scenario') });
  };
  const [userUs, systemUs] = [change('cpuUserUs'), change('cpuSystemUs')];
  return Number.isFinite(userUs.value + systemUs.value) ? { userUs, systemUs } : null;
}
