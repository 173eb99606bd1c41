import { tInterval } from './estimate.ts';
import { type Analysis, type Estimate, exportModes, type Interval, type Row, titledRows } from './model.ts';

/** With two pairs Student's factor is 12.7: such an interval says nothing. */
const LEAST_PAIRS = 3;

/** What became of a scenario's cost from one result to another. */
export interface Comparison {
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
  changeUs: Interval;
  /** The same as a part of all that a request took in the old result, baseline included: 0.05 is 5 % more. */
  relative: Interval;
  verdict: 'worse' | 'better' | '~';
}

/** µs a request, or % of all that a request took before. */
export interface Limit {
  value: number;
  unit: 'us' | '%';
}

/** One for each row of either result: those of the new one first, then those that only the old one has. */
export function compareAnalyses(old: Analysis, current: Analysis): Comparison[] {
  const [before, after] = [rowsByName(old), rowsByName(current)];
  const rows = [...new Map([...after, ...before]).keys()];
  return rows.map((name) => {
    const [oldRow, newRow] = [before.get(name), after.get(name)];
    return { title: (newRow ?? oldRow)?.title ?? name, ...compared(oldRow, newRow, rows.length) };
  });
}

/** Whether the interval of the change lies wholly above the limit. */
export function isAbove({ cost }: Comparison, { value, unit }: Limit): boolean {
  if (!cost) return false;
  return (unit === 'us' ? cost.changeUs.low : cost.relative.low * 100) > value;
}

function rowsByName({ tasks }: Analysis): Map<string, Row> {
  return new Map(titledRows(tasks).map((row) => [JSON.stringify([row.task, row.scenario]), row]));
}

/** The interval holds together with those of the other `rows`. */
function compared(old: Row | undefined, current: Row | undefined, rows: number): Omit<Comparison, 'title'> {
  const weak = weakness(old, 'old') ?? weakness(current, 'new');
  if (weak !== null) return { cost: null, missing: weak };
  const totals = { cpuUs: old?.figures?.cpuUs, latencyUs: old?.figures?.latencyUs?.mean };
  for (const by of ['cpuUs', 'latencyUs'] as const) {
    const [before, after, totalUs] = [old?.change[by]?.estimate, current?.change[by]?.estimate, totals[by]];
    if (!before || !after || !totalUs) continue;
    const changeUs = welch(before, after, rows);
    const { value, low, high } = changeUs;
    // The total is far better known than the change, so its own error is left out.
    const relative = { value: value / totalUs, low: low / totalUs, high: high / totalUs };
    const [oldUs, newUs, verdict] = [before.value, after.value, verdictOf(changeUs)];
    return { cost: { by, oldUs, newUs, changeUs, relative, verdict }, missing: null };
  }
  return { cost: null, missing: 'neither CPU time nor latency is in both results' };
}

function weakness(row: Row | undefined, which: 'old' | 'new'): string | null {
  if (!row) return `not in the ${which} result`;
  if (row.invalid.length > 0) return `invalid in the ${which} result: ${row.invalid[0]}`;
  return row.pairs < LEAST_PAIRS ? `fewer than ${LEAST_PAIRS} pairs in the ${which} result` : null;
}

function verdictOf({ low, high }: Interval): CostChange['verdict'] {
  if (low > 0) return 'worse';
  return high < 0 ? 'better' : '~';
}

/**
 * New minus old, of independent means whose variances may differ: Welch's t with the degrees of freedom of Welch and
 * Satterthwaite (B. L. Welch, Biometrika 34, 1947, 28-35).
 */
export function welch(old: Estimate, current: Estimate, rows: number): Interval {
  const [a, b] = [old.standardError ** 2, current.standardError ** 2];
  const freedom = (a + b) ** 2 / (a ** 2 / (old.n - 1) + b ** 2 / (current.n - 1));
  return tInterval({ value: current.value - old.value, standardError: Math.sqrt(a + b), freedom }, rows);
}

/** What two results must share for their difference to come from what is compared: a line for each that differs. */
export function incomparable(old: Analysis, current: Analysis): string[] {
  const [before, after] = [traits(old), traits(current)];
  return [...new Map([...before, ...after]).keys()]
    .filter((name) => before.get(name) !== after.get(name))
    .map((name) => `${name}: ${before.get(name) ?? 'none'} / ${after.get(name) ?? 'none'}`);
}

function traits(analysis: Analysis): Map<string, string> {
  const { suite, run } = analysis;
  const { environment, tool, configuration, pinning, keepAwake } = run;
  const { cpu, cores, memoryBytes, kernel, virtualization, runtime, packages } = environment;
  const machine = [cpu, `${cores} cores`, `${(memoryBytes / 1024 ** 3).toFixed(0)} GiB`, virtualization];
  return new Map([
    ['machine', machine.filter(Boolean).join(', ')],
    ['kernel', kernel],
    ['pinning', 'missing' in pinning ? 'not pinned' : 'pinned'],
    // Costs read higher if idle cores sleep.
    ['idle cores', 'missing' in keepAwake ? 'asleep' : 'kept awake'],
    ['load tool', `${tool.name} ${tool.version}`],
    ['suite', suite.name],
    ['export', exportModes(analysis).join(', ') || 'nothing to export'],
    ['connections', String(configuration.connections)],
    ['runtime', `${runtime.name} ${runtime.version} (${runtime.revision})`],
    ...Object.entries(packages).map(([name, version]): [string, string] => [`package ${name}`, version]),
  ]);
}
