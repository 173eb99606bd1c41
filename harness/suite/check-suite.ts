import type { Scenario, WrittenSuite, WrittenTask } from './suite.ts';

/** What is wrong with a suite file, and at which of its fields. */
export interface SuiteIssue {
  path: (string | number)[];
  message: string;
}

/** What has a name that others may use. */
interface Named {
  name: string;
}

/**
 * Returns what is wrong with a suite whose fields are right, each for itself. To add a check, add a
 * line.
 */
export function issuesOf(suite: WrittenSuite, tasks: readonly WrittenTask[]): SuiteIssue[] {
  return [
    ...requestBesideTasks(suite),
    ...repeatedNames('scenarios', suite.scenarios),
    ...repeatedNames('services', suite.services),
    ...repeatedNames('tasks', tasks),
    ...unknownNames(['baseline'], [suite.baseline], 'scenarios', suite.scenarios),
    ...unknownHeadline(suite),
    ...suite.scenarios.flatMap((scenario, index) => [
      ...unknownServices(suite, scenario, index),
      ...repeatedServer(suite, scenario, index),
    ]),
    ...unfitWarmUp(suite, tasks),
    ...tasks.flatMap((task, index) => unknownScenarios(suite, task, index)),
  ];
}

function requestBesideTasks({ request, answer, tasks }: WrittenSuite): SuiteIssue[] {
  if (!tasks || !(request || answer)) return [];
  const message = 'stands in place of "request" and "answer": give one or the other';
  return [{ path: ['tasks'], message }];
}

function repeatedNames(field: string, all: readonly Named[]): SuiteIssue[] {
  const byName = Map.groupBy(all, ({ name }) => name);
  const repeated = [...byName].filter(([, { length }]) => length > 1);
  return repeated.map(([name]) => ({ path: [field], message: `"${name}" appears twice` }));
}

function unknownNames(
  path: SuiteIssue['path'],
  names: readonly string[],
  kind: 'scenarios' | 'services',
  known: readonly Named[],
): SuiteIssue[] {
  const knownNames = known.map(({ name }) => name);
  const unknown = names.filter((name) => !knownNames.includes(name));
  const list = knownNames.join(', ') || 'none';
  return unknown.map((name) => ({
    path,
    message: `"${name}" is not one of the ${kind} (${list})`,
  }));
}

function unknownHeadline({ headline, scenarios }: WrittenSuite): SuiteIssue[] {
  const names = headline === undefined ? [] : [headline];
  return unknownNames(['headline'], names, 'scenarios', scenarios);
}

function unknownServices({ services }: WrittenSuite, scenario: Scenario, index: number) {
  const text = JSON.stringify([scenario.command, scenario.env]);
  const names = [...text.matchAll(/\{service:([^}"]*)\}/g)].map(([, name = '']) => name);
  return unknownNames(['scenarios', index], names, 'services', services);
}

/**
 * A scenario that does not say what it records, and starts the server of a baseline that does,
 * would be compared with itself.
 */
function repeatedServer(
  { scenarios, baseline: baselineName }: WrittenSuite,
  scenario: Scenario,
  index: number,
): SuiteIssue[] {
  const baseline = scenarios.find(({ name }) => name === baselineName);
  if (!baseline?.telemetry || scenario.telemetry) return [];
  if (!Bun.deepEquals(startOf(scenario), startOf(baseline))) return [];
  const message = `starts the same server as "${baseline.name}": let "command" or "env" differ`;
  return [{ path: ['scenarios', index], message }];
}

/** Returns what decides which server a scenario starts. */
function startOf({ command, env, cwd, receiver }: Scenario): Partial<Scenario> {
  return { command, env, cwd, receiver };
}

function unfitWarmUp({ warmUp }: WrittenSuite, tasks: readonly WrittenTask[]): SuiteIssue[] {
  const task = tasks.find(({ name }) => name === warmUp);
  if (warmUp === undefined || task?.exchanges.length === 1) return [];
  return [{ path: ['warmUp'], message: `"${warmUp}" is not a task with exactly one request` }];
}

function unknownScenarios({ scenarios }: WrittenSuite, task: WrittenTask, index: number) {
  const baselines = task.baseline === undefined ? [] : [task.baseline];
  const names = [...baselines, ...(task.scenarios ?? [])];
  return unknownNames(['tasks', index], names, 'scenarios', scenarios);
}
