import { type Reason, reasonOf } from '../result/faults.ts';
import { Problem } from '../words/errors.ts';
import type { Exchange, Scenario, Skipped, Suite, SuiteTask } from './suite.ts';

/** Names of the tasks and of the scenarios that the user wants; all if left out. */
export interface WantedNames {
  tasks?: string[] | undefined;
  scenarios?: string[] | undefined;
}

/** Returns every scenario of these tasks once, the baseline of each task before its others. */
export function scenariosOf(tasks: readonly SuiteTask[]): Scenario[] {
  return [...new Set(tasks.flatMap(({ baseline, scenarios }) => [baseline, ...scenarios]))];
}

/** Returns the folders in which the commands of a suite's scenarios run, each once. */
export function commandFoldersOf({ tasks, cwd }: Suite): string[] {
  return [...new Set(scenariosOf(tasks).map((scenario) => scenario.cwd ?? cwd))];
}

/** Returns all that a task sends, in its warm-up too. */
export function sentIn({ exchanges, warmUp }: Pick<SuiteTask, 'exchanges' | 'warmUp'>): Exchange[] {
  return [...exchanges, ...warmUp];
}

/**
 * Returns the suite with only the tasks and scenarios of these names, and their baselines.
 * @throws Problem for a name that the suite does not have
 */
export function select(suite: Suite, names: WantedNames): Suite {
  const tasks = selectByName(suite.name, 'task', suite.tasks, names.tasks);
  const scenarios = selectByName(suite.name, 'scenario', scenariosOf(tasks), names.scenarios);
  const kept = tasks.filter((task) => task.scenarios.some((each) => scenarios.includes(each)));
  return { ...suite, tasks: kept.map((task, index) => narrow(task, scenarios, index === 0)) };
}

/**
 * Returns the task with only these scenarios, and its baseline against itself if it had that, or is
 * the first.
 */
function narrow(task: SuiteTask, wanted: readonly Scenario[], isFirst: boolean): SuiteTask {
  const others = task.scenarios.filter((each) => each !== task.baseline && wanted.includes(each));
  // Of the values of a sweep, the first alone measures the baseline against itself: so does the
  // first that is left.
  const hasBaseline = isFirst || task.scenarios.includes(task.baseline);
  return { ...task, scenarios: hasBaseline ? [task.baseline, ...others] : others };
}

/**
 * Returns those that are named; all if no names are given.
 * @param kind what these are, for the message
 * @throws Problem for a name that the suite does not have
 */
export function selectByName<T extends { name: string }>(
  suiteName: string,
  kind: string,
  all: readonly T[],
  names?: readonly string[],
): T[] {
  if (names === undefined) return [...all];
  const known = all.map(({ name }) => name);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length === 0) return all.filter(({ name }) => names.includes(name));
  const cause = `Suite ${suiteName} has no ${kind} "${unknown.join('", "')}"`;
  throw new Problem(cause, `It has: ${known.join(', ')}`);
}

/**
 * Returns the suite without the scenario, and without the tasks of which it is the baseline.
 * Reports say the reason.
 */
export function withoutScenario(suite: Suite, scenario: Scenario, fault: Reason): Suite {
  const needsIt = ({ baseline }: SuiteTask) => baseline === scenario;
  const others = suite.tasks.filter((task) => !needsIt(task) && task.scenarios.includes(scenario));
  const entry: Skipped = {
    scenario: scenario.title,
    fault,
    tasks: others.map(({ name }) => name),
  };
  const left = withoutTasks(
    { ...suite, skipped: [...suite.skipped, entry] },
    needsIt,
    `its baseline ${scenario.title} was skipped`,
  );
  const tasks = left.tasks.map((task) => ({
    ...task,
    scenarios: task.scenarios.filter((each) => each !== scenario),
  }));
  return { ...left, tasks };
}

/** Returns the suite without the tasks for which `isDropped` holds. Reports say the reason. */
export function withoutTasks(
  suite: Suite,
  isDropped: (task: SuiteTask) => boolean,
  reason: string,
): Suite {
  const dropped = suite.tasks.filter(isDropped);
  return {
    ...suite,
    tasks: suite.tasks.filter((task) => !isDropped(task)),
    skipped: [...suite.skipped, ...dropped.map(({ title }) => skippedWhole(title, reason))],
  };
}

/** Returns the entry for something that has no rows at all. */
export function skippedWhole(title: string, reason: string): Skipped {
  return { scenario: title, fault: reasonOf(reason), tasks: [] };
}
