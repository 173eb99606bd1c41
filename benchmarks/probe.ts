/**
 * What the probe in every server costs: one server with it against one without it.
 *
 *     PATH=$PWD/.tools/bin:$PATH bun run benchmarks/probe.ts FILE [PAIRS]
 *
 * The measured pairs are kept in FILE. If FILE is there already, it is printed again and nothing is measured.
 */
import { existsSync } from 'node:fs';
import { markdownTable } from 'markdown-table';
import { analyse } from '../harness/analysis/analysis.ts';
import { halfWidth } from '../harness/analysis/estimate.ts';
import type { PlannedPair } from '../harness/measure/order.ts';
import { measurePair } from '../harness/measure/pair.ts';
import { suiteSummary } from '../harness/plan.ts';
import { readResult, writeResult } from '../harness/result/file.ts';
import type { Result } from '../harness/result/schema.ts';
import { measurePairs } from '../harness/run.ts';
import { benchmarkPlan } from './benchmark-plan.ts';

const [file = 'results/probe.json', pairs = '10'] = process.argv.slice(2);
const LEVELS = ['baseline', 'trace-10x'];

if (!existsSync(file)) await measure();
console.log(report(readResult(file)));

async function measure(): Promise<void> {
  const { planned, result } = await benchmarkPlan({ scenarios: LEVELS, pairs: Number(pairs), duration: 10 });
  const tasks = planned.suite.tasks.flatMap((task) =>
    task.scenarios.map((scenario) => {
      // The variable that loads the probe, taken back before the server starts.
      const command = ['env', '-u', 'BUN_OPTIONS', ...scenario.command];
      const baseline = { ...scenario, name: `${scenario.name} without`, command };
      return { ...task, name: scenario.name, baseline, scenarios: [scenario] };
    }),
  );
  result.suite = suiteSummary({ ...planned.suite, tasks }, planned.configuration.export);
  const measureNext = (pair: PlannedPair) => measurePair(planned, pair);
  await measurePairs(result, tasks, measureNext, () => writeResult(file, result));
}

function report(result: Result): string {
  const rows = analyse(result).tasks.map(({ rows: [row], baseline }) => {
    const { estimate } = row?.change.cpuUs ?? {};
    const ofUs = baseline.figures?.cpuUs ?? Number.NaN;
    const percent = (us: number) => `${((us / ofUs) * 100).toFixed(2)} %`;
    return [
      row?.title ?? '',
      String(row?.pairs),
      estimate ? `${percent(estimate.value)} ±${percent(halfWidth(estimate))}` : '-',
    ];
  });
  return markdownTable([['Server', 'Pairs', 'CPU per request with the probe'], ...rows]);
}
