import { ONLY_TASK, type Scenario, type Suite, type SuiteTask } from './suite.ts';

/** The suite with a row for each value of its sweep, if it has one: of a variable a scenario, of the load a task. */
export function swept(suite: Suite): Suite {
  const { sweep, scenarios } = suite;
  if (!sweep) return suite;
  const { env: variable, load, values } = sweep;
  const tasks = suite.tasks.map((task) => ({
    ...task,
    curve: suite.tasks.length > 1 ? `${task.title}, ` : '',
  }));
  if (load) {
    // The baseline against itself is in the first alone: more of it would double the run.
    const step = (task: SuiteTask) =>
      values.map((value, at) => ofLoad(task, load, value, at === 0));
    return { ...suite, tasks: tasks.flatMap(step) };
  }
  const baselines = tasks.map(({ baseline }) => baseline);
  const variants = scenarios.map((each) =>
    baselines.includes(each)
      ? [each]
      : values.map((value) => variant(each, String(variable), value)),
  );
  const varied = (all: Scenario[]) =>
    all.flatMap((each) => variants[scenarios.indexOf(each)] ?? []);
  const ofTask = (task: SuiteTask) => ({ ...task, scenarios: varied(task.scenarios) });
  return { ...suite, scenarios: varied(scenarios), tasks: tasks.map(ofTask) };
}

function variant(scenario: Scenario, variable: string, value: number): Scenario {
  const { name, title, env } = scenario;
  const changed = {
    name: `${name}-${value}`,
    title: `${title}, ${variable}=${value}`,
    curve: title,
    value,
  };
  return { ...scenario, ...changed, env: { ...env, [variable]: String(value) } };
}

function ofLoad(
  task: SuiteTask,
  parameter: 'connections' | 'rate',
  value: number,
  hasBaseline: boolean,
): SuiteTask {
  const [name, title] = task.name === ONLY_TASK ? [parameter, ''] : [task.name, `${task.title}, `];
  const labels = { name: `${name}-${value}`, title: `${title}${parameter}=${value}` };
  const scenarios = task.scenarios.filter((each) => hasBaseline || each !== task.baseline);
  return { ...task, ...labels, [parameter]: value, scenarios, value };
}

/** Which rows are values of a sweep. */
export function pointsOf(tasks: SuiteTask[]) {
  return tasks.flatMap((task) =>
    task.scenarios.flatMap((scenario) => {
      const value = task.value ?? scenario.value;
      const curve = `${task.curve ?? ''}${scenario.curve ?? scenario.title}`;
      const isPoint = value !== undefined && scenario !== task.baseline;
      return isPoint ? [{ task: task.name, scenario: scenario.name, curve, value }] : [];
    }),
  );
}
