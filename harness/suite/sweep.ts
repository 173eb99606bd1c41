import type { LoadedSuite, LoadedTask } from './load.ts';
import { ONLY_TASK, type Scenario } from './suite-schema.ts';

type Rows = Pick<LoadedSuite, 'tasks' | 'points'>;

/** The suite with a row for each value of its sweep, if it has one. */
export function swept(suite: LoadedSuite): LoadedSuite {
  if (!suite.sweep) return suite;
  const { env, load, values } = suite.sweep;
  return { ...suite, ...(load ? ofLoad(suite.tasks, load, values) : ofServers(suite.tasks, String(env), values)) };
}

/** A scenario for each value of a variable, in place of each that is no baseline. */
function ofServers(tasks: LoadedTask[], variable: string, values: number[]): Rows {
  const baselines = new Set(tasks.map(({ baseline }) => baseline));
  const scenarios = new Set(tasks.flatMap((task) => task.scenarios)).difference(baselines);
  const variants = new Map(
    [...scenarios].map((each) => [each, values.map((value) => withValue(each, variable, value))]),
  );
  return {
    tasks: tasks.map((task) => ({
      ...task,
      scenarios: task.scenarios.flatMap((each) => variants.get(each)?.map(({ scenario }) => scenario) ?? each),
    })),
    points: tasks.flatMap((task) =>
      task.scenarios.flatMap((each) =>
        (variants.get(each) ?? []).map(({ scenario, value }) => pointOf(task.name, scenario, titleOf(each), value)),
      ),
    ),
  };
}

function withValue(scenario: Scenario, variable: string, value: number) {
  const env = { ...scenario.env, [variable]: String(value) };
  const name = `${scenario.name}-${value}`;
  return { value, scenario: { ...scenario, name, title: `${titleOf(scenario)}, ${variable}=${value}`, env } };
}

/** A task for each value. The baseline against itself is in the first alone: more of it would double the run. */
function ofLoad(tasks: LoadedTask[], parameter: 'connections' | 'rate', values: number[]): Rows {
  const steps = tasks.flatMap((task) =>
    values.map((value, at) => {
      const name = `${task.name === ONLY_TASK ? parameter : task.name}-${value}`;
      const title = [task.title, `${parameter}=${value}`].filter(Boolean).join(', ');
      const others = task.scenarios.filter((each) => each !== task.baseline);
      const scenarios = at === 0 ? task.scenarios : others;
      return { task: { ...task, name, title, [parameter]: value, scenarios }, value, others };
    }),
  );
  return {
    tasks: steps.map(({ task }) => task),
    points: steps.flatMap(({ task, value, others }) =>
      others.map((each) => pointOf(task.name, each, titleOf(each), value)),
    ),
  };
}

function pointOf(task: string, { name }: Scenario, curve: string, value: number): Rows['points'][number] {
  return { task, scenario: name, curve, value };
}

function titleOf({ name, title = name }: Scenario): string {
  return title;
}
