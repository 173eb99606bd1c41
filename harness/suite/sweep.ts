import { ONLY_TASK, type Scenario, type Suite, type SuiteTask, type Sweep } from './suite.ts';

/** One row of a sweep: a point of a line. */
export interface SweepPoint {
  task: string;
  scenario: string;
  /** What the line is called. */
  curve: string;
  value: number;
}

/**
 * Returns the suite with a row for each value of its sweep: of a variable a scenario, of the load a
 * task.
 */
export function expandSweep(suite: Suite): Suite {
  const { sweep } = suite;
  if (!sweep) return suite;
  // Several tasks have a line each, so the name of the task is a part of the line's.
  const tasks = suite.tasks.map((task) => ({
    ...task,
    curvePrefix: suite.tasks.length > 1 ? `${task.title}, ` : '',
  }));
  return sweep.load
    ? { ...suite, tasks: tasks.flatMap((task) => sweepLoad(task, sweep)) }
    : sweepVariable({ ...suite, tasks }, sweep);
}

/**
 * Returns the suite with a scenario for each value of a variable in place of each scenario that is
 * no baseline.
 */
function sweepVariable(suite: Suite, { env: variable = '', values }: Sweep): Suite {
  const baselines = suite.tasks.map(({ baseline }) => baseline);
  const variants = new Map(
    suite.scenarios.map((scenario) => [
      scenario,
      baselines.includes(scenario)
        ? [scenario]
        : values.map((value) => withVariable(scenario, variable, value)),
    ]),
  );
  const expand = (scenarios: Scenario[]) => scenarios.flatMap((each) => variants.get(each) ?? []);
  return {
    ...suite,
    scenarios: expand(suite.scenarios),
    tasks: suite.tasks.map((task) => ({ ...task, scenarios: expand(task.scenarios) })),
  };
}

function withVariable(scenario: Scenario, variable: string, value: number): Scenario {
  return {
    ...scenario,
    name: `${scenario.name}-${value}`,
    title: `${scenario.title}, ${variable}=${value}`,
    env: { ...scenario.env, [variable]: String(value) },
    curve: scenario.title,
    value,
  };
}

/** Returns the task once for each value of a part of its load. */
function sweepLoad(task: SuiteTask, { load = 'rate', values }: Sweep): SuiteTask[] {
  const isOnly = task.name === ONLY_TASK;
  const namePrefix = isOnly ? load : task.name;
  const titlePrefix = isOnly ? '' : `${task.title}, `;
  const withoutBaseline = task.scenarios.filter((scenario) => scenario !== task.baseline);
  return values.map((value, index) => ({
    ...task,
    name: `${namePrefix}-${value}`,
    title: `${titlePrefix}${load}=${value}`,
    [load]: value,
    // The baseline against itself at every value would double the run.
    scenarios: index === 0 ? task.scenarios : withoutBaseline,
    value,
  }));
}

/**
 * Returns a point for each scenario that has a value of the sweep, without baselines; none if there
 * is no sweep.
 */
export function sweepPoints(tasks: readonly SuiteTask[]): SweepPoint[] {
  return tasks.flatMap((task) => {
    const others = task.scenarios.filter((scenario) => scenario !== task.baseline);
    return others.flatMap((scenario) => pointOf(task, scenario) ?? []);
  });
}

function pointOf(task: SuiteTask, scenario: Scenario): SweepPoint | undefined {
  const value = task.value ?? scenario.value;
  if (value === undefined) return undefined;
  const curve = (task.curvePrefix ?? '') + (scenario.curve ?? scenario.title);
  return { task: task.name, scenario: scenario.name, curve, value };
}
