import { answerSchema, requestSchema } from '../exchange/request-schema.ts';
import {
  type Exchange,
  ONLY_TASK,
  type Scenario,
  type Suite,
  type SuiteTask,
  type WrittenSuite,
  type WrittenTask,
} from './suite.ts';

/** Returns the tasks of a suite file; if it names none, one that sends the suite's only request. */
export function tasksOf({ tasks, request, answer }: WrittenSuite): WrittenTask[] {
  if (tasks) return tasks;
  const exchange: Exchange = {
    request: request ?? requestSchema.parse({}),
    answer: answer ?? answerSchema.parse({}),
    weight: 1,
    telemetry: {},
  };
  return [{ name: ONLY_TASK, title: ONLY_TASK, exchanges: [exchange] }];
}

/** Returns the suite with scenarios in place of their names. It must have no issues. */
export function resolveSuite(written: WrittenSuite, tasks: readonly WrittenTask[]): Suite {
  const warmUp = tasks.find(({ name }) => name === written.warmUp);
  const { request, answer, warmUp: _, ...fields } = written;
  return {
    ...fields,
    title: written.title ?? written.name,
    prepare: written.prepare.map((command) => ({ command, cwd: written.cwd })),
    tasks: tasks.map((task) => resolveTask(written, task, warmUp)),
    comparesRevisions: false,
    skipped: [],
  };
}

/**
 * Returns the task with scenarios in place of their names. Its baseline is among them, unless the
 * task lists others.
 */
function resolveTask(
  suite: WrittenSuite,
  task: WrittenTask,
  warmUp: WrittenTask | undefined,
): SuiteTask {
  const baseline = task.baseline ?? suite.baseline;
  const names = task.scenarios && [baseline, ...task.scenarios];
  return {
    ...task,
    baseline: scenarioNamed(suite.scenarios, baseline),
    scenarios: suite.scenarios.filter(({ name }) => names?.includes(name) ?? true),
    // A task does not warm up itself.
    warmUp: warmUp && warmUp !== task ? warmUp.exchanges : [],
  };
}

function scenarioNamed(scenarios: readonly Scenario[], wanted: string): Scenario {
  const scenario = scenarios.find(({ name }) => name === wanted);
  if (scenario) return scenario;
  throw new Error(`there is no scenario ${wanted}`);
}
