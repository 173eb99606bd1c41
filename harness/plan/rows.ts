import type { Configuration } from '../result/schema.ts';
import { ONLY_TASK, type Scenario, type Suite, type SuiteTask } from '../suite/suite.ts';
import type { PlannedRow, PlannedTask } from './plan.ts';
import { type PlannedServer, plannedServer } from './planned-server.ts';

/** Returns a row for every scenario of every task of the suite. */
export function plannedRows(suite: Suite, configuration: Configuration): PlannedRow[] {
  return suite.tasks.flatMap((task) => rowsOfTask(suite, task, configuration));
}

/** Returns each server of these rows once, as the first of its rows starts it. */
export function serversOfRows(rows: readonly PlannedRow[]): PlannedServer[] {
  const servers = rows.flatMap(({ baseline, scenario }) => [baseline, scenario]);
  const byName = Map.groupBy(servers, ({ name }) => name);
  return [...byName.values()].flatMap(([first]) => first ?? []);
}

function rowsOfTask(suite: Suite, task: SuiteTask, configuration: Configuration): PlannedRow[] {
  const plannedTask: PlannedTask = {
    ...task,
    connections: task.connections ?? configuration.connections,
  };
  const serverOf = (scenario: Scenario) =>
    plannedServer(suite, task, scenario, configuration.export);
  const baseline = serverOf(task.baseline);
  return task.scenarios.map((scenario) => ({
    label: task.name === ONLY_TASK ? scenario.name : `${task.name}, ${scenario.name}`,
    task: plannedTask,
    baseline,
    scenario: scenario === task.baseline ? baseline : serverOf(scenario),
    mayBeUnlike: mayBeUnlike(task, scenario),
  }));
}

/** The baseline is like itself, and nearly like its other revisions. */
function mayBeUnlike({ baseline }: SuiteTask, scenario: Scenario): boolean {
  const isRevision =
    scenario.revisionOf !== undefined && scenario.revisionOf === baseline.revisionOf;
  return !isRevision && scenario !== baseline;
}
