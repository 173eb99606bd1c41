import { type Reason, reasonOf } from '../result/faults.ts';
import { Problem } from '../words/errors.ts';
import type { Exchange, Scenario, Suite, SuiteTask } from './suite.ts';

/** Every scenario of these tasks once, their baselines first. */
export function scenariosOf(tasks: SuiteTask[]): Scenario[] {
  return [...new Set(tasks.flatMap(({ baseline, scenarios }) => [baseline, ...scenarios]))];
}

/** What a task sends, in its warm-up too. */
export function sentIn({ exchanges, warmUp }: Pick<SuiteTask, 'exchanges' | 'warmUp'>): Exchange[] {
  return [...exchanges, ...warmUp];
}

/** The suite without the scenario, and without the tasks of which it is the baseline; reports say the reason. */
export function withoutScenario(suite: Suite, scenario: Scenario, fault: Reason): Suite {
  const isLost = ({ baseline }: SuiteTask) => baseline === scenario;
  const others = suite.tasks.filter((task) => !isLost(task) && task.scenarios.includes(scenario));
  const skipped = [
    ...suite.skipped,
    { scenario: scenario.title, fault, tasks: others.map(({ name }) => name) },
  ];
  const left = withoutTasks(
    { ...suite, skipped },
    isLost,
    `its baseline ${scenario.title} was skipped`,
  );
  const without = (scenarios: Scenario[]) => scenarios.filter((each) => each !== scenario);
  return {
    ...left,
    tasks: left.tasks.map((task) => ({ ...task, scenarios: without(task.scenarios) })),
  };
}

/** The suite without such tasks; reports say `what` the reason is. */
export function withoutTasks(
  suite: Suite,
  isLost: (task: SuiteTask) => boolean,
  what: string,
): Suite {
  const lost = suite.tasks.filter(isLost).map(({ title }) => skippedFor(title, what));
  return {
    ...suite,
    tasks: suite.tasks.filter((task) => !isLost(task)),
    skipped: [...suite.skipped, ...lost],
  };
}

/** An entry of `skipped` for something that has no rows at all. */
export function skippedFor(title: string, what: string): Suite['skipped'][number] {
  return { scenario: title, fault: reasonOf(what), tasks: [] };
}

/** Names of tasks and of scenarios that the user wants; all if left out. */
export type Names = Partial<Record<'tasks' | 'scenarios', string[] | undefined>>;

/** The suite with only the named tasks and scenarios, and their baselines. @throws Problem for a name it lacks. */
export function select(suite: Suite, names: Names): Suite {
  const tasks = chosen(suite.name, 'task', suite.tasks, names.tasks);
  const scenarios = chosen(suite.name, 'scenario', scenariosOf(tasks), names.scenarios);
  const kept = tasks.filter((task) => task.scenarios.some((each) => scenarios.includes(each)));
  const narrowed = (task: SuiteTask, index: number): SuiteTask => {
    const others = task.scenarios.filter(
      (each) => each !== task.baseline && scenarios.includes(each),
    );
    // Of values of a sweep, it is measured against itself in the first.
    const hasBaseline = index === 0 || task.scenarios.includes(task.baseline);
    return { ...task, scenarios: hasBaseline ? [task.baseline, ...others] : others };
  };
  return { ...suite, tasks: kept.map(narrowed) };
}

/** Those that are named; all if no names are given. @throws Problem for a name that the suite does not have. */
export function chosen<Named extends { name: string }>(
  suite: string,
  what: string,
  all: Named[],
  names?: string[],
) {
  const unknown = names?.filter((name) => !all.some((each) => each.name === name)) ?? [];
  if (unknown.length === 0) return all.filter(({ name }) => names?.includes(name) ?? true);
  const known = all.map(({ name }) => name).join(', ');
  throw new Problem(`Suite ${suite} has no ${what} "${unknown.join('", "')}"`, `It has: ${known}`);
}
