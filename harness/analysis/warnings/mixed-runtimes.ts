import type { Result } from '../../result/schema.ts';
import { listed } from '../../words/text.ts';
import { type MeasuredRun, serversOf, type TaskAnalysis } from '../rows.ts';
import { type Finding, finding } from './finding.ts';

type Scenario = Result['suite']['scenarios'][number];

/** Tasks whose servers ran on several runtimes, or on several versions of one. */
export function findMixedRuntimes({ tasks, header }: MeasuredRun): Finding[] {
  return tasks.flatMap((task) => {
    const runtimes = runtimesOf(task, header.suite.scenarios);
    const seen = `servers ran on ${listed(runtimes)}`;
    const text = `${task.prefix}Differences are those of runtimes, too: ${seen}`;
    return runtimes.length > 1 ? [finding(text, 'Compare only rows of the same runtime')] : [];
  });
}

function runtimesOf(task: TaskAnalysis, scenarios: Scenario[]): string[] {
  const names = serversOf(task).map(({ scenario }) => scenario);
  const runtimes = scenarios
    .filter(({ name }) => names.includes(name))
    .flatMap(({ runtime }) => (runtime ? `${runtime.name} ${runtime.version}` : []));
  return [...new Set(runtimes)];
}
