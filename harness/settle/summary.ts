import { digest, redactedRequest } from '../exchange/redact.ts';
import { ROOT } from '../load/find.ts';
import { loadCommand } from '../load/run-load.ts';
import { loadOf, type Plan, type PlannedRow } from '../plan/plan.ts';
import { exportModeOf } from '../plan/planned-server.ts';
import { readable } from '../result/file.ts';
import { type Result, resultSchema, type Task } from '../result/schema.ts';
import { runtimeOf, versionsOf } from '../software/packages.ts';
import { scenariosOf } from '../suite/select.ts';
import type { Exchange, LoadedSuite, LoadedTask, Scenario } from '../suite/suite-schema.ts';
import { pointsOf } from '../suite/sweep.ts';

type Setting = Pick<Plan, 'tool' | 'pinning' | 'listen'> & {
  header: Pick<Plan['header'], 'configuration'>;
};

/** What a result says of its suite: what its schema names, and no more. `rows` are those that the suite has. */
export function summaryOf(
  suite: LoadedSuite,
  rows: PlannedRow[],
  setting: Setting,
): Result['suite'] {
  const { tasks, sweep } = suite;
  const summary: Result['suite'] = {
    ...suite,
    tasks: tasks.map((task) => taskSummary(task, setting)),
    sweep: sweep
      ? { parameter: String(sweep.load ?? sweep.env), unit: sweep.unit, points: pointsOf(tasks) }
      : null,
    scenarios: scenariosOf(tasks).map((scenario) => scenarioSummary(scenario, rows, setting)),
  };
  return readable(resultSchema.shape.suite, summary, 'What is known of the suite');
}

function scenarioSummary(scenario: Scenario, rows: PlannedRow[], { header }: Setting) {
  const { name, trueCostUs = null } = scenario;
  const server = rows
    .flatMap((row) => [row.baseline, row.scenario])
    .find((each) => each.name === name);
  return {
    ...{ ...scenario, trueCostUs },
    export: exportModeOf(scenario, header.configuration.export),
    runtime: server ? runtimeOf(server) : null,
    packages: server ? versionsOf(server) : {},
  };
}

function taskSummary(task: LoadedTask, { tool, pinning, listen, header }: Setting): Task {
  const { rate = null, rateShare = null, connections = header.configuration.connections } = task;
  const load = loadOf({ ...task, connections }, header.configuration.sliceSeconds);
  const requests = load.requests.map(({ weight, ...request }) => ({
    ...redactedRequest(request),
    weight,
  }));
  return {
    ...{ ...task, rate, rateShare, connections },
    baseline: task.baseline.name,
    scenarios: task.scenarios.map(({ name }) => name),
    exchanges: task.exchanges.map(exchangeSummary),
    // As it may be published: without the folder in which tracetax is.
    command: loadCommand(tool, { ...load, requests, origin: `http://${listen}:PORT` }, pinning).map(
      (word) => word.replace(ROOT, '.'),
    ),
  };
}

export function exchangeSummary({ request, answer, weight }: Exchange): Task['exchanges'][number] {
  const { method, path, headers, body, chunked } = redactedRequest(request);
  return {
    ...{ method, path: path.replace(/\?.*/s, ''), weight },
    requestDigest: digest(JSON.stringify({ path, headers, body, chunked })),
    answerDigest: digest(JSON.stringify(answer)),
  };
}
