import { basename } from 'node:path';
import { mean, sum } from 'simple-statistics';
import { welch } from '../analysis/compare.ts';
import { estimate } from '../analysis/estimate.ts';
import { DIFFERENCES } from '../analysis/figures.ts';
import type { Estimate, Interval, Row } from '../analysis/model.ts';
import { Problem } from '../problem.ts';
import type { Pair, Side } from '../result/schema.ts';
import { type Call, callTree, keyOf, type PerPair, plus, type Sampled, summed } from './calls.ts';
import type { Frame } from './profile.ts';
import type { ProfiledPair, ProfiledSide } from './profiles.ts';

/** A part of what a request costs, on either side, in µs of CPU time. */
export interface Part {
  where: string;
  baselineUs: number;
  scenarioUs: number;
  change: Interval;
}

/** Where a scenario's cost lies. */
export interface Explanation {
  title: string;
  baselineTitle: string;
  /** What was measured, without a profiler. */
  measured: Part & { change: Estimate };
  /** JavaScript by package; other threads, and what is left. All sum to what was measured, and their intervals hold together. */
  packages: Part[];
  outside: Part[];
  /** Functions without what they call, those first that changed most: no more than an indication. */
  functions: (Part & { owner: string })[];
  /** The measured difference by kind of time; null if no probe told. */
  kinds: { userUs: Estimate; systemUs: Estimate } | null;
  profiledPairs: number;
  /** What a request took then. */
  profiledCostUs: Record<Side, number>;
  calls: Call;
}

/** What is smaller than this part of a request's cost on both sides has no row of its own. */
const LEAST_SHARE = 0.005;
const REST = 'outside JavaScript: event loop, HTTP, kernel';

/** What the threads of JavaScriptCore's and V8's samplers are called. */
const SAMPLERS = /^(thread|.*ProfEvntProc)$/;

/**
 * Puts a scenario's measured cost down to packages and threads, by samples: their number times their period. A
 * request takes longer while it is profiled, so that is scaled to what was measured. What no sample accounts for is a row, too.
 * @throws Problem if the cost was not measured.
 */
export function explain(row: Row, baselineTitle: string, pairs: Pair[], profiled: ProfiledPair[]): Explanation {
  const change = row.change.cpuUs?.estimate;
  const scenarioUs = row.figures?.cpuUs;
  if (!change || !scenarioUs) throw new Problem(`${row.title} has no CPU time that was measured`, 'See its report');
  const baselineUs = scenarioUs - change.value;
  const measured = { where: 'measured', baselineUs, scenarioUs, change };
  const profiledCostUs = { baseline: profiledUs(profiled, 'baseline'), scenario: profiledUs(profiled, 'scenario') };
  const packages = Object.assign(
    {},
    ...profiled.flatMap(({ baseline, scenario }) => [baseline.packages, scenario.packages]),
  );
  const calls = callTree(
    profiled.map(({ baseline, scenario }) => ({
      baseline: sampledOf(baseline, baselineUs / profiledCostUs.baseline),
      scenario: sampledOf(scenario, scenarioUs / profiledCostUs.scenario),
    })),
    packages,
  );
  return {
    title: row.title,
    baselineTitle,
    measured,
    ...partsOf(measured, calls, threadsOf(profiled)),
    functions: functionsOf(calls, measured),
    kinds: kindsOf(pairs),
    profiledPairs: profiled.length,
    profiledCostUs,
    calls,
  };
}

/**
 * How long a sample stands for: its period, as far as the thread had the core then. `scale`: from what a request took while
 * it was profiled to what it was measured to take.
 */
function sampledOf({ stacks, periodUs, ranShare, requests }: ProfiledSide, scale: number): Sampled {
  return { stacks, usPerSample: (periodUs * ranShare * scale) / requests };
}

/** CPU time of a request while it was profiled, in µs, without the sampler's thread. */
function profiledUs(profiled: ProfiledPair[], side: Side): number {
  const servers = profiled.map((pair) => pair[side]);
  const samplerNs = ({ threadNs }: ProfiledSide) =>
    sum(Object.entries(threadNs).map(([name, ns]) => (SAMPLERS.test(name) ? ns : 0)));
  return (
    sum(servers.map((server) => server.cpuNs - samplerNs(server))) / 1e3 / sum(servers.map(({ requests }) => requests))
  );
}

function partsOf(
  measured: Explanation['measured'],
  calls: Call,
  threads: Map<string, PerPair>,
): Pick<Explanation, 'packages' | 'outside'> {
  const leastUs = LEAST_SHARE * measured.scenarioUs;
  const ofPackages = withoutSmall(
    summed(calls, ({ owner }) => owner),
    leastUs,
    'other packages',
  );
  const ofThreads = withoutSmall(threads, leastUs, 'other threads');
  const rows = ofPackages.size + ofThreads.size + 1;
  const parts = (sums: Map<string, PerPair>) =>
    [...sums].map(([where, us]) => part(where, us, rows)).toSorted(byChange);
  const all = part(
    REST,
    [...ofPackages.values(), ...ofThreads.values()].reduce((one, us) => plus(one, us)),
    1,
  );
  const rest = {
    where: REST,
    baselineUs: measured.baselineUs - all.baselineUs,
    scenarioUs: measured.scenarioUs - all.scenarioUs,
    change: welch(all.change, measured.change, rows),
  };
  return { packages: parts(ofPackages), outside: [...parts(ofThreads), rest] };
}

function withoutSmall(sums: Map<string, PerPair>, leastUs: number, others: string): Map<string, PerPair> {
  const kept = new Map<string, PerPair>();
  for (const [name, us] of sums) {
    const where = Math.max(mean(us.baseline), mean(us.scenario)) < leastUs ? others : name;
    kept.set(where, plus(us, kept.get(where)));
  }
  return kept;
}

function part(where: string, us: PerPair, rows: number) {
  const differences = us.scenario.map((scenarioUs, pair) => scenarioUs - (us.baseline[pair] ?? Number.NaN));
  return {
    where,
    baselineUs: mean(us.baseline),
    scenarioUs: mean(us.scenario),
    change: estimate(differences, rows),
  };
}

function byChange(one: Part, other: Part): number {
  return Math.abs(other.change.value) - Math.abs(one.change.value);
}

/** Threads beside the one that runs JavaScript, and the sampler's. */
function threadsOf(profiled: ProfiledPair[]): Map<string, PerPair> {
  const names = new Set(
    profiled.flatMap(({ baseline, scenario }) => [baseline, scenario].flatMap(({ threadNs }) => Object.keys(threadNs))),
  );
  const us = (side: Side, name: string) =>
    profiled.map((pair) => (pair[side].threadNs[name] ?? 0) / 1e3 / pair[side].requests);
  return new Map(
    [...names]
      .filter((name) => !SAMPLERS.test(name))
      .map((name) => [`thread ${name}`, { baseline: us('baseline', name), scenario: us('scenario', name) }]),
  );
}

const MOST_FUNCTIONS = 15;

function functionsOf(calls: Call, { scenarioUs }: Part): Explanation['functions'] {
  const labels = new Map<string, { where: string; owner: string }>();
  const sums = summed(calls, ({ frame, owner }) => {
    const key = `${owner} ${keyOf(frame)}`;
    labels.set(key, { where: labelOf(frame), owner });
    return key;
  });
  return [...sums]
    .map(([key, us]) => ({ ...part('', us, 1), ...(labels.get(key) as { where: string; owner: string }) }))
    .filter(({ change }) => Math.abs(change.value) >= LEAST_SHARE * scenarioUs)
    .toSorted(byChange)
    .slice(0, MOST_FUNCTIONS);
}

function labelOf({ name, url, line }: Frame): string {
  return url === '' ? `${name} (built in)` : `${name} (${basename(url)}:${line + 1})`;
}

/** Of all slices together, as the probes counted it. */
function kindsOf(pairs: Pair[]): Explanation['kinds'] {
  const us = ({ usage, alternating, duets }: Pair, kind: 'cpuUserUs' | 'cpuSystemUs') => {
    const perRequest = (side: Side) =>
      (usage[side]?.[kind] ?? Number.NaN) / sum([...alternating, ...duets].map((slice) => slice[side].requests));
    return perRequest('scenario') - perRequest('baseline');
  };
  const of = (kind: 'cpuUserUs' | 'cpuSystemUs') => estimate(pairs.map((pair) => us(pair, kind)));
  const [userUs, systemUs] = [of('cpuUserUs'), of('cpuSystemUs')];
  return Number.isFinite(userUs.value + systemUs.value) ? { userUs, systemUs } : null;
}
