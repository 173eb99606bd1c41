// What init writes for projects of many layouts, and that nothing runs before it is filled in.
import { expect, test } from 'bun:test';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { suiteFor } from '../harness/commands/init.ts';
import { Workplace } from './bench.ts';

interface Suite {
  prepare?: string[][];
  remarks?: string[];
  scenarios: { title: string; command: string[]; env?: Record<string, string> }[];
}

/** The suite that init makes for a project of these files; an object is a package.json. */
async function suiteOf(files: Record<string, string | object>) {
  await using place = new Workplace();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(place.path(name)), { recursive: true });
    place.write(name, typeof content === 'string' ? content : JSON.stringify(content));
  }
  return suiteFor(place.folder) as { suite: Suite; remarks: string[] };
}

const SDK = "require('@opentelemetry/sdk-node')";
const project = (scripts: object, dependencies = {}) => ({
  'package.json': { name: '@me/shop', scripts, dependencies },
});
const build = { build: 'tsc' };

const starts: [string, Record<string, string | object>, string | undefined, string | undefined, object?][] = [
  ['a file without extension', { ...project({ start: 'node ./bin/www' }), 'bin/www': '' }, undefined, 'node ./bin/www'],
  [
    'start:prod of a build',
    project({ ...build, start: 'nest start', 'start:prod': 'node dist/main' }),
    'npm run build',
    'node dist/main',
  ],
  ['nest start', { ...project({ start: 'nest start' }), 'yarn.lock': '' }, 'nest build', 'node dist/main'],
  [
    'variables',
    project({ start: "cross-env A='x y' PORT=80 NODE_ENV=production node a.js" }),
    undefined,
    'node a.js',
    { A: 'x y' },
  ],
  ['a first part', project({ start: 'tsc -p . && node b.js' }), 'tsc -p .', 'node b.js'],
  [
    'two parts and a build',
    { ...project({ ...build, prestart: 'x', start: 'node b.js' }), 'pnpm-lock.yaml': '' },
    'pnpm run build; pnpm run prestart',
    'node b.js',
  ],
  [
    'a script of a script',
    project({ ...build, start: 'npm run build && npm run serve', serve: 'B=1 node s.js' }),
    'npm run build',
    'node s.js',
    { B: '1' },
  ],
  [
    'next',
    { ...project({ build: 'next build', start: 'next start -p 3000' }), 'node_modules/.bin/next': '' },
    'npm run build',
    './node_modules/.bin/next start -p {port}',
  ],
  [
    'fastify-cli',
    project({ start: 'fastify start -w -p $PORT -a $HOST -l info app.js', dev: 'x' }),
    undefined,
    'fastify start -p {port} -a {host} -l info app.js',
  ],
  ['tsx, watching', project({ dev: 'tsx watch --inspect=1 src/index.ts' }), undefined, 'tsx src/index.ts'],
  [
    'ts-node',
    project({ start: 'ts-node -r tsconfig-paths/register a.ts' }),
    undefined,
    'ts-node -r tsconfig-paths/register a.ts',
  ],
  [
    'bun, hot',
    { ...project({ dev: 'bun run --hot src/index.ts' }), 'bun.lock': '' },
    undefined,
    'bun run src/index.ts',
  ],
  [
    'the main file on Bun',
    { 'package.json': { module: 'index.ts' }, 'bun.lock': '', 'index.ts': '' },
    undefined,
    'bun index.ts',
  ],
  [
    'the main file on Node',
    { 'package.json': { main: 'none.js' }, 'package-lock.json': '', 'server.js': '' },
    undefined,
    'node server.js',
  ],
  [
    'start:prod before start',
    project({ start: 'nodemon a.js', 'start:prod': 'export A=1; npm run serve -- -p 80 -x', serve: 'node b.js' }),
    undefined,
    'node b.js -p {port} -x',
    { A: '1' },
  ],
  [
    'nodemon, by another program',
    project({ start: 'nodemon -w src -e ts,json --exec "tsx --env-file=.env" src/a.ts -i' }),
    undefined,
    'tsx --env-file=.env src/a.ts',
  ],
  [
    'ts-node-dev',
    project({ dev: 'tsnd --respawn --transpile-only --ignore-watch x a.ts' }),
    undefined,
    'ts-node --transpile-only a.ts',
  ],
  ['dotenv', project({ start: 'dotenv -e .env -- nodemon --inspect a.js' }), undefined, 'dotenv -e .env -- node a.js'],
  [
    'scripts in a row',
    project({ start: 'run-s build migrate serve', build: 'tsc', migrate: 'x', serve: 'yarn node a.js' }),
    'npm run build; npm run migrate',
    'node a.js',
  ],
  ['variables of a first part', project({ start: 'A=1 tsc && node a.js' }), 'env A=1 tsc', 'node a.js'],
  ['next on Bun', project({ start: 'bunx --bun next start -H 0.0.0.0' }), undefined, 'bun --bun next start -H {host}'],
  [
    'a main file that is built, before dev',
    { 'package.json': `\uFEFF{"main":"dist/a.js","scripts":{"build":"tsc","dev":"tsx src/a.ts"}}\r\n`, 'src/a.ts': '' },
    'npm run build',
    'node dist/a.js',
  ],
  [
    'bunfig.toml alone',
    { 'package.json': { scripts: null, module: 'a.ts' }, 'bunfig.toml': '', 'a.ts': '' },
    undefined,
    'bun a.ts',
  ],
  ['another folder', project({ start: 'cd api && node a.js', api: 'x' }), undefined, undefined],
  ['a script elsewhere', project({ start: 'npm --prefix api start', api: 'node a.js' }), undefined, undefined],
  ['a process manager', project({ start: 'pm2-runtime start a.js', dev: 'node a.js' }), undefined, undefined],
  ['a page, not a server', project({ start: 'react-scripts start' }), undefined, undefined],
  ['what needs a shell', project({ start: 'node a.js | pino-pretty' }), undefined, undefined],
  ['several programs', project({ start: 'concurrently a b' }), undefined, undefined],
  ['a script that calls itself', project({ start: 'npm start' }), undefined, undefined],
  ['nothing', { 'package.json': {} }, undefined, undefined],
];
test.each(starts)('it starts what package.json does: %s', async (_, files, prepare, command, env = {}) => {
  const { suite } = await suiteOf(files);
  const [first] = suite.scenarios;
  expect(suite.prepare?.map((step) => step.join(' ')).join('; ')).toBe(prepare as string);
  if (command === undefined) expect(first?.command).toEqual([expect.stringMatching(/^FILL IN: /)]);
  else expect(first?.command.join(' ')).toBe(command);
  expect(first?.env).toMatchObject(env);
});

const others = [
  ['go.mod', 'go'],
  ['requirements.txt', 'uvicorn'],
  ['pom.xml', 'java'],
  ['Cargo.toml', 'cargo'],
  ['Api.csproj', 'dotnet'],
] as const;
test.each(others)('without package.json it asks for the command: %s', async (file, word) => {
  const { suite } = await suiteOf({ [file]: '' });
  expect(suite.scenarios[0]?.command).toEqual([expect.stringMatching(new RegExp(`^FILL IN: .*${word}`))]);
});

const preloaded = { 't.js': SDK, 'a.js': "require('./b')", 'b.js': '' };
const tracers: [string, Record<string, string | object>, string[], string?][] = [
  [
    'preloaded',
    { ...project({ start: 'node -r dotenv/config -r ./t.js a.js' }, { 'dd-trace': '5' }), ...preloaded },
    ['Without OpenTelemetry', 'OpenTelemetry, disabled', 'With OpenTelemetry'],
    'node -r dotenv/config a.js',
  ],
  [
    'a package',
    { ...project({ start: 'node --import=dd-trace/initialize.mjs a.js' }), ...preloaded },
    ['Without dd-trace', 'dd-trace, disabled', 'With dd-trace'],
    'node a.js',
  ],
  [
    'NODE_OPTIONS',
    { ...project({ start: "NODE_OPTIONS='--import ./t.js' node a.js" }), ...preloaded },
    ['Without OpenTelemetry', 'OpenTelemetry, disabled', 'With OpenTelemetry'],
    'node a.js',
  ],
  [
    'in code',
    {
      ...project({ start: 'node a.js' }, { '@opentelemetry/api': '1' }),
      'a.js': "require('./b')",
      'b.js': "require('@sentry/node')",
    },
    ['Sentry, disabled', 'With Sentry'],
    'node a.js',
  ],
  [
    'in code and preloaded',
    { ...project({ start: 'node -r ./t.js a.js' }), ...preloaded, 'b.js': "require('@sentry/node').init()" },
    ['Sentry and OpenTelemetry, disabled', 'With Sentry and OpenTelemetry'],
    'node -r ./t.js a.js',
  ],
  [
    'in a source that is built',
    {
      ...project({ ...build, start: 'node --require ./dist/tracing.js dist/main' }),
      'src/main.ts': '',
      'src/tracing.ts': `import '@opentelemetry/sdk-trace-node'`,
    },
    ['Without OpenTelemetry', 'OpenTelemetry, disabled', 'With OpenTelemetry'],
    'node dist/main',
  ],
  [
    'installed, not loaded',
    { ...project({ start: 'node a.js' }, { 'dd-trace': '5' }), 'a.js': '' },
    ['Without instrumentation', 'With instrumentation'],
    'node a.js',
  ],
  [
    'a package, beside its settings',
    { ...project({ start: 'node -r newrelic a.js' }), 'newrelic.js': '', 'a.js': '' },
    ['Without New Relic', 'New Relic, disabled', 'With New Relic'],
    'node a.js',
  ],
  [
    'preloaded, and its error handler in code',
    {
      ...project({ start: 'node --import ./i.mjs a.mjs' }),
      'i.mjs': "import { init } from '@sentry/node'; init()",
      'a.mjs': "import * as Sentry from '@sentry/node'; Sentry.setupExpressErrorHandler(app)",
    },
    ['Sentry, not started', 'Sentry, disabled', 'With Sentry'],
    'node a.mjs',
  ],
  [
    'a preload by =, and in code',
    { ...project({ start: 'node --import=./t.js b.js' }), ...preloaded, 'b.js': SDK },
    ['OpenTelemetry, disabled', 'With OpenTelemetry'],
    'node --import=./t.js b.js',
  ],
  [
    'bunfig.toml',
    { ...project({ start: 'bun a.js' }), ...preloaded, 'bunfig.toml': 'preload = ["./t.js"]' },
    ['OpenTelemetry, disabled', 'With OpenTelemetry'],
    'bun a.js',
  ],
  [
    'unknown',
    { ...project({ start: 'node -r ./tracing.js a.js' }), 'tracing.js': "require('@acme/spans')", 'a.js': '' },
    ['Without instrumentation', 'With instrumentation'],
    'node a.js',
  ],
];
test.each(tracers)('the tracer that is loaded: %s', async (_, files, titles, command) => {
  const { suite } = await suiteOf(files);
  expect(suite.scenarios.map(({ title }) => title)).toEqual(titles);
  expect(suite.scenarios[0]?.command.join(' ')).toBe(command as string);
  expect(suite.remarks !== undefined).toBe(titles[0]?.includes('disabled') === true);
});

const sending = [
  ["require('@sentry/node').init({ dsn: 'https://a@b/1' })", 'SENTRY_DSN'],
  ["require('@sentry/node').init({ dsn: process.env.MY_DSN })", 'SENTRY_DSN'],
  [`${SDK}; const to = { url: 'http://a:4318' }; new OTLPTraceExporter(to)`, 'OTEL_EXPORTER_OTLP_ENDPOINT'],
] as const;
test.each(sending)('what says itself where it sends must be filled in: %s', async (text, variable) => {
  const { suite } = await suiteOf({ ...project({ start: 'node a.js' }), 'a.js': text });
  const wanted = expect.stringMatching(new RegExp(`^FILL IN: a\\.js .*${variable}`));
  expect(suite.scenarios.at(-1)?.env).toMatchObject({ FILL_IN: wanted });
});

test('a tracer that is installed, and not loaded, is told', async () => {
  const { remarks } = await suiteOf({ ...project({ start: 'node a.js' }, { 'dd-trace': '5' }), 'a.js': '' });
  expect(remarks.join()).toMatch(/^dd-trace is installed, .* "node a\.js" loads it/);
});

test('what reads its DSN leaves nothing open, and a port that is fixed is told', async () => {
  const text = "require('@sentry/node').init({ dsn: process.env.SENTRY_DSN }); const PORT = 3000; a.listen(PORT)";
  const { suite, remarks } = await suiteOf({ ...project({ start: 'node a.js' }), 'a.js': text });
  expect(suite.scenarios.at(-1)?.env).not.toHaveProperty('FILL_IN');
  expect(remarks.join('\n')).toMatch(/a\.js names its port/);
});

test('a package.json that is broken is an error, in one line', async () => {
  for (const content of ['{ "name": "x", }', '[]', '{"scripts":{"start":["node"]}}'])
    expect(suiteOf({ 'package.json': content })).rejects.toThrow(/^package\.json can't be read: /);
});

test('nothing runs before all is filled in, and nothing is written over', async () => {
  await using place = new Workplace();
  place.write('package.json', '{"scripts":{"start":"node ./bin/www"}}');
  expect(await place.run(['init'])).toMatchObject({ status: 0, stdout: '' });
  const schema = await Bun.file(place.path('bench/suite.schema.json')).json();
  expect(Object.keys(schema.properties)).toContain('scenarios');
  const run = await place.run(['--suite', './bench/suite.json', '--dry-run']);
  expect(run).toMatchObject({ status: 2, stdout: '' });
  const lines = [
    'request.path: FILL IN: .*',
    'scenarios\\[0\\].env.FILL_IN: .*',
    'scenarios\\[1\\].*',
    'tracetax: .* not filled in\\..*',
  ];
  expect(run.stderr).toMatch(new RegExp(`^${lines.join('\\n')}\\n$`));
  const suite = await Bun.file(place.path('bench/suite.json')).json();
  for (const each of suite.scenarios) delete each.env;
  place.write('alike.json', JSON.stringify({ ...suite, request: {} }));
  const alike = await place.run(['--suite', './alike.json', '--dry-run']);
  expect(alike).toMatchObject({ status: 2, stderr: expect.stringContaining('starts the same server as "without"') });
  const again = await place.run(['init']);
  expect(again).toMatchObject({ status: 2, stderr: expect.stringContaining('bench/suite.json exists already') });
});
