import { type LoadedSuite, type LoadedTask, ONLY_TASK, type Scenario } from './suite-schema.ts';

type Rows = Pick<LoadedSuite, 'scenarios' | 'tasks' | 'points'>;

/** The suite with a row for each value of its sweep, if it has one. */
export function swept(suite: LoadedSuite): LoadedSuite {
  if (!suite.sweep) return suite;
  const { env, load, values } = suite.sweep;
  return { ...suite, ...(load ? ofLoad(suite, load, values) : ofServers(suite, String(env), values)) };
}

/** A scenario for each value of a variable, in place of each that is no baseline. */
function ofServers({ tasks, scenarios }: LoadedSuite, variable: string, values: number[]): Rows {
  const baselines = new Set(tasks.map(({ baseline }) => baseline));
  const changed = scenarios.filter((each) => !baselines.has(each));
  const variants = new Map(changed.map((each) => [each, values.map((value) => variant(each, variable, value))]));
  const varied = (all: Scenario[]) => all.flatMap((scenario) => variants.get(scenario) ?? scenario);
  return {
    scenarios: varied(scenarios),
    tasks: tasks.map((task) => ({ ...task, scenarios: varied(task.scenarios) })),
    points: tasks.flatMap((task) =>
      task.scenarios.flatMap((each) =>
        (variants.get(each) ?? []).map(({ name }, index) => {
          return { task: task.name, scenario: name, curve: curveOf(each, task, tasks), value: values[index] as number };
        }),
      ),
    ),
  };
}

function variant(scenario: Scenario, variable: string, value: number): Scenario {
  const { name, title, env } = scenario;
  const changed = { name: `${name}-${value}`, title: `${title}, ${variable}=${value}` };
  return { ...scenario, ...changed, env: { ...env, [variable]: String(value) } };
}

/** A task for each value. The baseline against itself is in the first alone: more of it would double the run. */
function ofLoad({ tasks, scenarios }: LoadedSuite, parameter: 'connections' | 'rate', values: number[]): Rows {
  const steps = tasks.flatMap((task) => {
    const [name, title] = task.name === ONLY_TASK ? [parameter, ''] : [task.name, `${task.title}, `];
    const changed = task.scenarios.filter((each) => each !== task.baseline);
    return values.map((value, index) => {
      const labels = { name: `${name}-${value}`, title: `${title}${parameter}=${value}` };
      const curve = (each: Scenario) => curveOf(each, task, tasks);
      return {
        task: { ...task, ...labels, [parameter]: value, scenarios: index === 0 ? task.scenarios : changed },
        points: changed.map((each) => ({ task: labels.name, scenario: each.name, curve: curve(each), value })),
      };
    });
  });
  return { scenarios, tasks: steps.map(({ task }) => task), points: steps.flatMap(({ points }) => points) };
}

/** What its line is called: tasks have lines of their own. */
function curveOf({ title }: Scenario, task: LoadedTask, tasks: LoadedTask[]): string {
  return tasks.length > 1 ? `${task.title}, ${title}` : title;
}
