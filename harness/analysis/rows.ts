import type { Pair, Result, Side, Task } from '../result/schema.ts';
import { agreementOf } from './agreement.ts';
import { estimate } from './estimate.ts';
import { DIFFERENCES, figuresOf, known, QUANTITIES, type Quantity } from './figures.ts';
import { footprintOf } from './footprint.ts';
import { isValid, pairsOf } from './pairs.ts';

/** One comparison: what is sent, to which servers. */
export type TaskAnalysis = ReturnType<typeof analyseTask>;

/** One scenario against the baseline. */
export type Row = TaskAnalysis['rows'][number];

/** The rows of a task, from its pairs. */
export function analyseTask(result: Result, task: Task) {
  const { name, title, bodyBytes, rate, rateShare = null, baseline, scenarios } = task;
  const { connections } = { ...result.configuration, ...task };
  const prefix = result.suite.tasks.length > 1 ? `${title}: ` : '';
  const ofRows = scenarios.map((scenario) => pairsOf(result, name, scenario));
  const rowCounts = ofQuantities((quantity) => ofRows.filter((pairs) => differencesOf(pairs, quantity)).length);
  const rows = scenarios.map((scenario) => rowOf(result, task, prefix, scenario, rowCounts));
  const noiseFloor = rows.find(({ scenario, pairs, invalid }) => scenario === baseline && pairs + invalid.length > 0);
  const valid = pairsOf(result, name).filter(isValid);
  return {
    /** Before what is said of it among several tasks: its title. */
    prefix,
    ...{ name, title, bodyBytes, rate, rateShare, connections },
    baseline: {
      // A row without a change, for those who list both.
      ...{ scenario: undefined, change: null, pairs: null, invalid: [] },
      name: baseline,
      title: scenarioOf(result, baseline).title,
      label: prefix + scenarioOf(result, baseline).title,
      figures: figuresOf(valid, 'baseline'),
      footprint: footprintOf(result, name, baseline, 'baseline', valid),
    },
    /** In the suite's order, without the baseline. */
    rows: rows.filter(({ scenario }) => scenario !== baseline),
    /** The baseline against itself: what a difference of nothing looks like. Null if it has no pairs. */
    noiseFloor: noiseFloor ?? null,
  };
}

/** `rowCounts`: of the rows in the same column, whose intervals hold together. */
function rowOf(result: Result, task: Task, prefix: string, scenario: string, rowCounts: Record<Quantity, number>) {
  const { connections } = { ...result.configuration, ...task };
  const { title: ownTitle, trueCostUs } = scenarioOf(result, scenario);
  const title = scenario === task.baseline ? 'Baseline against itself' : ownTitle;
  const pairs = pairsOf(result, task.name, scenario);
  const usable = pairs.every(isValid) ? pairs : [];
  const change = ofQuantities((quantity) => {
    const differences = differencesOf(pairs, quantity);
    return differences && { estimate: estimate(differences, rowCounts[quantity]), differences };
  });
  const trueCostsUs = trueCostUs === null ? null : trueCostsOf(pairs, trueCostUs);
  const costErrors = trueCostsUs && change.cpuUs?.differences.map((us, pair) => us - (trueCostsUs[pair] ?? Number.NaN));
  return {
    scenario,
    title,
    /** Its title among the rows of all tasks. */
    label: prefix + title,
    /** Valid pairs. */
    pairs: pairs.filter(isValid).length,
    /** Why the row has no figures; empty if it has. */
    invalid: pairs.flatMap(({ invalid }, index) => invalid.map((reason) => `pair ${index + 1}: ${reason}`)),
    /** The scenario's own figures; null for an invalid row, and if nothing was measured. */
    figures: figuresOf(usable, 'scenario'),
    /** Scenario minus baseline, and the difference in each pair. Null if invalid, or if it was not measured. */
    change,
    // It holds in a closed loop.
    agreement: agreementOf(task.rate === null ? usable : [], connections, rowCounts.latencyUs),
    /** What it costs more than the baseline in each pair, if that is known. */
    trueCostsUs,
    /** Measured minus true CPU per request, in µs: the mean of the pairs' own errors. Null if one of the two is not known. */
    costError: costErrors ? estimate(costErrors, rowCounts.cpuUs) : null,
    /** The load tool's command in the first pair; empty if nothing was measured. */
    command: pairs[0]?.command ?? [],
    footprint: footprintOf(result, task.name, scenario, 'scenario', usable),
  };
}

/** Null if there are no pairs, if one is invalid, or if the quantity was not measured. */
function differencesOf(pairs: Pair[], quantity: Quantity): number[] | null {
  const differences = pairs.map(DIFFERENCES[quantity]);
  return pairs.length > 0 && pairs.every(isValid) && differences.every(Number.isFinite) ? differences : null;
}

/** What the servers of each pair measured of their known cost under load; if they did not, what the suite declares. */
function trueCostsOf(pairs: Pair[], declaredUs: number): number[] {
  const costUs = ({ usage }: Pair, side: Side) => usage[side]?.trueCostUs ?? Number.NaN;
  const measured = pairs.map((pair) => known(costUs(pair, 'scenario') - costUs(pair, 'baseline')) ?? declaredUs);
  return measured.length > 0 ? measured : [declaredUs];
}

/** As the suite has it, else known by its name alone. */
export function scenarioOf({ suite, configuration }: Result, name: string) {
  const unknown = { title: name, trueCostUs: null, export: configuration.export };
  return suite.scenarios.find((scenario) => scenario.name === name) ?? unknown;
}

function ofQuantities<Value>(read: (quantity: Quantity) => Value): Record<Quantity, Value> {
  return Object.fromEntries(QUANTITIES.map((quantity) => [quantity, read(quantity)])) as Record<Quantity, Value>;
}

/** How many pairs the run was to measure. */
export function plannedPairs({ suite, configuration }: Result): number {
  return suite.tasks.reduce((count, { scenarios }) => count + scenarios.length * configuration.pairs, 0);
}

/** All rows that have an interval, the baseline against itself last. */
export function rowsOf({ rows, noiseFloor }: Pick<TaskAnalysis, 'rows' | 'noiseFloor'>): Row[] {
  return noiseFloor ? [...rows, noiseFloor] : rows;
}
