import { existsSync, mkdirSync } from 'node:fs';
import { basename } from 'node:path';
import { z } from 'zod';
import { namesIn } from '../machine/read.ts';
import { FILL_IN } from '../suite/load.ts';
import { suiteSchema } from '../suite/suite-schema.ts';
import { Problem } from '../words/errors.ts';
import { CALLED, complain, EXIT, writeWhole } from '../words/output.ts';
import { type Project, projectIn } from './init/project.ts';
import { isElsewhere, type Start, scriptOf, startOf } from './init/start.ts';
import { deafIn, fixedIn, loadedBy, startsIn, tracersIn, withoutPreloads } from './init/tracer.ts';

const SUITE = 'bench/suite.json';
const SCHEMA = 'suite.schema.json';

/** How servers are started in production, by a file that their projects have. */
const COMMANDS: Record<string, string> = {
  'go.mod': './server, with "prepare": ["go", "build", "-o", "server", "."]',
  'pom.xml': 'java -jar target/app.jar --server.port={port}, with "prepare": ["mvn", "package"]',
  '{pyproject.toml,requirements.txt,Pipfile}':
    '.venv/bin/uvicorn main:app --host {host} --port {port}, or .venv/bin/gunicorn main:app --bind {host}:{port}',
};

/** Writes a suite for the project in this folder, and what an editor checks it by. Returns the exit status. @throws Problem */
export async function init(): Promise<number> {
  const old = [SUITE, 'bench/suite.ts'].find((file) => existsSync(file));
  if (old) throw new Problem(`${old} exists already`, `Measure it: ${CALLED} --suite ./${old}`);
  const { suite, remarks } = await suiteFor(process.cwd());
  mkdirSync('bench', { recursive: true });
  await writeWhole(`bench/${SCHEMA}`, json(z.toJSONSchema(suiteSchema, { io: 'input' })));
  await writeWhole(SUITE, json({ $schema: `./${SCHEMA}`, ...suite }));
  for (const remark of remarks) complain(remark);
  complain(`${SUITE}: written. Fill in what it asks for, then see what is recorded: ${CALLED} prove with`);
  return EXIT.done;
}

const json = (content: unknown) => `${JSON.stringify(content, null, 2)}\n`;

/** What is known of the project in the folder, and what its user must know. What is not known is to be filled in. */
export async function suiteFor(folder: string): Promise<{ suite: object; remarks: string[] }> {
  const project = await projectIn(folder);
  const started = project && startOf(project);
  const start = started ?? unknown(folder, project);
  const loaded = loadedBy(folder, start);
  const tracers = tracersIn(loaded);
  const title = tracers.map((tracer) => tracer.title).join(' and ') || 'instrumentation';
  const bare = withoutPreloads(folder, start);
  const left = loadedBy(folder, bare);
  const isAbsent = !Bun.deepEquals(bare, start) && !startsIn(left);
  const absent = tracersIn(left).length > 0 ? `${title}, not started` : `Without ${title}`;
  const isKnown = tracers.length > 0;
  const off = isKnown
    ? [open(deafIn(loaded)), ...tracers.map((each) => each.off)]
    : [ask('what switches your instrumentation off')];
  const unsaid = tracers.filter((each) => !each.on).map((each) => askFor(`what says where ${each.title} sends`));
  const fixed = tracers.flatMap((each) => fixedIn(loaded, folder, each));
  const on = isKnown ? [open([...unsaid, ...fixed]), ...tracers.map((each) => each.on ?? {})] : [ask(SENDING)];
  const row = (name: string, title: string, { command, env }: Start, more: object[], rest = {}) => {
    const all = Object.assign({}, env, ...more);
    return { name, title, command, ...(Object.keys(all).length > 0 && { env: all }), ...rest };
  };
  const scenarios = [
    ...(isAbsent ? [row('absent', absent, bare, [], { telemetry: {} })] : []),
    ...(isKnown ? [row('disabled', `${title}, disabled`, start, off, { switchedOff: true, telemetry: {} })] : []),
    ...(isAbsent || isKnown ? [] : [row('without', `Without ${title}`, start, off, { telemetry: {} })]),
    row('with', `With ${title}`, start, on),
  ];
  const hidden = isKnown && !isAbsent ? [`The baseline loads ${title}, and pays for that: it is only disabled.`] : [];
  const unseen = isKnown || !started ? [] : tracersIn({ packages: new Set(project?.dependencies) });
  const line = start.command.join(' ');
  const installed = unseen.map((each) => `${each.title} is installed, but init can't see that "${line}" loads it.`);
  const suite = {
    ...{ name: (project?.name || basename(folder)).replace(/[^\w.-]+/g, '-') || 'mine', cwd: '..' },
    ...(start.prepare.length > 0 && { prepare: start.prepare }),
    request: { path: `${FILL_IN}: the path of a request, such as /` },
    baseline: scenarios[0]?.name,
    ...(hidden.length > 0 && { remarks: hidden }),
    scenarios,
  };
  return { suite, remarks: [...hidden, ...installed] };
}

const SENDING = 'what switches it on, and says where it sends ("OTEL_EXPORTER_OTLP_ENDPOINT": "http://{sink}")';

/** A variable in place of those that nobody knows; none if nothing is asked. */
const open = (asked: string[]) => (asked.length > 0 ? { FILL_IN: `${FILL_IN}: ${asked.join('; ')}` } : {});
const ask = (what: string) => open([askFor(what)]);
const askFor = (what: string) => `${what}, by variables in place of this one; or change the command`;

function unknown(folder: string, project?: Project): Start {
  const fits = (pattern: string) => namesIn(folder).some((name) => new Bun.Glob(pattern).match(name));
  const [, like = 'node server.js'] = Object.entries(COMMANDS).find(([pattern]) => fits(pattern)) ?? [];
  const how = 'the program that starts your server in production, and its arguments, each a string of its own';
  const script = project && scriptOf(project);
  const line = script && project.scripts[script];
  const inside = line && isElsewhere(line.split(' ')) ? ': better run init in the folder of that package' : '';
  const said = line ? ` (package.json has "${script}": "${line}"${inside})` : '';
  return { prepare: [], env: {}, command: [`${FILL_IN}: ${how}, such as ${like}${said}`] };
}
