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
    { ...project({ start: 'node -r ./t.js a.js' }), ...preloaded, 'b.js': "require('@sentry/node')" },
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

test('what the server fixes itself is told', async () => {
  const text = "require('@sentry/node').init({ dsn: 'https://a@b/1' }); require('http').createServer().listen(3000)";
  const { remarks } = await suiteOf({ ...project({ start: 'node a.js' }), 'a.js': text });
  expect(remarks.join('\n')).toMatch(/a\.js names its port.*\n.*a\.js names its DSN/);
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
  const again = await place.run(['init']);
  expect(again).toMatchObject({ status: 2, stderr: expect.stringContaining('bench/suite.json exists already') });
});
