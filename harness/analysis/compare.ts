import type { Configuration } from '../result/schema.ts';
import { type Analysis, exportModes } from './analysis.ts';
import { estimate, holdsZero, type Interval, scaled, welch } from './estimate.ts';
import type { Figures } from './figures.ts';
import type { Row } from './rows.ts';

/** With two pairs Student's factor is 12.7: such an interval says nothing. */
const LEAST_PAIRS = 3;

/** µs a request, or % of all that a request took before. */
export type Limit = NonNullable<Configuration['precision']>;

/** What became of the cost of one row: null if it can't be compared, and then `missing` says why. */
export interface Comparison {
  title: string;
  cost: ReturnType<typeof costOf>;
  missing: string | null;
}

/** One for each row of either result: of the new one first, then of those that only the old one has. */
export function compareAnalyses(old: Analysis, current: Analysis): Comparison[] {
  const [before, after] = [rowsByName(old), rowsByName(current)];
  const names = [...new Set([...after.keys(), ...before.keys()])];
  const weaknessOf = (name: string) => weakness(before.get(name), 'the old') ?? weakness(after.get(name), 'the new');
  const rows = names.filter((name) => weaknessOf(name) === null).length;
  return names.map((name) => {
    const [oldRow, newRow] = [before.get(name), after.get(name)];
    const title = (newRow ?? oldRow)?.label ?? name;
    const missing = weaknessOf(name);
    if (missing !== null) return { title, cost: null, missing };
    const cost = costOf(oldRow?.figures, (by) => {
      const [oldCost, newCost] = [oldRow?.change[by]?.estimate, newRow?.change[by]?.estimate];
      if (!oldCost || !newCost) return null;
      return { oldUs: oldCost.value, newUs: newCost.value, changeUs: welch(oldCost, newCost, rows) };
    });
    return { title, cost, missing: cost ? null : 'neither CPU time nor latency is in both results' };
  });
}

/**
 * Of a run in which the old is the baseline and the new is the scenario: one for each task, and for what was skipped. The
 * change is that of the pairs, without what both had in common; old and new are what a request takes.
 */
export function comparePairs({ tasks, suite }: Analysis): Comparison[] {
  const all = tasks.flatMap(({ title, baseline, rows }) => rows.map((row) => ({ title, baseline, row })));
  const rows = all.filter(({ row }) => weakness(row, 'this') === null).length;
  const measured = all.map(({ title, baseline, row }) => {
    const missing = weakness(row, 'this');
    if (missing !== null) return { title, cost: null, missing };
    const cost = costOf(baseline.figures, (by, oldUs) => {
      const changeUs = row.change[by] && estimate(row.change[by].differences, rows);
      return changeUs && { oldUs, newUs: oldUs + changeUs.value, changeUs };
    });
    return { title, cost, missing: cost ? null : 'nothing was measured' };
  });
  const skipped = suite.skipped.map(({ scenario, reason }) => ({ title: scenario, cost: null, missing: reason }));
  return [...measured, ...skipped];
}

/** Whether the interval of the change lies wholly above the limit. */
export function isAbove({ cost }: Comparison, { value, unit }: Limit): boolean {
  if (!cost) return false;
  return (unit === 'us' ? cost.changeUs.low : cost.relative.low * 100) > value;
}

function rowsByName({ tasks }: Analysis): Map<string, Row> {
  return new Map(tasks.flatMap(({ name, rows }) => rows.map((row) => [JSON.stringify([name, row.scenario]), row])));
}

/** Why a row can't be compared; null if it can. */
function weakness(row: Row | undefined, which: 'the old' | 'the new' | 'this'): string | null {
  if (!row) return `not in ${which} result`;
  if (row.invalid.length > 0) return `invalid in ${which} result: ${row.invalid[0]}`;
  return row.pairs < LEAST_PAIRS ? `fewer than ${LEAST_PAIRS} pairs in ${which} result` : null;
}

/** What `read` finds of CPU time, or else of latency, in µs a request; null if it finds neither. */
function costOf(
  old: Figures | null | undefined,
  read: (by: 'cpuUs' | 'latencyUs', totalUs: number) => { oldUs: number; newUs: number; changeUs: Interval } | null,
) {
  for (const by of ['cpuUs', 'latencyUs'] as const) {
    const totalUs = by === 'cpuUs' ? old?.cpuUs : old?.latencyUs?.mean;
    const found = totalUs ? read(by, totalUs) : null;
    if (!totalUs || !found) continue;
    const direction = found.changeUs.value > 0 ? ('worse' as const) : ('better' as const);
    const verdict = holdsZero(found.changeUs) ? ('~' as const) : direction;
    // `changeUs` is new minus old. The error of the total is left out: it is far smaller.
    return { by, ...found, relative: scaled(found.changeUs, 1 / totalUs), verdict };
  }
  return null;
}

/** What two results must share for their difference to come from what is compared: a line for each that differs. */
export function incomparable(old: Analysis, current: Analysis): string[] {
  const [before, after] = [traits(old, current), traits(current, old)];
  return Object.keys({ ...before, ...after })
    .filter((name) => before[name] !== after[name])
    .map((name) => `${name}: ${before[name] ?? 'none'} / ${after[name] ?? 'none'}`);
}

/** Of its tasks and proofs those alone that the other has, too: the rest is not compared. */
function traits({ suite, run, ...all }: Analysis, other: Analysis): Record<string, string> {
  const tasks = all.tasks.filter(({ name }) => other.tasks.some((each) => each.name === name));
  const proofs = all.proofs.filter(({ scenario }) => other.proofs.some((each) => each.scenario === scenario));
  const { environment, tool, configuration, pinning, keepAwake } = run;
  const { cpu, cores, memoryBytes, kernel, virtualization, runtime, packages } = environment;
  const machine = [cpu, `${cores} cores`, `${(memoryBytes / 1024 ** 3).toFixed(0)} GiB`, virtualization];
  return {
    machine: machine.filter(Boolean).join(', '),
    kernel,
    pinning: 'missing' in pinning ? 'not pinned' : 'pinned',
    // Costs read higher if idle cores sleep.
    'idle cores': 'missing' in keepAwake ? 'asleep' : 'kept awake',
    'load tool': [tool.name, tool.version, ...(tool.hosts ?? [])].join(' '),
    suite: suite.name,
    baseline: [...new Set(tasks.map(({ baseline }) => baseline.name))].join(', '),
    export: exportModes({ proofs }).join(', ') || 'nothing to export',
    connections: String(configuration.connections),
    rate: tasks.map(({ rate, rateShare }) => rateShare ?? rate ?? 'none').join(', '),
    runtime: `${runtime.name} ${runtime.version} (${runtime.revision})`,
    ...Object.fromEntries(Object.entries(packages).map(([name, version]) => [`package ${name}`, version])),
  };
}
