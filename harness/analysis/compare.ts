import { sum } from 'simple-statistics';
import type { Task } from '../result/schema.ts';
import { exportModes, type Run } from './analysis.ts';
import { idleCores } from './core-use.ts';
import { estimate, holdsZero, type Interval, welch } from './estimate.ts';
import type { Baseline, Row } from './rows.ts';

/** With two pairs Student's factor is 12.7: such an interval says nothing. */
const MIN_PAIRS = 3;

/** µs a request, or % of all that a request took before. */
export type Limit = { value: number; unit: 'us' | '%' };

/** What became of the CPU time that one row costs: null if it can't be compared, and then `missing` says why. */
export type Comparison = ReturnType<typeof comparison>;

/** One for each row of either result: of the new one first, then of those that only the old one has. */
export function compareRuns(old: Run, current: Run): Comparison[] {
  const [before, after] = [rowsByName(old), rowsByName(current)];
  const names = [...new Set([...after.keys(), ...before.keys()])];
  const all = names.map((name) => {
    const [was, is] = [before.get(name), after.get(name)];
    const missing = weakness(was, 'the old') ?? weakness(is, 'the new');
    return { title: (is ?? was)?.label ?? name, missing, was, is };
  });
  const rows = all.filter(({ missing }) => missing === null).length;
  return all.map(({ title, missing, was, is }) => {
    const [oldCost, newCost] = [was?.change.cpuUs?.estimate, is?.change.cpuUs?.estimate];
    const changeUs = oldCost && newCost && welch(oldCost, newCost, rows);
    return comparison(title, missing, was?.figures?.cpuUs, oldCost?.value, changeUs);
  });
}

/**
 * Of a run in which the old is the baseline and the new is the scenario: one for each task, and for what was skipped. The
 * change is that of the pairs, without what both had in common; old and new are what a request takes.
 */
export function comparePairs({ tasks, header }: Run): Comparison[] {
  const rows = tasks.flatMap((task) => task.rows).filter((row) => weakness(row, 'this') === null).length;
  const measured = tasks.flatMap(({ title, baseline, rows: own }) =>
    own.map((row) => {
      const { differences } = row.change.cpuUs ?? {};
      return againstBaseline(title, baseline, row, differences && estimate(differences, rows));
    }),
  );
  return [...measured, ...skippedOf(header)];
}

/** What each row of a run takes more than its baseline, with the intervals of its table. */
export function costsOf({ tasks, header }: Run): Comparison[] {
  const measured = tasks.flatMap(({ baseline, rows }) =>
    rows.map((row) => againstBaseline(row.label, baseline, row, row.change.cpuUs?.estimate)),
  );
  return [...measured, ...skippedOf(header)];
}

const skippedOf = ({ suite }: Run['header']) =>
  suite.skipped.map(({ scenario, fault }) => comparison(scenario, fault.what));

function againstBaseline(title: string, { figures }: Baseline, row: Row, changeUs: Interval | undefined): Comparison {
  return comparison(title, weakness(row, 'this'), figures?.cpuUs, figures?.cpuUs, changeUs);
}

/** `totalUs` is what a request took before. */
function comparison(
  title: string,
  missing: string | null,
  totalUs?: number | null,
  oldUs?: number | null,
  changeUs?: Interval,
) {
  if (missing !== null || !totalUs || typeof oldUs !== 'number' || !changeUs)
    return { title, cost: null, missing: missing ?? 'its CPU time is not known' };
  const { value, low, high } = changeUs;
  // A part of the total, whose error is left out: it is far smaller.
  const relative = { value: value / totalUs, low: low / totalUs, high: high / totalUs };
  return { title, cost: { oldUs, newUs: oldUs + value, changeUs, relative }, missing: null };
}

/** Whether the interval of the change lies wholly above the limit. */
export function isAbove({ cost }: Comparison, { value, unit }: Limit): boolean {
  if (!cost) return false;
  return (unit === 'us' ? cost.changeUs.low : cost.relative.low * 100) > value;
}

/** The direction of a change; null if it may be none. */
export function directionOf({ changeUs }: NonNullable<Comparison['cost']>): 'worse' | 'better' | null {
  if (holdsZero(changeUs)) return null;
  return changeUs.value > 0 ? 'worse' : 'better';
}

function rowsByName({ tasks }: Run): Map<string, Row> {
  return new Map(tasks.flatMap(({ rows }) => rows.map((row) => [JSON.stringify([row.task, row.scenario]), row])));
}

/** Why a row can't be compared; null if it can. */
function weakness(row: Row | undefined, which: 'the old' | 'the new' | 'this'): string | null {
  if (!row) return `not in ${which} result`;
  if (row.faults[0]) return `invalid in ${which} result: ${row.faults[0].what}`;
  return row.pairs.length < MIN_PAIRS ? `fewer than ${MIN_PAIRS} pairs in ${which} result` : null;
}

/** What two results must share for their difference to come from what is compared: a line for each that differs. */
export function incomparable(old: Run, current: Run): string[] {
  const [before, after] = [traits(old, current), traits(current, old)];
  return Object.keys({ ...before, ...after })
    .filter((name) => before[name] !== after[name])
    .map((name) => `${name}: ${before[name] ?? 'none'} / ${after[name] ?? 'none'}`);
}

/** What a task sends and expects, in an order of its own: a mix is sent at random. */
export function sentBy(exchanges: Task['exchanges']): string {
  const all = sum(exchanges.map(({ weight }) => weight));
  const said = exchanges.map(({ method, path, weight, requestDigest, answerDigest }) => {
    const share = weight < all ? `${((weight / all) * 100).toFixed(1)} % ` : '';
    return `${share}${method} ${path} (digests ${requestDigest}, ${answerDigest})`;
  });
  return said.sort().join(', ');
}

/** Only of tasks and scenarios that are in both results. */
function traits(run: Run, other: Run): Record<string, string> {
  const { environment, tool, pinning, suite } = run.header;
  const tasks = run.tasks.filter(({ name }) => other.tasks.some((task) => task.name === name));
  const isShared = (name: string) => other.header.suite.scenarios.some((scenario) => scenario.name === name);
  const scenarios = suite.scenarios.filter(({ name }) => isShared(name));
  const versions = scenarios.flatMap(({ runtime, packages }) => [
    ...(runtime ? [[runtime.name, runtime.version] as const] : []),
    ...Object.entries(packages).map(([name, version]) => [`package ${name}`, version] as const),
  ]);
  const byName = [...Map.groupBy(versions, ([name]) => name)];
  const { cpu, cores, memoryBytes, kernel } = environment;
  // In the order of the tasks, unless all have the same.
  const each = (values: (string | number)[]) => (new Set(values).size > 1 ? values : values.slice(0, 1)).join(', ');
  return {
    machine: `${cpu}, ${cores} cores, ${(memoryBytes / 1024 ** 3).toFixed(0)} GiB`,
    kernel,
    pinning: 'missing' in pinning ? 'not pinned' : 'pinned',
    // Costs read higher if they sleep.
    'idle cores': idleCores(run.header),
    'load tool': [tool.name, tool.version, tool.host].filter(Boolean).join(' '),
    suite: suite.name,
    ...Object.fromEntries(tasks.map((task) => [`requests of ${task.name}`, sentBy(task.exchanges)])),
    baseline: each(tasks.map(({ baseline }) => baseline.name)),
    export: exportModes({ proofs: run.proofs.filter(({ scenario }) => isShared(scenario)) }).join(', ') || 'nothing',
    connections: each(tasks.map(({ connections }) => connections)),
    rate: each(tasks.map(({ rate, rateShare }) => rateShare ?? rate ?? 'none')),
    ...Object.fromEntries(byName.map(([name, own]) => [name, each(own.map(([, version]) => version))])),
  };
}
