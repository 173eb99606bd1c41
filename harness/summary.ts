import { readFileSync } from 'node:fs';
import { ROOT } from './load/find.ts';
import { loadCommand } from './load/run-load.ts';
import { loadOf, type Plan, type PlannedRow } from './plan.ts';
import { readable } from './result/file.ts';
import { type Result, resultSchema, type Task } from './result/schema.ts';
import { runtimeOf, versionsOf } from './server/packages.ts';
import { exportModeOf } from './suite/planned.ts';
import { scenariosOf, sentIn } from './suite/select.ts';
import type { Exchange, LoadedSuite, LoadedTask, Request, Scenario } from './suite/suite-schema.ts';
import { pointsOf } from './suite/sweep.ts';

type Setting = Pick<Plan, 'tool' | 'pinning' | 'listen'> & { header: Pick<Plan['header'], 'configuration'> };

/** A shorter word is no secret, and would be found in others. */
const MIN_LETTERS = 6;
/** Where a result has words of programs. */
const TOLD = ['detail', 'fault', 'notes', 'stoppedBy'];

/** What a result says of its suite: what its schema names, and no more. `rows` are those that the suite has. */
export function summaryOf(suite: LoadedSuite, rows: PlannedRow[], setting: Setting): Result['suite'] {
  const { tasks, sweep } = suite;
  const summary: Result['suite'] = {
    ...suite,
    tasks: tasks.map((task) => taskSummary(task, setting)),
    sweep: sweep ? { parameter: String(sweep.load ?? sweep.env), unit: sweep.unit, points: pointsOf(tasks) } : null,
    scenarios: scenariosOf(tasks).map((scenario) => scenarioSummary(scenario, rows, setting)),
  };
  return readable(resultSchema.shape.suite, summary, 'What is known of the suite');
}

function scenarioSummary(scenario: Scenario, rows: PlannedRow[], { header }: Setting) {
  const { name, trueCostUs = null } = scenario;
  const server = rows.flatMap((row) => [row.baseline, row.scenario]).find((each) => each.name === name);
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
  const requests = load.requests.map(({ weight, ...request }) => ({ ...withDigests(request), weight }));
  return {
    ...{ ...task, rate, rateShare, connections },
    baseline: task.baseline.name,
    scenarios: task.scenarios.map(({ name }) => name),
    exchanges: task.exchanges.map(exchangeSummary),
    // As it may be published: without the folder in which tracetax is.
    command: loadCommand(tool, { ...load, requests, origin: `http://${listen}:PORT` }, pinning).map((word) =>
      word.replace(ROOT, '.'),
    ),
  };
}

/** The request with all that may be secret or long as digests. A body is the same whether it is in a file or not. */
function withDigests({ path, headers, bodyFile, ...request }: Request): Request {
  const body = bodyFile === undefined ? request.body : readFileSync(bodyFile);
  return {
    ...request,
    path: path.replace(/(?<=\?).*/s, (query) => digest(query)),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, digest(value)])),
    body: body === undefined ? undefined : digest(body),
  };
}

export function exchangeSummary({ request, answer, weight }: Exchange): Task['exchanges'][number] {
  const { method, path, headers, body, chunked } = withDigests(request);
  return {
    ...{ method, path: path.replace(/\?.*/s, ''), weight },
    requestDigest: digest(JSON.stringify({ path, headers, body, chunked })),
    answerDigest: digest(JSON.stringify(answer)),
  };
}

/** Returns what copies a result, with digests for what is secret of the requests of these rows and a program has repeated. */
export function concealing(rows: readonly PlannedRow[]): (result: Result) => Result {
  const sent = rows.flatMap(({ task }) => sentIn(task));
  const words = new Set(sent.flatMap(({ request }) => secretsOf(request)));
  const longestFirst = [...words].sort((one, two) => two.length - one.length).map((word) => RegExp.escape(word));
  const secrets = new RegExp(longestFirst.join('|') || '(?!)', 'g');
  const told = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(told) : typeof value === 'string' ? value.replace(secrets, digest) : value;
  return (result) => JSON.parse(JSON.stringify(result, (name, value) => (TOLD.includes(name) ? told(value) : value)));
}

/** Values of headers and query, and bodies: as a whole, in parts, and as programs quote them. */
function secretsOf({ path, headers, body = '' }: Request): string[] {
  const [, query = ''] = /\?(.*)/s.exec(path) ?? [];
  const values = [query, ...new URLSearchParams(query).values(), ...Object.values(headers)];
  const all = [...values, ...values.flatMap((value) => value.split(/[\s,;&="]+/)), body];
  return all.flatMap((each) => [each, JSON.stringify(each).slice(1, -1)]).filter(({ length }) => length >= MIN_LETTERS);
}

/** The first 64 bits of SHA-256. */
function digest(content: string | Uint8Array): string {
  return new Bun.CryptoHasher('sha256').update(content).digest('hex').slice(0, 16);
}
