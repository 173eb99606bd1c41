import type { Pair, Result, Task } from '../result/schema.ts';
import { agreementOf } from './agreement.ts';
import { DIFFERENCES, isWhole, meanOrNull, minus } from './differences.ts';
import { estimate } from './estimate.ts';
import { figuresOf } from './figures.ts';
import { type Analysis, QUANTITIES, type Quantity, type Row, type TaskAnalysis } from './model.ts';
import { plannedPairs } from './outcome.ts';
import { verdictsOf } from './verdicts.ts';

const NOISE_FLOOR = 'Baseline against itself';

/** Everything that reports print, from what was measured. */
export function analyse(result: Result): Analysis {
  const { name, title, skipped } = result.suite;
  const tasks = result.suite.tasks.map((task) => analyseTask(result, task));
  return {
    suite: { name, title, skipped },
    run: runOf(result),
    tasks,
    proofs: result.proofs.map(({ metrics, ...proof }) => ({
      ...proof,
      title: scenarioOf(result, proof.scenario).title,
      metrics: [...new Set(metrics.map((metric) => metric.name))],
    })),
    verdicts: verdictsOf(result, tasks),
  };
}

function runOf(result: Result): Analysis['run'] {
  const { startedAt, endedAt, stoppedBy, configuration, tool, pinning, keepAwake, cpuClock, environment } = result;
  const pairs = { measured: result.pairs.length, planned: plannedPairs(result) };
  return {
    startedAt,
    endedAt,
    stoppedBy,
    configuration,
    tool,
    pinning,
    keepAwake,
    cpuClock,
    environment,
    pairs,
  };
}

function analyseTask(result: Result, task: Task): TaskAnalysis {
  const pairs = result.pairs.filter((pair) => pair.task === task.name);
  const measured = task.scenarios.map((scenario) => measuredOf(pairs, scenario));
  const rowCounts = ofQuantities((quantity) => measured.filter((each) => each.differences[quantity]).length);
  const rows = measured.map((each) => rowOf(result, each, rowCounts));
  const noiseFloor = rows.find(({ scenario }) => scenario === task.baseline);
  const { title } = scenarioOf(result, task.baseline);
  return {
    name: task.name,
    title: task.title,
    requests: task.requests,
    bodyBytes: task.bodyBytes,
    baseline: { name: task.baseline, title, figures: figuresOf(pairs.filter(isValid), 'baseline') },
    rows: rows.filter((row) => row !== noiseFloor),
    noiseFloor: noiseFloor && noiseFloor.command.length > 0 ? { ...noiseFloor, title: NOISE_FLOOR } : null,
  };
}

/** One scenario's pairs. */
interface Measured {
  scenario: string;
  pairs: Pair[];
  invalid: string[];
  /** Null if a pair is invalid, or the quantity was not measured. */
  differences: Record<Quantity, number[] | null>;
}

function measuredOf(all: Pair[], scenario: string): Measured {
  const pairs = all.filter((pair) => pair.scenario === scenario);
  const invalid = pairs.flatMap((pair, index) => pair.invalid.map((reason) => `pair ${index + 1}: ${reason}`));
  const differences = ofQuantities((quantity) => {
    const values = pairs.map(DIFFERENCES[quantity]);
    return invalid.length === 0 && isWhole(values) ? values : null;
  });
  return { scenario, pairs, invalid, differences };
}

/** `rowCounts`: of the rows in the same column, whose intervals hold together. */
function rowOf(result: Result, measured: Measured, rowCounts: Record<Quantity, number>): Row {
  const { scenario, pairs, invalid } = measured;
  const usable = invalid.length === 0 ? pairs : [];
  const { title, trueCostUs } = scenarioOf(result, scenario);
  return {
    scenario,
    title,
    pairs: pairs.filter(isValid).length,
    invalid,
    figures: figuresOf(usable, 'scenario'),
    change: ofQuantities((quantity) => {
      const differences = measured.differences[quantity];
      return differences && { estimate: estimate(differences, rowCounts[quantity]), differences };
    }),
    agreement: agreementOf(usable, result.configuration.connections, rowCounts.latencyUs),
    trueCostUs: trueCostUs === null ? null : (measuredTrueCostUs(usable) ?? trueCostUs),
    command: pairs[0]?.command ?? [],
  };
}

/** What the servers themselves measured of their known cost, while they were under load. */
function measuredTrueCostUs(pairs: Pair[]): number | null {
  const knownUs = (side: Pair['usage']['scenario']) => side?.trueCostUs ?? null;
  return meanOrNull(pairs.map(({ usage }) => minus(knownUs(usage.scenario), knownUs(usage.baseline))));
}

function isValid({ invalid }: Pair): boolean {
  return invalid.length === 0;
}

function scenarioOf({ suite }: Result, name: string): { title: string; trueCostUs: number | null } {
  return suite.scenarios.find((scenario) => scenario.name === name) ?? { title: name, trueCostUs: null };
}

function ofQuantities<Value>(read: (quantity: Quantity) => Value): Record<Quantity, Value> {
  return Object.fromEntries(QUANTITIES.map((quantity) => [quantity, read(quantity)])) as Record<Quantity, Value>;
}
