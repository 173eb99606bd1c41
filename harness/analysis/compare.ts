import type { Configuration } from '../result/schema.ts';
import { type Analysis, exportModes } from './analysis.ts';
import { type Estimate, holdsZero, type Interval, scaled, tInterval } from './estimate.ts';
import { type Row, titledRows } from './task.ts';

/** With two pairs Student's factor is 12.7: such an interval says nothing. */
const LEAST_PAIRS = 3;

/** µs a request, or % of all that a request took before. */
export type Limit = NonNullable<Configuration['precision']>;

export type Comparison = ReturnType<typeof compareAnalyses>[number];

/** What became of the cost of each row of either result: of the new one first, then of those that only the old one has. */
export function compareAnalyses(old: Analysis, current: Analysis) {
  const [before, after] = [rowsByName(old), rowsByName(current)];
  const names = [...new Set([...after.keys(), ...before.keys()])];
  return names.map((name) => {
    const [oldRow, newRow] = [before.get(name), after.get(name)];
    const weak = weakness(oldRow, 'old') ?? weakness(newRow, 'new');
    const cost = oldRow && newRow && weak === null ? costChange(oldRow, newRow, names.length) : null;
    return {
      title: (newRow ?? oldRow)?.title ?? name,
      /** Null if it can't be compared. */
      cost,
      /** Why there is no cost; null if there is one. */
      missing: cost ? null : (weak ?? 'neither CPU time nor latency is in both results'),
    };
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

/** Why a row can't be compared; null if it can. */
export function weakness(row: Row | undefined, which: 'old' | 'new'): string | null {
  if (!row) return `not in the ${which} result`;
  if (row.invalid.length > 0) return `invalid in the ${which} result: ${row.invalid[0]}`;
  return row.pairs < LEAST_PAIRS ? `fewer than ${LEAST_PAIRS} pairs in the ${which} result` : null;
}

/** Costs are scenario minus baseline per request, in µs. Null if the results have neither quantity in common. */
function costChange(old: Row, current: Row, rows: number) {
  const by = (['cpuUs', 'latencyUs'] as const).find((quantity) => old.change[quantity] && current.change[quantity]);
  const [before, after] = by ? [old.change[by]?.estimate, current.change[by]?.estimate] : [];
  const totalUs = by === 'cpuUs' ? old.figures?.cpuUs : old.figures?.latencyUs?.mean;
  if (!by || !before || !after || !totalUs) return null;
  return changeOf(by, before.value, after.value, welch(before, after, rows), totalUs);
}

/** `totalUs`: all that a request took before, whose own error is left out: it is far smaller. */
export function changeOf(by: 'cpuUs' | 'latencyUs', oldUs: number, newUs: number, changeUs: Interval, totalUs: number) {
  const direction = changeUs.value > 0 ? ('worse' as const) : ('better' as const);
  return {
    /** CPU time of the server if there is any, else mean latency. */
    by,
    oldUs,
    newUs,
    /** New minus old; the interval holds together with those of the other rows. */
    changeUs,
    /** As a part of the total. */
    relative: scaled(changeUs, 1 / totalUs),
    verdict: holdsZero(changeUs) ? ('~' as const) : direction,
  };
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
  const { suite, run, tasks } = analysis;
  const { environment, tool, configuration, pinning, keepAwake } = run;
  const { cpu, cores, memoryBytes, kernel, virtualization, runtime, packages } = environment;
  const machine = [cpu, `${cores} cores`, `${(memoryBytes / 1024 ** 3).toFixed(0)} GiB`, virtualization];
  return new Map([
    ['machine', machine.filter(Boolean).join(', ')],
    ['kernel', kernel],
    ['pinning', 'missing' in pinning ? 'not pinned' : 'pinned'],
    // Costs read higher if idle cores sleep.
    ['idle cores', 'missing' in keepAwake ? 'asleep' : 'kept awake'],
    ['load tool', [tool.name, tool.version, ...(tool.hosts ?? [])].join(' ')],
    ['suite', suite.name],
    ['export', exportModes(analysis).join(', ') || 'nothing to export'],
    ['connections', String(configuration.connections)],
    ['rate', tasks.map(({ rate, rateShare }) => rateShare ?? rate ?? 'none').join(', ')],
    ['runtime', `${runtime.name} ${runtime.version} (${runtime.revision})`],
    ...Object.entries(packages).map(([name, version]): [string, string] => [`package ${name}`, version]),
  ]);
}
