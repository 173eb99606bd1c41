import type { Pair, Result, Side, Task } from '../result/schema.ts';
import { agreementOf } from './agreement.ts';
import { estimate } from './estimate.ts';
import { DIFFERENCES, figuresOf, known } from './figures.ts';
import { type Analysis, QUANTITIES, type Quantity, type Row, type TaskAnalysis } from './model.ts';
import { plannedPairs } from './outcome.ts';
import { verdictsOf } from './verdicts.ts';

const NOISE_FLOOR = 'Baseline against itself';

/** Everything that reports print, from what was measured. */
export function analyse(result: Result): Analysis {
  const { schemaVersion, kind, suite, proofs, pairs, ...run } = result;
  const tasks = suite.tasks.map((task) => analyseTask(result, task));
  return {
    suite: { name: suite.name, title: suite.title, skipped: suite.skipped },
    run: { ...run, pairs: { measured: pairs.length, planned: plannedPairs(result) } },
    tasks,
    proofs: proofs.map((proof) => {
      const scenario = scenarioOf(result, proof.scenario);
      const metrics = [...new Set(proof.metrics.map(({ name }) => name))];
      return { ...proof, title: scenario.title, export: scenario.export, metrics };
    }),
    verdicts: verdictsOf(result, tasks),
  };
}

function analyseTask(result: Result, task: Task): TaskAnalysis {
  const { name, title, bodyBytes, rate, baseline, scenarios } = task;
  const all = result.pairs.filter((pair) => pair.task === name);
  const pairsOf = (scenario: string) => all.filter((pair) => pair.scenario === scenario);
  const rowCounts = ofQuantities(
    (quantity) => scenarios.filter((scenario) => differencesOf(pairsOf(scenario), quantity)).length,
  );
  const rows = scenarios.map((scenario) => rowOf(result, scenario, pairsOf(scenario), rowCounts));
  const noiseFloor = rows.find(({ scenario }) => scenario === baseline);
  const figures = figuresOf(all.filter(isValid), 'baseline');
  return {
    name,
    title,
    bodyBytes,
    rate,
    baseline: { name: baseline, title: scenarioOf(result, baseline).title, figures },
    rows: rows.filter((row) => row !== noiseFloor),
    noiseFloor: noiseFloor && pairsOf(baseline).length > 0 ? { ...noiseFloor, title: NOISE_FLOOR } : null,
  };
}

/** `rowCounts`: of the rows in the same column, whose intervals hold together. */
function rowOf(result: Result, scenario: string, pairs: Pair[], rowCounts: Record<Quantity, number>): Row {
  const { title, trueCostUs } = scenarioOf(result, scenario);
  const usable = pairs.every(isValid) ? pairs : [];
  return {
    scenario,
    title,
    pairs: pairs.filter(isValid).length,
    invalid: pairs.flatMap(({ invalid }, index) => invalid.map((reason) => `pair ${index + 1}: ${reason}`)),
    figures: figuresOf(usable, 'scenario'),
    change: ofQuantities((quantity) => {
      const differences = differencesOf(pairs, quantity);
      return differences && { estimate: estimate(differences, rowCounts[quantity]), differences };
    }),
    agreement: agreementOf(usable, result.configuration.connections, rowCounts.latencyUs),
    trueCostsUs: trueCostUs === null ? null : trueCostsOf(pairs, trueCostUs),
    command: pairs[0]?.command ?? [],
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

function isValid({ invalid }: Pair): boolean {
  return invalid.length === 0;
}

function scenarioOf({ suite, configuration }: Result, name: string) {
  const unknown = { title: name, trueCostUs: null, export: configuration.export };
  return suite.scenarios.find((scenario) => scenario.name === name) ?? unknown;
}

function ofQuantities<Value>(read: (quantity: Quantity) => Value): Record<Quantity, Value> {
  return Object.fromEntries(QUANTITIES.map((quantity) => [quantity, read(quantity)])) as Record<Quantity, Value>;
}
