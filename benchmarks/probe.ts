/**
 * What the probe in every server costs: a server without it is the old one, with it the new one.
 *
 *     PATH=$PWD/.tools/bin:$PATH bun run benchmarks/probe.ts FILE [PAIRS]
 *
 * The measured pairs are kept in FILE. If FILE is there already, it is printed again and nothing is measured.
 */
import { existsSync } from 'node:fs';
import { analyse } from '../harness/analysis/analysis.ts';
import { comparePairs } from '../harness/analysis/compare.ts';
import type { PlannedPair } from '../harness/measure/order.ts';
import { measurePair } from '../harness/measure/pair.ts';
import { suiteSummary } from '../harness/plan.ts';
import { comparisonReport } from '../harness/report/comparison.ts';
import { readResult, writeResult } from '../harness/result/file.ts';
import { measurePairs } from '../harness/run.ts';
import { benchmarkPlan } from './benchmark-plan.ts';

const [file = 'results/probe.json', pairs = '10'] = process.argv.slice(2);
const LEVELS = ['baseline', 'trace-10x'];

if (!existsSync(file)) await measure();
const comparisons = comparePairs(analyse(readResult(file)));
console.log(comparisonReport({ comparisons, differences: [], limit: null, isPaired: true, remarks: [] }));

async function measure(): Promise<void> {
  const { planned, result } = await benchmarkPlan({ scenarios: LEVELS, pairs: Number(pairs), duration: 10 });
  const tasks = planned.suite.tasks.flatMap((task) =>
    task.scenarios.map((scenario) => {
      // The variable that loads the probe, taken back before the server starts.
      const command = ['env', '-u', 'BUN_OPTIONS', ...scenario.command];
      const baseline = { ...scenario, name: `${scenario.name} without`, command };
      return { ...task, name: scenario.name, title: scenario.title, baseline, scenarios: [scenario] };
    }),
  );
  result.suite = suiteSummary({ ...planned.suite, tasks }, planned.configuration.export);
  const measureNext = (pair: PlannedPair) => measurePair(planned, pair);
  await measurePairs(result, tasks, measureNext, () => writeResult(file, result));
  result.endedAt = new Date().toISOString();
  writeResult(file, result);
}
