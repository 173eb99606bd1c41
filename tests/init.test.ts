// What init writes for projects of many layouts, and that nothing runs before it is filled in.
import { expect, test } from 'bun:test';
import { suiteFor } from '../harness/commands/init.ts';
import { caseOf, Workplace } from './bench.ts';

interface Suite {
  prepare?: string[][];
  remarks?: string[];
  scenarios: { title: string; command: string[]; env?: Record<string, string> }[];
}
type Files = Record<string, string | object>;

/** The suite that init makes for a project of these files; an object is a package.json. */
async function suiteOf(files: Files) {
  await using place = new Workplace();
  for (const [name, content] of Object.entries(files))
    place.write(name, typeof content === 'string' ? content : JSON.stringify(content));
  return (await suiteFor(place.folder)) as { suite: Suite; remarks: string[] };
}

const UNKNOWN = 'to be filled in';
/** What is run before, and the variables and the command of the first server. */
function startOf({ prepare = [], scenarios: [first] }: Suite): string {
  const { command = [], env = {} } = first ?? {};
  const variables = Object.entries(env).flatMap(([name, value]) => (name === 'FILL_IN' ? [] : `${name}=${value}`));
  const isKnown = command.length > 1 || !command[0]?.startsWith('FILL IN: ');
  return [...prepare, isKnown ? [...variables, ...command] : [UNKNOWN]].map((words) => words.join(' ')).join('; ');
}

const SDK = "require('@opentelemetry/sdk-node')";
const build = { build: 'tsc' };

/** The files of a project that has these scripts, or this one to start it. */
const project = (scripts: Record<string, string> | string, files: Files = {}, ...packages: string[]): Files => {
  const named = typeof scripts === 'string' ? { start: scripts } : scripts;
  const dependencies = Object.fromEntries(packages.map((name) => [name, '1']));
  return { 'package.json': { name: '@me/shop', scripts: named, dependencies }, ...files };
};

const starts: [what: string, files: Files, start: string][] = [
  ['a file without extension', project('node ./bin/www', { 'bin/www': '' }), 'node ./bin/www'],
  [
    'start:prod of a build',
    project({ ...build, start: 'nest start', 'start:prod': 'node dist/main' }),
    'npm run build; node dist/main',
  ],
  ['nest start', project('nest start', { 'yarn.lock': '' }), 'nest build; node dist/main'],
  ['variables', project("cross-env A='x y' PORT=80 NODE_ENV=production node a.js"), 'A=x y node a.js'],
  ['an address', project('HOSTNAME=0.0.0.0 HOST=x node a.js'), 'HOSTNAME={host} node a.js'],
  ['a first part', project('tsc -p . && node b.js'), 'tsc -p .; node b.js'],
  [
    'two parts and a build',
    project({ ...build, prestart: 'x', start: 'node b.js' }, { 'pnpm-lock.yaml': '' }),
    'pnpm run build; pnpm run prestart; node b.js',
  ],
  [
    'a script of a script',
    project({ ...build, start: 'npm run build && npm run serve', serve: 'B=1 node s.js' }),
    'npm run build; B=1 node s.js',
  ],
  [
    'next',
    project({ build: 'next build', start: 'next start -p 3000' }, { 'node_modules/.bin/next': '' }),
    'npm run build; ./node_modules/.bin/next start -p {port}',
  ],
  ['fastify', project('fastify start -w -p $PORT -a $HOST a.js'), 'fastify start -p {port} -a {host} a.js'],
  ['tsx, watching', project({ dev: 'tsx watch --inspect=1 src/index.ts' }), 'tsx src/index.ts'],
  ['ts-node', project('ts-node -r tsconfig-paths/register a.ts'), 'ts-node -r tsconfig-paths/register a.ts'],
  ['bun, hot', project({ dev: 'bun run --hot src/index.ts' }, { 'bun.lock': '' }), 'bun src/index.ts'],
  ['a module', { 'package.json': { module: 'index.ts' }, 'bun.lock': '', 'index.ts': '' }, 'bun index.ts'],
  [
    'start:prod before start',
    project({ start: 'nodemon a.js', 'start:prod': 'export A=1; npm run serve -- -p 80 -x', serve: 'node b.js' }),
    'A=1 node b.js -p {port} -x',
  ],
  ['dotenv', project('dotenv -e .env -- node --inspect a.js'), 'dotenv -e .env -- node a.js'],
  [
    'scripts in a row',
    project({ start: 'run-s build migrate serve', build: 'tsc', migrate: 'x', serve: 'yarn node a.js' }),
    'npm run build; npm run migrate; node a.js',
  ],
  ['next on Bun', project('bunx --bun next start -H 0.0.0.0'), 'bun --bun next start -H {host}'],
  [
    'a main file that is built, before dev',
    { 'package.json': `\uFEFF{"main":"dist/a.js","scripts":{"build":"tsc","dev":"tsx src/a.ts"}}\r\n`, 'src/a.ts': '' },
    'npm run build; node dist/a.js',
  ],
  ['bunfig.toml', { 'package.json': { scripts: null, module: 'a.ts' }, 'bunfig.toml': '', 'a.ts': '' }, 'bun a.ts'],
  ['a watcher alone', project('nodemon -e ts,json --exec "tsx --env-file=.env" src/a.ts -i'), UNKNOWN],
  ['ts-node-dev', project({ dev: 'tsnd --respawn --transpile-only --ignore-watch x a.ts' }), UNKNOWN],
  ['another folder', project({ start: 'cd api && node a.js', api: 'x' }), UNKNOWN],
  ['deno', project('OTEL_DENO=true deno run --watch -A a.ts'), 'OTEL_DENO=true deno run -A a.ts'],
  ["a task of Deno's", project('deno task start'), UNKNOWN],
  ['next, standalone', project('node .next/standalone/server.js'), 'HOSTNAME={host} node .next/standalone/server.js'],
  ['a script elsewhere', project({ start: 'npm --prefix api start', api: 'node a.js' }), UNKNOWN],
  ['a process manager', project({ start: 'pm2-runtime start a.js', dev: 'node a.js' }), UNKNOWN],
  ['a page, not a server', project('react-scripts start'), UNKNOWN],
  ['variables of a first part', project('A=1 tsc && node a.js'), UNKNOWN],
  ['what needs a shell', project('node a.js | pino-pretty'), UNKNOWN],
  ['several programs', project('concurrently a b'), UNKNOWN],
  ['a script that calls itself', project('npm start'), UNKNOWN],
  ['no main', { 'package.json': { main: 'x.js' }, 'package-lock.json': '', 'server.js': '' }, UNKNOWN],
  ['nothing', { 'package.json': {} }, UNKNOWN],
];
test.each(starts)('it starts what package.json does: %s', async (_, files, start) => {
  expect(startOf((await suiteOf(files)).suite)).toBe(start);
});

const others = [
  ['go.mod', 'go'],
  ['requirements.txt', 'uvicorn'],
  ['pom.xml', 'java'],
  ['Cargo.toml', 'node server.js'],
] as const;
test.each(others)('without package.json it asks for the command: %s', async (file, word) => {
  const { suite } = await suiteOf({ [file]: '' });
  expect(suite.scenarios[0]?.command).toEqual([expect.stringMatching(new RegExp(`^FILL IN: .*${word}`))]);
});

const preloaded = { 't.js': SDK, 'a.js': "require('./b')", 'b.js': '' };
const SENTRY = "require('@sentry/node')";
const OTEL = ['Without OpenTelemetry', 'OpenTelemetry, disabled', 'With OpenTelemetry'];
const UNSEEN = ['Without instrumentation', 'With instrumentation'];
const tracers: [what: string, files: Files, titles: string[], command: string][] = [
  ['file', project('node -r dotenv/config -r ./t.js a.js', preloaded, 'dd-trace'), OTEL, 'node -r dotenv/config a.js'],
  [
    'a package',
    project('node --import=dd-trace/initialize.mjs a.js', preloaded),
    ['Without dd-trace', 'dd-trace, disabled', 'With dd-trace'],
    'node a.js',
  ],
  ['NODE_OPTIONS', project("NODE_OPTIONS='--import ./t.js' node a.js", preloaded), OTEL, 'node a.js'],
  [
    'in code',
    project('node a.js', { 'a.js': "require('./b')", 'b.js': SENTRY }, '@opentelemetry/api'),
    ['Sentry, disabled', 'With Sentry'],
    'node a.js',
  ],
  [
    'in code and preloaded',
    project('node -r ./t.js a.js', { ...preloaded, 'b.js': `${SENTRY}.init()` }),
    ['Sentry and OpenTelemetry, disabled', 'With Sentry and OpenTelemetry'],
    'node -r ./t.js a.js',
  ],
  [
    'in a source that is built',
    project(
      { ...build, start: 'node --require ./dist/tracing.js dist/main' },
      { 'src/main.ts': '', 'src/tracing.ts': `import '@opentelemetry/sdk-trace-node'` },
    ),
    OTEL,
    'node dist/main',
  ],
  ['installed, not loaded', project('node a.js', { 'a.js': '' }, 'dd-trace'), UNSEEN, 'node a.js'],
  [
    'a package, beside its settings',
    project('node -r newrelic a.js', { 'newrelic.js': '', 'a.js': '' }),
    ['Without New Relic', 'New Relic, disabled', 'With New Relic'],
    'node a.js',
  ],
  [
    'preloaded, and its error handler in code',
    project('node --import ./i.mjs a.mjs', {
      'i.mjs': "import { init } from '@sentry/node'; init()",
      'a.mjs': "import * as Sentry from '@sentry/node'; Sentry.setupExpressErrorHandler(app)",
    }),
    ['Sentry, not started', 'Sentry, disabled', 'With Sentry'],
    'node a.mjs',
  ],
  [
    'a preload by =, and in code',
    project('node --import=./t.js b.js', { ...preloaded, 'b.js': SDK }),
    OTEL.slice(1),
    'node --import=./t.js b.js',
  ],
  ['bunfig', project('bun a.js', { ...preloaded, 'bunfig.toml': 'preload = ["./t.js"]' }), OTEL.slice(1), 'bun a.js'],
  [
    'unknown',
    project('node -r ./tracing.js a.js', { 'tracing.js': "require('@acme/spans')", 'a.js': '' }),
    UNSEEN,
    'node a.js',
  ],
];
test.each(tracers)('the tracer that is loaded: %s', async (_, files, titles, command) => {
  const { suite } = await suiteOf(files);
  expect(suite.scenarios.map(({ title }) => title)).toEqual(titles);
  expect(suite.scenarios[0]?.command.join(' ')).toBe(command);
  expect(suite.remarks !== undefined).toBe(titles[0]?.includes('disabled') === true);
});

const sending = [
  [`${SENTRY}.init({ dsn: 'https://a@b/1' })`, 'SENTRY_DSN'],
  [`${SENTRY}.init({ dsn: process.env.MY_DSN })`, 'SENTRY_DSN'],
  [`${SENTRY}.init({ dsn: process.env.SENTRY_DSN || 'https://a@b/1' })`, 'SENTRY_DSN'],
  ["require('elastic-apm-node').start({ serverUrl: 'http://a:8200' })", 'to ELASTIC_APM_SERVER_URL,'],
  [`${SDK}; const to = { url: 'http://a:4318' }; new OTLPTraceExporter(to)`, 'OTEL_EXPORTER_OTLP_ENDPOINT'],
] as const;
test.each(sending)('what says itself where it sends must be filled in: %s', async (text, variable) => {
  const { suite } = await suiteOf(project('node a.js', { 'a.js': text }));
  const wanted = expect.stringMatching(new RegExp(`^FILL IN: a\\.js .*${variable}`));
  expect(suite.scenarios.at(-1)?.env).toMatchObject({ FILL_IN: wanted });
});

test.each([
  ["import '@opentelemetry/sdk-trace-base'", true],
  ["import '@opentelemetry/sdk-trace-base'; process.env.OTEL_SDK_DISABLED", false],
  ["import '@opentelemetry/sdk-trace-base'; import '@opentelemetry/sdk-node'", false],
])('a tracer that no variable switches off must be made to obey one: %s', async (text, isAsked) => {
  const { suite } = await suiteOf(project('node a.js', { 'a.js': text }));
  const { FILL_IN = '' } = suite.scenarios[0]?.env ?? {};
  expect(FILL_IN.includes('OTEL_SDK_DISABLED is "true"')).toBe(isAsked);
});

test('of a script of another package it is told where to run init', async () => {
  const { suite } = await suiteOf(project('npm start -w @mono/api'));
  expect(suite.scenarios[0]?.command.join()).toEndWith('better run init in the folder of that package)');
});

test('a tracer that is installed, and not loaded, is told', async () => {
  const { remarks } = await suiteOf(project('node a.js', { 'a.js': '' }, 'dd-trace'));
  expect(remarks.join()).toMatch(/^dd-trace is installed, .* "node a\.js" loads it/);
});

test('what reads its DSN leaves nothing open', async () => {
  const text = `${SENTRY}.init({ dsn: process.env.SENTRY_DSN })`;
  const { suite } = await suiteOf(project('node a.js', { 'a.js': text }));
  expect(suite.scenarios.at(-1)?.env).not.toHaveProperty('FILL_IN');
});

test('dd-trace is not told to send OTLP', async () => {
  const { suite } = await suiteOf(project('node -r dd-trace/init a.js'));
  const own = { OTEL_TRACES_EXPORTER: '', OTEL_METRICS_EXPORTER: '' };
  expect(suite.scenarios.at(-1)?.env).toEqual({ DD_TRACE_AGENT_URL: 'http://{sink}', ...own });
});

test('a package.json that is broken is an error, in one line', async () => {
  for (const content of ['{ "name": "x", }', '[]', '{"scripts":{"start":["node"]}}'])
    await expect(suiteOf({ 'package.json': content })).rejects.toThrow(/^package\.json can't be read: /);
});

caseOf('nothing runs before all is filled in, and nothing is written over', async (place) => {
  place.write('package.json', '{"scripts":{"start":"node ./bin/www"}}');
  expect(await place.run(['init'])).toMatchObject({ status: 0, stdout: '' });
  const schema = await Bun.file(place.path('bench/suite.schema.json')).json();
  expect(Object.keys(schema.properties)).toContain('scenarios');
  const run = await place.run(['--suite', './bench/suite.json', '--dry-run']);
  expect(run).toMatchObject({ status: 2, stdout: '' });
  expect(run.stderr).toMatch(/^tracetax: .*bench\/suite\.json is not filled in\. .*\n$/);
  const suite = await Bun.file(place.path('bench/suite.json')).json();
  for (const each of suite.scenarios) delete each.env;
  place.write('alike.json', JSON.stringify({ ...suite, request: {} }));
  const alike = await place.run(['--suite', './alike.json', '--dry-run']);
  expect(alike).toMatchObject({ status: 2, stderr: expect.stringContaining('starts the same server as "without"') });
  const again = await place.run(['init']);
  expect(again).toMatchObject({ status: 2, stderr: expect.stringContaining('bench/suite.json exists already') });
});
