import { basename } from 'node:path';
import { sum } from 'simple-statistics';
import { type Estimate, estimate, type Interval, welch } from '../analysis/estimate.ts';
import { figuresOf } from '../analysis/figures.ts';
import type { Row } from '../analysis/rows.ts';
import type { Both } from '../pair/sides.ts';
import type { Pair } from '../result/schema.ts';
import { Problem } from '../words/errors.ts';
import { type Call, callOf, callTree, means, type PerPair, perPair, plus, summed } from './calls.ts';
import type { ProfiledSide } from './profiles.ts';

/** A part of what a request costs, on either side, in µs of CPU time. */
export interface Part {
  where: string;
  us: Both<number>;
  change: Interval;
}

/** Where a scenario's cost lies. */
export type Explanation = ReturnType<typeof explain>;

/** What is smaller than this part of a request's cost on both sides has no row of its own. */
const LEAST_SHARE = 0.01;
const MOST_FUNCTIONS = 15;

/**
 * Books a scenario's measured cost to packages and threads. A sample stands for its period, as far as its thread had a
 * core, scaled from what a request took while it was profiled to what it was measured to take. The rest is a part, too.
 * @throws Problem if the cost was not measured.
 */
export function explain(row: Row, baselineTitle: string, pairs: Pair[], profiled: Both<ProfiledSide>[]) {
  const change = row.change.cpuUs?.estimate;
  const scenarioUs = row.figures?.cpuUs;
  if (!change || !scenarioUs)
    throw new Problem(`The CPU time of ${row.label} was not measured`, 'See report --format full');
  const us = { baseline: scenarioUs - change.value, scenario: scenarioUs };
  const leastUs = LEAST_SHARE * scenarioUs;
  const profiledUs = means(perPair(profiled, (pair, side) => pair[side].cpuNs / 1e3 / pair[side].requests));
  /** What a µs of a profiled server stands for in a request. */
  const scale = ({ side, requests }: ProfiledSide) => us[side] / profiledUs[side] / requests;
  const calls = callTree(profiled, (server) => server.periodUs * server.ranShare * scale(server));
  const functions = partsOf(summed(calls, labelOf), 1).filter(({ change }) => Math.abs(change.value) >= leastUs);
  const threads = byName(profiled, 'threadNs', (server) => scale(server) / 1e3);
  calls.calls.push(...[...threads].map(([name, us]) => callOf(`thread ${name}`, us)));
  const byOwner = summed(calls, ({ owner }) => owner);
  const sums = withoutSmall(byOwner, leastUs);
  const known = [...sums.values()].reduce((one, other) => plus(one, other));
  const restUs = perPair(profiled, (_, side) => us[side] - means(known)[side]);
  const rest = callOf('outside JavaScript: event loop, HTTP, kernel', restUs);
  calls.calls.push(rest);
  const rows = sums.size + 1;
  // Of all slices, as the probes counted it.
  const used = (kind: 'cpuUserUs' | 'cpuSystemUs') =>
    perPair(pairs, (pair, side) => figuresOf([pair], side)?.resources?.[kind] ?? Number.NaN);
  const system = part('system time', used('cpuSystemUs'));
  return {
    title: row.label,
    baselineTitle,
    /** Without a profiler. */
    measured: { where: 'measured', us, change },
    /** JavaScript by package, other threads, and the rest. Their sum was measured; their intervals hold together. */
    parts: [...partsOf(sums, rows), { ...part(rest.owner, rest.selfUs), change: welch(changeOf(known), change, rows) }],
    /** Without what they call: no more than an indication. */
    functions: functions.slice(0, MOST_FUNCTIONS),
    user: part('user time', used('cpuUserUs')),
    system,
    kernel: kernelOf(profiled, system, leastUs),
    profiledPairs: profiled.length,
    profiledUs,
    /** All parts by stack. */
    calls,
  };
}

/** What each server counted by name, in µs of a request. `usOf`: what one count of a server stands for. */
function byName(profiled: Both<ProfiledSide>[], counts: 'threadNs' | 'kernel', usOf: (of: ProfiledSide) => number) {
  const servers = profiled.flatMap((pair) => Object.values(pair));
  const names = servers.flatMap((server) => Object.keys(server[counts] ?? {}));
  const us = (name: string) => perPair(profiled, (pair, side) => (pair[side][counts]?.[name] ?? 0) * usOf(pair[side]));
  return new Map(names.map((name) => [name, us(name)]));
}

/** Those first that changed most. */
function partsOf(sums: Map<string, PerPair>, rows: number): Part[] {
  const parts = [...sums].map(([where, us]) => part(where, us, rows));
  return parts.toSorted((one, other) => Math.abs(other.change.value) - Math.abs(one.change.value));
}

function withoutSmall(sums: Map<string, PerPair>, leastUs: number): Map<string, PerPair> {
  const kept = new Map<string, PerPair>();
  for (const [name, us] of sums) {
    const largest = Math.max(...Object.values(means(us)));
    const where = largest < leastUs ? 'others, each below 1 %' : name;
    if (largest > 0) kept.set(where, plus(us, kept.get(where)));
  }
  return kept;
}

function part(where: string, us: PerPair, rows = 1) {
  return { where, us: means(us), change: changeOf(us, rows) };
}

/** Scenario minus baseline, over pairs. */
export function changeOf({ baseline, scenario }: PerPair, rows = 1): Estimate {
  const differences = scenario.map((us, pair) => us - (baseline[pair] ?? Number.NaN));
  return estimate(differences, rows);
}

function labelOf({ frame: { functionName, url, lineNumber, columnNumber }, owner }: Call): string {
  const place = url === '' ? 'built in' : `${basename(url)}:${lineNumber + 1}:${columnNumber + 1}`;
  return `${functionName || '(anonymous)'} (${place}) of ${owner}`;
}

/** System time by what the kernel did in it; null if not every server was sampled there. */
function kernelOf(profiled: Both<ProfiledSide>[], { us }: Part, leastUs: number): Part[] | null {
  if (profiled.some((pair) => Object.values(pair).some(({ kernel }) => kernel === null))) return null;
  const sums = byName(profiled, 'kernel', ({ side, kernel }) => us[side] / sum(Object.values(kernel ?? {})));
  const shown = withoutSmall(sums, leastUs);
  return partsOf(shown, shown.size);
}
