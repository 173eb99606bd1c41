import { type Interval, simultaneousLevel, tInterval } from './estimate.ts';
import type { Analysis, Estimate, Row } from './model.ts';

/** With two pairs Student's factor is 12.7: such an interval says nothing. */
const LEAST_PAIRS = 3;

/** What became of a scenario's cost from one result to another. */
export interface Comparison {
  /** Names; the title is the row's label. */
  task: string;
  scenario: string;
  title: string;
  /** Null if it can't be compared. */
  cost: CostChange | null;
  /** Why there is no cost; null if there is one. */
  missing: string | null;
}

/** Costs are scenario minus baseline per request, in µs. */
export interface CostChange {
  /** CPU time of the server if both results have it, else mean latency. */
  by: 'cpuUs' | 'latencyUs';
  oldUs: number;
  newUs: number;
  /** New minus old. */
  changeUs: Change;
  /** The same as a part of all that a request took in the old result, baseline included: 0.05 is 5 % more. */
  relative: Change;
  verdict: 'worse' | 'better' | '~';
}

interface Change extends Interval {
  value: number;
}

/** µs a request, or % of all that a request took before. */
export interface Limit {
  value: number;
  unit: 'us' | '%';
}

/** One for each row of either result: those of the new one first, then those that only the old one has. */
export function compareAnalyses(old: Analysis, current: Analysis): Comparison[] {
  const [before, after] = [sidesOf(old), sidesOf(current)];
  const all = [...after, ...[...before].filter(([key]) => !after.has(key))];
  const found = all.map(([key, { task, scenario, title }]) => {
    const estimates = estimatesOf(before.get(key), after.get(key));
    return { task, scenario, title, estimates };
  });
  const level = simultaneousLevel(found.filter(({ estimates }) => typeof estimates !== 'string').length);
  return found.map(({ estimates, ...row }) =>
    typeof estimates === 'string'
      ? { ...row, cost: null, missing: estimates }
      : { ...row, cost: costChange(estimates, level), missing: null },
  );
}

/** Whether the interval of the change lies wholly above the limit. */
export function isAbove({ cost }: Comparison, { value, unit }: Limit): boolean {
  if (!cost) return false;
  return (unit === 'us' ? cost.changeUs.low : cost.relative.low * 100) > value;
}

/** A row of one result. */
type Side = Row & { task: string };

interface Estimates {
  by: CostChange['by'];
  old: Estimate;
  current: Estimate;
  /** What a request took in the old result, baseline included. */
  oldTotalUs: number;
}

function sidesOf({ tasks }: Analysis): Map<string, Side> {
  const all = tasks.flatMap(({ name, rows }) => rows.map((row): Side => ({ ...row, task: name })));
  return new Map(all.map((side) => [JSON.stringify([side.task, side.scenario]), side]));
}

function weakness(side: Side | undefined, which: 'old' | 'new'): string | null {
  if (!side) return `not in the ${which} result`;
  if (side.invalid.length > 0) return `invalid in the ${which} result: ${side.invalid[0]}`;
  return side.pairs < LEAST_PAIRS ? `fewer than ${LEAST_PAIRS} pairs in the ${which} result` : null;
}

/** What to compare, or why nothing is. */
function estimatesOf(old: Side | undefined, current: Side | undefined): Estimates | string {
  const weak = weakness(old, 'old') ?? weakness(current, 'new');
  if (weak !== null) return weak;
  const totals = { cpuUs: old?.figures?.cpuUs, latencyUs: old?.figures?.latencyUs?.mean };
  for (const by of ['cpuUs', 'latencyUs'] as const) {
    const [before, after, oldTotalUs] = [old?.change[by], current?.change[by], totals[by]];
    if (before && after && oldTotalUs) return { by, old: before.estimate, current: after.estimate, oldTotalUs };
  }
  return 'neither CPU time nor latency is in both results';
}

function costChange({ by, old, current, oldTotalUs }: Estimates, level: number): CostChange {
  const changeUs = welch(old, current, level);
  const { value, low, high } = changeUs;
  // The total is far better known than the change, so its own error is left out.
  const relative = { value: value / oldTotalUs, low: low / oldTotalUs, high: high / oldTotalUs };
  return { by, oldUs: old.value, newUs: current.value, changeUs, relative, verdict: verdictOf(changeUs) };
}

function verdictOf({ low, high }: Interval): CostChange['verdict'] {
  if (low > 0) return 'worse';
  return high < 0 ? 'better' : '~';
}

/**
 * New minus old, of independent means whose variances may differ: Welch's t with the degrees of freedom of Welch and
 * Satterthwaite (B. L. Welch, Biometrika 34, 1947, 28-35).
 */
export function welch(old: Estimate, current: Estimate, level: number): Change {
  const value = current.value - old.value;
  const [a, b] = [old.standardError ** 2, current.standardError ** 2];
  const freedom = (a + b) ** 2 / (a ** 2 / (old.n - 1) + b ** 2 / (current.n - 1));
  return { value, ...tInterval(level, { value, standardError: Math.sqrt(a + b), freedom }) };
}

/** What two results must share for their difference to come from what is compared: a line for each that differs. */
export function incomparable(old: Analysis, current: Analysis): string[] {
  const [before, after] = [traits(old), traits(current)];
  // A task that only one result has is missing, row by row. A package that came or went is a difference.
  const names = [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) => name.startsWith('package ') || (before.has(name) && after.has(name)),
  );
  return names
    .filter((name) => before.get(name) !== after.get(name))
    .map((name) => `${name}: ${short(before.get(name))} / ${short(after.get(name))}`);
}

function traits({ suite, run, tasks }: Analysis): Map<string, string> {
  const { environment, tool, configuration, pinning, keepAwake } = run;
  const { cpu, cores, memoryBytes, kernel, virtualization, runtime, packages } = environment;
  const host = [cpu, `${cores} cores`, `${(memoryBytes / 1024 ** 3).toFixed(0)} GiB`, virtualization];
  return new Map([
    ['machine', host.filter(Boolean).join(', ')],
    ['kernel', kernel],
    ['pinning', 'missing' in pinning ? 'not pinned' : 'pinned'],
    // Costs read higher if idle cores sleep.
    ['idle cores', 'missing' in keepAwake ? 'asleep' : 'kept awake'],
    ['load tool', `${tool.name} ${tool.version}`],
    ['suite', suite.name],
    ['connections', String(configuration.connections)],
    ['runtime', `${runtime.name} ${runtime.version} (${runtime.revision})`],
    ...Object.entries(packages).map(([name, version]): [string, string] => [`package ${name}`, version]),
    ...tasks.flatMap(({ name, baseline, requests, bodyBytes }): [string, string][] => [
      [`baseline of ${name}`, baseline.name],
      [`requests of ${name}`, JSON.stringify(requests)],
      [`body of ${name}`, `${bodyBytes ?? 'no'} bytes`],
    ]),
  ]);
}

function short(text = 'none'): string {
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
