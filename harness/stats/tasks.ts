import type { Result } from '../results/schema.ts';
import { ONLY_TASK } from '../suite/schema.ts';

export type TaskSummary = Result['suite']['tasks'][number];

/** The part of a result that is about one task, as if it were a run of its own. */
export interface TaskResult {
  task: TaskSummary;
  result: Result;
}

/** One for each task of the suite; the whole result where it has but one. */
export function taskResults(result: Result): TaskResult[] {
  return tasksOf(result).map((task) => ({
    task,
    result: {
      ...result,
      suite: {
        ...result.suite,
        baseline: task.baseline,
        scenarios: result.suite.scenarios.filter(({ name }) => task.scenarios.includes(name)),
      },
      soloRounds: result.soloRounds.filter((round) => round.task === task.name),
      duetForks: result.duetForks.filter((fork) => fork.task === task.name),
    },
  }));
}

function tasksOf({ suite }: Result): TaskSummary[] {
  if (suite.tasks.length > 0) return suite.tasks;
  const scenarios = suite.scenarios.map(({ name }) => name);
  const { title, baseline } = suite;
  return [{ name: ONLY_TASK, title, baseline, scenarios, requests: [], bodyBytes: null }];
}
