import { sum } from 'simple-statistics';
import { differences } from '../result/differences.ts';
import type { Result, Task } from '../result/schema.ts';
import type { Run } from './analysis.ts';
import { idleCores } from './core-use.ts';
import { estimate, holdsZero, type Interval, MIN_PAIRS, welch } from './estimate.ts';
import { isOfRevisions, type Row, type TaskAnalysis } from './rows.ts';

/** µs a request, or % of all that a request took before. */
export type Limit = { value: number; unit: 'us' | '%' };

/** What became of the CPU time that one row costs: null if it can't be compared, and then `missing` says why. */
export type Comparison = ReturnType<typeof comparison>;

/** One for each row of either result: of the new one first, then of those that only the old one has, and what was skipped. */
export function compareRuns(old: Run, current: Run): Comparison[] {
  const [before, after] = [rowsByName(old), rowsByName(current)];
  const all = [...new Map([...after, ...before])].map(([name, { label }]) => {
    const [was, is] = [before.get(name), after.get(name)];
    const missing = weakness(was, 'the old') ?? weakness(is, 'the new');
    return { label: is?.label ?? label, missing, was, is };
  });
  const rows = all.filter(({ missing }) => missing === null).length;
  const compared = all.map(({ label, missing, was, is }) => {
    const [oldCost, newCost] = [was?.change.cpuUs, is?.change.cpuUs];
    const changeUs = oldCost && newCost && welch(oldCost, newCost, rows);
    return comparison(label, missing, was?.figures?.cpuUs, changeUs, oldCost?.value);
  });
  // What the old result has is missing already.
  const known = new Set([...before.values()].map(({ title }) => title));
  return [...compared, ...skippedOf(current).filter(({ title }) => !known.has(title))];
}

function skippedOf({ header }: Run): Comparison[] {
  return header.suite.skipped.map(({ scenario, fault }) => comparison(scenario, fault.what));
}

/**
 * What each row of a run takes more than its baseline, with the intervals of its table; and what was skipped. Of two revisions
 * each row has a task, so there all rows make one table: those with too few pairs make no interval wider.
 */
export function costsOf(run: Run, quantity: 'cpuUs' | 'p99Us' = 'cpuUs'): Comparison[] {
  const { tasks } = run;
  const isPaired = isOfRevisions(run.header.suite);
  const together = tasks
    .flatMap(({ rows }) => rows)
    .filter((row) => weakness(row, 'this') === null).length;
  const measured = tasks.flatMap(({ title, baseline, rows }) =>
    rows.map((row) => {
      const own = row.change[quantity];
      const totalUs = baseline.figures?.[quantity];
      const changeUs = isPaired && own ? estimate(own.differences, together) : own;
      const unknown = quantity === 'p99Us' && !own ? 'its p99 was not measured' : null;
      return comparison(
        isPaired ? title : row.label,
        weakness(row, 'this') ?? unknown,
        totalUs,
        changeUs,
      );
    }),
  );
  return [...measured, ...skippedOf(run)];
}

/** `totalUs` is what a request took before, and `oldUs` the part of it that is compared. */
function comparison(
  title: string,
  missing: string | null,
  totalUs?: number | null,
  changeUs?: Interval | null,
  oldUs = totalUs,
) {
  if (missing !== null || !totalUs || typeof oldUs !== 'number' || !changeUs)
    return { title, cost: null, missing: missing ?? 'its CPU per request was not measured' };
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
export function directionOf({
  changeUs,
}: NonNullable<Comparison['cost']>): 'worse' | 'better' | null {
  if (holdsZero(changeUs)) return null;
  return changeUs.value > 0 ? 'worse' : 'better';
}

function rowsByName({ tasks }: Run): Map<string, Row> {
  return new Map(
    tasks.flatMap(({ rows }) => rows.map((row) => [JSON.stringify([row.task, row.scenario]), row])),
  );
}

/** Why a row can't be compared, or judged; null if it can. */
function weakness(row: Row | undefined, which: 'the old' | 'the new' | 'this'): string | null {
  if (!row) return `not in ${which} result`;
  if (row.faults[0]) return `invalid in ${which} result: ${row.faults[0].what}`;
  return row.pairs.length < MIN_PAIRS ? `fewer than ${MIN_PAIRS} pairs in ${which} result` : null;
}

/** What two results must share for their difference to come from what is compared: what differs, each once. */
export function incomparable(old: Run, current: Run): string[] {
  const inBoth = <Each extends { name: string }>(
    before: Each[],
    after: Each[],
    traits: (of: Each) => object,
  ) =>
    before.flatMap((one) =>
      after
        .filter(({ name }) => name === one.name)
        .flatMap((other) => differences('', traits(one), traits(other))),
    );
  const found = [
    ...differences('', settingOf(old), settingOf(current)),
    ...inBoth(old.tasks, current.tasks, loadOf),
    ...inBoth(old.header.suite.scenarios, current.header.suite.scenarios, softwareOf),
  ];
  return [...new Set(found)];
}

function settingOf({ header }: Run) {
  const { cpu, cores, memoryBytes, kernel, frequencyGovernor: governor } = header.environment;
  return {
    'method of tracetax': header.method ?? 1,
    machine: { cpu, cores, gib: Math.round(memoryBytes / 1024 ** 3), kernel, governor },
    // Costs read higher if they sleep.
    'idle cores': idleCores(header),
    ...{
      isPinned: !('missing' in header.pinning),
      'load tool': header.tool,
      suite: header.suite.name,
    },
  };
}

function loadOf({ name, baseline, connections, rate, rateShare, exchanges }: TaskAnalysis) {
  return {
    [name]: {
      baseline: baseline.scenario,
      connections,
      rate: rateShare ?? rate,
      request: requestsOf(exchanges),
    },
  };
}

const softwareOf = ({
  runtime,
  packages,
  export: mode,
  receiver,
}: Result['suite']['scenarios'][number]) => {
  return { runtime, package: packages, export: mode, receiver };
};

/** What is sent and expected, and the share of each, in an order of its own: a mix is sent at random. */
export function requestsOf(exchanges: Task['exchanges']): object[] {
  const all = sum(exchanges.map(({ weight }) => weight));
  const sent = exchanges.map(({ weight, ...exchange }) =>
    JSON.stringify({ ...exchange, share: weight / all }),
  );
  return sent.sort().map((each) => JSON.parse(each));
}
