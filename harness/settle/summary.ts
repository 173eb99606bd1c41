import { digest, redactRequest } from '../exchange/redact.ts';
import { ROOT } from '../load/find.ts';
import { loadCommand } from '../load/run-load.ts';
import type { PlannedRow } from '../plan/plan.ts';
import { exportModeOf, type PlannedServer } from '../plan/planned-server.ts';
import { loadOf } from '../plan/task-load.ts';
import { readable } from '../result/file.ts';
import { type ResultHeader, resultSchema, type Task } from '../result/schema.ts';
import { developmentSignOf } from '../server/development-mode.ts';
import { packagesOf } from '../software/imported-packages.ts';
import { runtimeOf } from '../software/runtimes.ts';
import { scenariosOf } from '../suite/select.ts';
import type { Exchange, Scenario, Suite, SuiteTask } from '../suite/suite.ts';
import { sweepPoints } from '../suite/sweep.ts';
import type { Setting } from './setting.ts';

type SuiteSummary = ResultHeader['suite'];

/**
 * Returns what a result says of its suite: what the result's schema names, and no more.
 * @param rows those of the suite
 */
export function summaryOf(
  suite: Suite,
  rows: readonly PlannedRow[],
  setting: Setting,
): SuiteSummary {
  const { tasks } = suite;
  const summary: SuiteSummary = {
    ...suite,
    comparesRevisions: suite.comparesRevisions || undefined,
    tasks: tasks.map((task) => taskSummary(task, setting)),
    sweep: sweepSummary(suite),
    scenarios: scenariosOf(tasks).map((scenario) => scenarioSummary(scenario, rows, setting)),
  };
  return readable(resultSchema.shape.suite, summary, 'What is known of the suite');
}

function sweepSummary({ sweep, tasks }: Suite): SuiteSummary['sweep'] {
  if (!sweep) return null;
  return {
    parameter: String(sweep.load ?? sweep.env),
    unit: sweep.unit,
    points: sweepPoints(tasks),
  };
}

function scenarioSummary(
  scenario: Scenario,
  rows: readonly PlannedRow[],
  { header }: Setting,
): SuiteSummary['scenarios'][number] {
  const servers = rows.flatMap((row) => [row.baseline, row.scenario]);
  const server = servers.find(({ name }) => name === scenario.name);
  return {
    ...scenario,
    trueCostUs: scenario.trueCostUs ?? null,
    export: exportModeOf(scenario, header.configuration.export),
    runtime: server ? runtimeOf(server) : null,
    serverDigest: server ? serverDigest(server) : undefined,
    developmentSign: (server && developmentSignOf(server)) ?? undefined,
    packages: server ? packagesOf(server) : {},
  };
}

/** Returns what tells servers apart that have one name: their values may be secret. */
function serverDigest({ command, env, cwd }: PlannedServer): string {
  return digest(JSON.stringify({ command, env, cwd }));
}

function taskSummary(task: SuiteTask, setting: Setting): Task {
  const connections = task.connections ?? setting.header.configuration.connections;
  return {
    ...task,
    rate: task.rate ?? null,
    rateShare: task.rateShare ?? null,
    connections,
    baseline: task.baseline.name,
    scenarios: task.scenarios.map(({ name }) => name),
    exchanges: task.exchanges.map(exchangeSummary),
    command: publishableCommand({ ...task, connections }, setting),
  };
}

/**
 * Returns the load tool's command with digests in place of secrets, and without the folder in which
 * tracetax is.
 */
function publishableCommand(
  task: SuiteTask & { connections: number },
  { tool, pinning, listen, header }: Setting,
): string[] {
  const load = loadOf(task, header.configuration.sliceSeconds);
  const requests = load.requests.map(({ weight, ...request }) => ({
    ...redactRequest(request),
    weight,
  }));
  const redactedLoad = { ...load, requests, origin: `http://${listen}:PORT` };
  return loadCommand(tool, redactedLoad, pinning).map((word) => word.replace(ROOT, '.'));
}

/**
 * Returns what a result says of an exchange: digests in place of all that may be secret or long.
 */
export function exchangeSummary({ request, answer, weight }: Exchange): Task['exchanges'][number] {
  const { method, path, headers, body, chunked } = redactRequest(request);
  return {
    method,
    path: path.replace(/\?.*/s, ''),
    weight,
    requestDigest: digest(JSON.stringify({ path, headers, body, chunked })),
    answerDigest: digest(JSON.stringify(answer)),
  };
}
