import type { Reason } from '../result/faults.ts';
import type { Pair, Result, Side, Task } from '../result/schema.ts';
import { estimate } from './estimate.ts';
import {
  difference,
  figuresOf,
  footprintOf,
  QUANTITIES,
  type Quantity,
  slicesOf,
} from './figures.ts';

/** One comparison: what is sent, to which servers. */
export type TaskAnalysis = ReturnType<typeof analyseTask>;
/** What the scenarios of a task are compared with: it has figures, and no changes. */
export type Baseline = TaskAnalysis['baseline'];
/** One scenario against the baseline, with its pairs. */
export type Row = TaskAnalysis['rows'][number];

/** A task of a result, with its rows. Here alone pairs are grouped, and cleaned. */
export function analyseTask(result: Result, task: Task) {
  const { name, title, baseline, scenarios, ...sent } = task;
  const prefix = result.suite.tasks.length > 1 ? `${title}: ` : '';
  /** `pairs`: without faults. */
  const serverOf = (scenario: string, side: Side, pairs: Pair[]) => {
    const { title, export: exportMode } = scenarioOf(result, scenario);
    const shown = side === 'scenario' && scenario === baseline ? 'Baseline against itself' : title;
    return {
      /** `label`: its title among the rows of all tasks. */
      ...{ scenario, title: shown, label: prefix + shown },
      /** Null for an invalid row, and if nothing was measured. */
      figures: figuresOf(pairs, side),
      footprint: footprintOf(result, task, scenario, side),
      /** What was proved before anything was measured; null if the scenario claims nothing. */
      proof: result.proofs.find((proof) => proof.scenario === scenario) ?? null,
      export: exportMode,
    };
  };
  const counted = scenarios.map((scenario) => {
    const measured = result.pairs.filter(
      (pair) => pair.task === name && pair.scenario === scenario,
    );
    const pairs = measured.map(cleaned);
    const usable = pairs.every(isValid) ? pairs : [];
    return {
      scenario,
      measured,
      pairs,
      usable,
      differences: ofQuantities((of) => differencesOf(usable, of)),
    };
  });
  const rowCounts = ofQuantities(
    (of) => counted.filter(({ differences }) => differences[of]).length,
  );
  const rows = counted.map(({ scenario, measured, pairs, usable, differences }) => {
    const { trueCostUs, receiver } = scenarioOf(result, scenario);
    const trueCostsUs =
      trueCostUs === null ? null : pairs.map((pair) => trueCostOf(pair, trueCostUs));
    const errors =
      trueCostsUs && differences.cpuUs?.map((us, pair) => us - (trueCostsUs[pair] ?? Number.NaN));
    const slices = measured.flatMap(slicesOf);
    const reasons = slices.flatMap(({ late }) => late ?? []);
    return {
      task: name,
      ...serverOf(scenario, 'scenario', usable),
      /** Without late slices; the row is invalid if one of them has a fault. */
      pairs,
      faults: pairs.flatMap((pair) => pair.faults),
      /** How many of the slices were left out because the rate was not held, and why. */
      leftOut: { count: reasons.length, of: slices.length, why: reasons[0] },
      /** Scenario minus baseline. Null if invalid, or if it was not measured. */
      change: ofQuantities((of) => differences[of] && estimate(differences[of], rowCounts[of])),
      /** What it costs more than the baseline in each pair, if that is known. */
      trueCostsUs,
      /** Measured minus true CPU per request, in µs: the mean of the pairs' own errors. Null if one of them is not known. */
      costError: errors ? estimate(errors, rowCounts.cpuUs) : null,
      /** How its sink behaves, if that is what is measured. */
      receiver,
    };
  });
  const valid = counted.flatMap(({ pairs }) => pairs.filter(isValid));
  return {
    ...{ name, title, prefix, ...sent },
    baseline: serverOf(baseline, 'baseline', valid),
    /** In the suite's order, without the baseline. */
    rows: rows.filter(({ scenario }) => scenario !== baseline),
    /** The baseline against itself: what a difference of nothing looks like. Null if it has no pairs. */
    noiseFloor:
      rows.find(({ scenario, pairs }) => scenario === baseline && pairs.length > 0) ?? null,
  };
}

function differencesOf(pairs: Pair[], quantity: Quantity): number[] | null {
  const all = pairs.map((pair) => difference(pair, quantity));
  return all.length > 0 && all.every(Number.isFinite) ? all : null;
}

/** What the servers of a pair measured of their known cost under load; if they did not, what the suite declares. */
function trueCostOf({ usage }: Pair, declaredUs: number): number {
  const costUs = (side: Side) => usage[side].probe?.trueCostUs ?? Number.NaN;
  const measuredUs = costUs('scenario') - costUs('baseline');
  return Number.isFinite(measuredUs) ? measuredUs : declaredUs;
}

/** As the suite has it, else known by its name alone. */
function scenarioOf({ suite, configuration }: Result, name: string) {
  const unknown = {
    title: name,
    trueCostUs: null,
    export: configuration.export,
    receiver: undefined,
  };
  return suite.scenarios.find((scenario) => scenario.name === name) ?? unknown;
}

function ofQuantities<Value>(read: (quantity: Quantity) => Value): Record<Quantity, Value> {
  return Object.fromEntries(QUANTITIES.map((quantity) => [quantity, read(quantity)])) as Record<
    Quantity,
    Value
  >;
}

/** The pair without slices in which a steady rate was not held: what they show is another load. */
function cleaned(pair: Pair): Pair {
  const isHeld = ({ late }: { late: string | null }) => late === null;
  if (slicesOf(pair).every(isHeld)) return pair;
  const { baseline, scenario } = pair.usage;
  return {
    ...pair,
    alternating: pair.alternating.filter(isHeld),
    duets: pair.duets.filter(isHeld),
    // CPU times of user and system are those of all slices.
    usage: { baseline: { ...baseline, cpuUs: null }, scenario: { ...scenario, cpuUs: null } },
  };
}

export function isValid({ faults }: Pair): boolean {
  return faults.length === 0;
}

/** Whether a run compares two revisions, or two versions of a package: its scenarios are named so (suite/pair-revisions.ts). */
export function isOfRevisions({ tasks }: Pick<Result['suite'], 'tasks'>): boolean {
  return tasks.every(
    ({ baseline, scenarios }) =>
      baseline.endsWith('.old') && scenarios.every((each) => each.endsWith('.new')),
  );
}

/** All rows that have an interval, the baseline against itself last. */
export function rowsOf({ rows, noiseFloor }: Pick<TaskAnalysis, 'rows' | 'noiseFloor'>): Row[] {
  return noiseFloor ? [...rows, noiseFloor] : rows;
}

/** The baseline and the scenarios, each once. */
export function serversOf({ baseline, rows }: TaskAnalysis): (Baseline | Row)[] {
  return [baseline, ...rows];
}

/** Whether the suite asks what servers take beside their work, also if a sink does not take their spans: it compares products. */
export function hasFootprint({ tasks }: { tasks: TaskAnalysis[] }): boolean {
  return tasks.some(({ rows }) => rows.some(({ footprint, receiver }) => footprint ?? receiver));
}

/** As rowsOf(); products in the order of their cost, and those last that have none. */
export function sortedRows(run: { tasks: TaskAnalysis[] }, task: TaskAnalysis): Row[] {
  if (!hasFootprint(run)) return rowsOf(task);
  const costOf = ({ change }: Row) =>
    (change.cpuUs ?? change.latencyUs)?.value ?? Number.POSITIVE_INFINITY;
  return rowsOf({ ...task, rows: task.rows.toSorted((one, other) => costOf(one) - costOf(other)) });
}

/** Such as `requests failed (base, duet slice 1, 7 times): status 500`. */
export function faultText({ what, detail, scenario, slice, count }: Reason): string {
  const times = count > 1 ? `${count} times` : null;
  const where = [scenario, slice && `${slice.kind} slice ${slice.number}`, times]
    .filter(Boolean)
    .join(', ');
  return `${what}${where && ` (${where})`}${detail && `: ${detail}`}`;
}
