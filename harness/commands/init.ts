import { existsSync, mkdirSync } from 'node:fs';
import { basename } from 'node:path';
import { z } from 'zod';
import { FILL_IN } from '../suite/read-suite.ts';
import { suiteSchema } from '../suite/suite-schema.ts';
import { Problem } from '../words/errors.ts';
import { writeFileAtomically } from '../words/files.ts';
import { EXIT_STATUS, INVOKED_AS, printToStderr } from '../words/output.ts';
import { projectIn, type Start } from './init/start.ts';
import { tracersIn, withoutPreloads } from './init/tracer.ts';

const SUITE = 'bench/suite.json';
const SCHEMA = 'suite.schema.json';
const COMMAND = `the program that starts your server in production, and its arguments, each a string of its own, such as \
node server.js, or .venv/bin/uvicorn main:app --port {port}`;
const INSTEAD = 'by variables in place of this one; or change the command';
const OFF = `what switches your instrumentation off, ${INSTEAD}`;
const ON = `what switches it on, and says where it sends ("OTEL_EXPORTER_OTLP_ENDPOINT": "http://{sink}"), ${INSTEAD}`;

/** Writes a suite for the project in this folder, and what an editor checks it by. Returns the exit status. @throws Problem */
export async function init(): Promise<number> {
  const old = [SUITE, 'bench/suite.ts'].find((file) => existsSync(file));
  if (old) throw new Problem(`${old} exists already`, `Measure it: ${INVOKED_AS} --suite ./${old}`);
  const suite = await suiteFor(process.cwd());
  mkdirSync('bench', { recursive: true });
  await writeFileAtomically(`bench/${SCHEMA}`, json(z.toJSONSchema(suiteSchema, { io: 'input' })));
  await writeFileAtomically(SUITE, json({ $schema: `./${SCHEMA}`, ...suite }));
  printToStderr(
    `${SUITE}: written. Fill in what it asks for, then see what is recorded: ${INVOKED_AS} prove with`,
  );
  return EXIT_STATUS.success;
}

const json = (content: unknown) => `${JSON.stringify(content, null, 2)}\n`;

/** What is known of the project in the folder. What is not known is to be filled in. @throws Problem */
export async function suiteFor(folder: string) {
  const { name, said, start = unknown(said) } = await projectIn(folder);
  const tracers = tracersIn(folder, start);
  const isKnown = tracers.length > 0;
  const title = tracers.map((each) => each.title).join(' and ') || 'instrumentation';
  const bare = withoutPreloads(folder, start);
  const left = tracersIn(folder, bare);
  const isAbsent =
    tracers.some(({ isStarted }) => isStarted) && !left.some(({ isStarted }) => isStarted);
  const row = (name: string, title: string, { command, env }: Start, more: object[], rest = {}) => {
    const all = Object.assign({}, env, ...more);
    return { name, title, command, ...(Object.keys(all).length > 0 && { env: all }), ...rest };
  };
  const off = tracers.map((each) => each.off);
  const on = tracers.map((each) => each.on ?? {});
  const addresses = tracers.map((each) =>
    each.on
      ? `let your code leave it to ${Object.keys(each.on)[0]} where ${each.title} sends, and delete this line`
      : `what says where ${each.title} sends, ${INSTEAD}`,
  );
  const scenarios = [
    ...(isAbsent
      ? [
          row('absent', left.length > 0 ? `${title}, not started` : `Without ${title}`, bare, [], {
            telemetry: {},
          }),
        ]
      : []),
    isKnown
      ? row('disabled', `${title}, disabled`, start, off, { switchedOff: true, telemetry: {} })
      : row('without', `Without ${title}`, start, [ask(OFF)], { telemetry: {} }),
    row('with', `With ${title}`, start, [ask(isKnown ? addresses.join('; ') : ON), ...on]),
  ];
  return {
    ...{ name: (name || basename(folder)).replace(/[^\w.-]+/g, '-') || 'mine', cwd: '..' },
    ...(start.prepare.length > 0 && { prepare: start.prepare }),
    request: { path: `${FILL_IN}: the path of a request, such as /` },
    baseline: scenarios[0]?.name,
    ...(isKnown &&
      !isAbsent && {
        remarks: [`The baseline loads ${title}, and pays for that: it is only disabled.`],
      }),
    scenarios,
  };
}

/** A variable in place of those that nobody knows. */
const ask = (what: string) => ({ FILL_IN: `${FILL_IN}: ${what}` });

const unknown = (said?: string): Start => ({
  ...{ prepare: [], env: {} },
  command: [`${FILL_IN}: ${COMMAND}${said === undefined ? '' : ` (${said})`}`],
});
