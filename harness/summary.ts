import { readFileSync, statSync } from 'node:fs';
import { loadCommand } from './load/run-load.ts';
import { loadOf } from './pair/sides.ts';
import type { PlannedRow } from './plan.ts';
import type { Result, Task } from './result/schema.ts';
import { installedBytes, runtimeOf, versionsOf } from './server/packages.ts';
import type { Setting } from './setting.ts';
import { exportModeOf } from './suite/planned.ts';
import { scenariosOf } from './suite/select.ts';
import type { Exchange, LoadedSuite, LoadedTask, Request, Scenario } from './suite/suite-schema.ts';

/** What a result says of its suite. `rows` are those that the suite has. */
export function summaryOf(suite: LoadedSuite, rows: PlannedRow[], setting: Setting): Result['suite'] {
  const { name, title, tasks, skipped, isInstrumentation, isLadder, remarks, sweep, points } = suite;
  return {
    ...{ name, title, skipped, isInstrumentation, isLadder, remarks },
    tasks: tasks.map((task) => taskSummary(task, rows, setting)),
    sweep: sweep ? { parameter: String(sweep.load ?? sweep.env), unit: sweep.unit, points } : null,
    scenarios: scenariosOf(tasks).map((scenario) => scenarioSummary(scenario, rows, setting)),
  };
}

function scenarioSummary({ name, title, ...scenario }: Scenario, rows: PlannedRow[], { header }: Setting) {
  const servers = rows.flatMap((row) => [row.baseline, row.scenario]);
  const server = servers.find((each) => each.name === name);
  return {
    name,
    title,
    trueCostUs: scenario.trueCostUs ?? null,
    installedBytes: scenario.packages === undefined ? null : installedBytes(scenario.packages),
    export: exportModeOf({ name, title, ...scenario }, header.configuration.export),
    runtime: server ? runtimeOf(server) : null,
    packages: server ? versionsOf(server) : {},
  };
}

function taskSummary(task: LoadedTask, rows: PlannedRow[], setting: Setting): Task {
  const { name, title, exchanges, baseline, scenarios, rate = null, rateShare = null } = task;
  const { configuration } = setting.header;
  const [only, ...others] = exchanges.map(({ request }) => request);
  const planned = rows.find((row) => row.task.name === name)?.task;
  return {
    ...{ name, title, rate, rateShare },
    baseline: baseline.name,
    scenarios: scenarios.map((scenario) => scenario.name),
    connections: task.connections ?? configuration.connections,
    bodyBytes: only && others.length === 0 ? bodyBytes(only) : null,
    exchanges: exchanges.map(exchangeSummary),
    command: planned ? commandOf(planned, setting) : [],
  };
}

/** The load tool's command as it may be published. */
function commandOf(task: PlannedRow['task'], { tool, pinning, listen, header }: Setting): string[] {
  const { requests, ...load } = loadOf(task, header.configuration.sliceSeconds);
  const published = { ...load, requests: requests.map((each) => ({ ...each, ...concealed(each) })) };
  return loadCommand(tool, { ...published, origin: `http://${listen}:PORT` }, pinning);
}

/** Of a request all that may be secret or long, as digests. */
function concealed({ path, headers, body, bodyFile }: Request): Partial<Request> {
  const [plain = '', query] = splitPath(path);
  return {
    path: query === undefined ? plain : `${plain}?${digest(query)}`,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, digest(value)])),
    ...(body !== undefined && { body: digest(body) }),
    ...(bodyFile !== undefined && { bodyFile: digest(readFileSync(bodyFile)) }),
  };
}

function exchangeSummary({ request, answer, weight }: Exchange): Task['exchanges'][number] {
  return {
    method: request.method,
    path: splitPath(request.path)[0] ?? '',
    weight,
    requestDigest: digest(JSON.stringify(concealed(request))),
    answerDigest: answer.body === undefined ? null : digest(answer.body),
  };
}

/** A path and its query. */
function splitPath(path: string): string[] {
  const at = path.indexOf('?');
  return at === -1 ? [path] : [path.slice(0, at), path.slice(at + 1)];
}

/** The first 64 bits of SHA-256. */
function digest(content: string | Uint8Array): string {
  return new Bun.CryptoHasher('sha256').update(content).digest('hex').slice(0, 16);
}

function bodyBytes({ body, bodyFile }: Request): number | null {
  if (bodyFile !== undefined) return statSync(bodyFile).size;
  return body === undefined ? null : Buffer.byteLength(body);
}
