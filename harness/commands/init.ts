import { existsSync, mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';
import { FILL_IN } from '../suite/load.ts';
import { suiteSchema } from '../suite/suite-schema.ts';
import { Problem } from '../words/errors.ts';
import { CALLED, complain, EXIT, writeWhole } from '../words/output.ts';
import { projectIn, type Start, startOf } from './init/start.ts';
import { fixedIn, loadedBy, tracersIn, withoutPreloads } from './init/tracer.ts';

const SUITE = 'bench/suite.json';
const SCHEMA = 'suite.schema.json';

/** How servers of other languages are started, by a file that their projects have. */
const COMMANDS: Record<string, string> = {
  'go.mod': './server, with "prepare": ["go", "build", "-o", "server", "."]',
  'pom.xml': 'java -jar target/app.jar --server.port={port}, with "prepare": ["mvn", "package"]',
  'build.gradle': 'java -jar build/libs/app.jar --server.port={port}, with "prepare": ["gradle", "bootJar"]',
  'build.gradle.kts': 'java -jar build/libs/app.jar --server.port={port}, with "prepare": ["gradle", "bootJar"]',
  'pyproject.toml': 'uvicorn main:app --host {host} --port {port}',
  'requirements.txt': 'uvicorn main:app --host {host} --port {port}',
};

/** Writes a suite for the project in this folder, and what an editor checks it by. Returns the exit status. @throws Problem */
export async function init(): Promise<number> {
  const old = [SUITE, 'bench/suite.ts'].find((file) => existsSync(file));
  if (old) throw new Problem(`${old} exists already`, `Measure it: ${CALLED} --suite ./${old}`);
  const { suite, remarks } = suiteFor(process.cwd());
  mkdirSync('bench', { recursive: true });
  await writeWhole(`bench/${SCHEMA}`, json(z.toJSONSchema(suiteSchema, { io: 'input' })));
  await writeWhole(SUITE, json({ $schema: `./${SCHEMA}`, ...suite }));
  for (const remark of remarks) complain(remark);
  complain(`${SUITE}: written. Fill in what it asks for, then measure: ${CALLED} --suite ./${SUITE}`);
  return EXIT.done;
}

const json = (content: unknown) => `${JSON.stringify(content, null, 2)}\n`;

/** What is known of the project in the folder, and what its user must know. What is not known is to be filled in. */
export function suiteFor(folder: string): { suite: object; remarks: string[] } {
  const project = projectIn(folder);
  const start = (project && startOf(project)) ?? unknown(folder);
  const loaded = loadedBy(folder, start);
  const tracers = tracersIn(loaded);
  const title = tracers.map((tracer) => tracer.title).join(' and ') || 'instrumentation';
  const bare = withoutPreloads(folder, start);
  const isAbsent = !Bun.deepEquals(bare, start) && tracersIn(loadedBy(folder, bare)).length === 0;
  const isKnown = tracers.length > 0;
  const off = isKnown ? tracers.map((each) => each.off) : [ask(`what switches your instrumentation off`)];
  const on = isKnown ? tracers.map((each) => each.on ?? ask(`what says where ${title} sends`)) : [ask(SENDING)];
  const row = (name: string, title: string, { command, env }: Start, more: object[], rest = {}) => {
    const all = Object.assign({}, env, ...more);
    return { name, title, command, ...(Object.keys(all).length > 0 && { env: all }), ...rest };
  };
  const scenarios = [
    ...(isAbsent ? [row('absent', `Without ${title}`, bare, [], { telemetry: {} })] : []),
    ...(isKnown ? [row('disabled', `${title}, disabled`, start, off, { switchedOff: true, telemetry: {} })] : []),
    ...(isAbsent || isKnown ? [] : [row('without', `Without ${title}`, start, off, { telemetry: {} })]),
    row('with', `With ${title}`, start, on),
  ];
  const hidden = isKnown && !isAbsent ? [`The baseline loads ${title}, and pays for that: it is only disabled.`] : [];
  const suite = {
    ...{ name: (project?.name ?? basename(folder)).replace(/[^\w.-]+/g, '-') || 'mine', cwd: '..' },
    ...(start.prepare.length > 0 && { prepare: start.prepare }),
    request: { path: `${FILL_IN}: the path of a request, such as /` },
    baseline: scenarios[0]?.name,
    ...(hidden.length > 0 && { remarks: hidden }),
    scenarios,
  };
  return { suite, remarks: [...hidden, ...fixedIn(loaded, folder)] };
}

const SENDING = 'what switches it on, and says where it sends ("OTEL_EXPORTER_OTLP_ENDPOINT": "http://{sink}")';

/** A variable in place of those that nobody knows. */
function ask(what: string): Record<string, string> {
  return { FILL_IN: `${FILL_IN}: ${what}, by variables in place of this one; or change the command` };
}

function unknown(folder: string): Start {
  const [, like = 'node server.js'] = Object.entries(COMMANDS).find(([file]) => existsSync(join(folder, file))) ?? [];
  const how = 'the program that starts your server in production, and its arguments, each a string of its own';
  return { prepare: [], env: {}, command: [`${FILL_IN}: ${how}, such as ${like}`] };
}
