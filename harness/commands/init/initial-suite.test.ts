// What init writes for projects of many layouts.
import { expect, test } from 'bun:test';
import { testFolder } from '../../testing/folder.ts';
import { type InitialSuite, initialSuiteFor } from './initial-suite.ts';

const folder = testFolder();
let projects = 0;

/** The files of a project, by name; an object is a package.json. */
type Files = Record<string, string | object>;

/** Returns the suite that init makes for a project of these files. */
async function suiteOf(files: Files): Promise<InitialSuite> {
  const project = `project-${projects++}`;
  folder.write(`${project}/.keep`, '');
  for (const [name, content] of Object.entries(files)) folder.write(`${project}/${name}`, content);
  return initialSuiteFor(folder.path(project));
}

const UNKNOWN = 'to be filled in';
/** What is run before, and the variables and the command of the first server. */
function startOf({ prepare = [], scenarios: [first] }: InitialSuite): string {
  const { command = [], env = {} } = first ?? {};
  const variables = Object.entries(env).flatMap(([name, value]) =>
    name === 'FILL_IN' ? [] : `${name}=${value}`,
  );
  const isKnown = command.length > 1 || !command[0]?.startsWith('FILL IN: ');
  return [...prepare, isKnown ? [...variables, ...command] : [UNKNOWN]]
    .map((words) => words.join(' '))
    .join('; ');
}

const SDK = "require('@opentelemetry/sdk-node')";
const build = { build: 'tsc' };

/** The files of a project that has these scripts, or this one to start it. */
const project = (
  scripts: Record<string, string> | string,
  files: Files = {},
  ...packages: string[]
): Files => {
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
  [
    'variables',
    project("cross-env A='x y' PORT=80 NODE_ENV=production node a.js"),
    'A=x y node a.js',
  ],
  [
    'a build, and what is run before',
    project({ ...build, prestart: 'x', start: 'node b.js' }),
    'npm run build; npm run prestart; node b.js',
  ],
  [
    'next',
    project({ build: 'next build', start: 'next start' }, { 'node_modules/.bin/next': '' }),
    'npm run build; ./node_modules/.bin/next start',
  ],
  ['arguments that watch only elsewhere', project('node a.js -w 4 watch'), 'node a.js -w 4 watch'],
  [
    'fastify',
    project('fastify start -w -p $PORT -a $HOST a.js'),
    'fastify start -p {port} -a {host} a.js',
  ],
  ['tsx, watching', project({ dev: 'tsx watch --inspect=1 src/index.ts' }), 'tsx src/index.ts'],
  [
    'ts-node',
    project('ts-node -r tsconfig-paths/register a.ts'),
    'ts-node -r tsconfig-paths/register a.ts',
  ],
  [
    'bun, hot',
    project({ ...build, dev: 'bun run --hot a.ts' }, { 'bun.lock': '' }),
    'bun run build; bun a.ts',
  ],
  [
    'a module',
    { 'package.json': { module: 'index.ts' }, 'bun.lock': '', 'index.ts': '' },
    'bun index.ts',
  ],
  [
    'bunfig.toml',
    { 'package.json': { scripts: null, module: 'a.ts' }, 'bunfig.toml': '', 'a.ts': '' },
    'bun a.ts',
  ],
  [
    'a main file, before dev',
    { 'package.json': { main: 'a.js', scripts: { dev: 'x' } }, 'a.js': '' },
    'node a.js',
  ],
  ['deno', project('OTEL_DENO=true deno run --watch -A a.ts'), 'OTEL_DENO=true deno run -A a.ts'],
  ["a task of Deno's", project('deno task start'), UNKNOWN],
  ['a watcher alone', project('nodemon --exec "tsx --env-file=.env" src/a.ts'), UNKNOWN],
  ['another script', project({ start: 'yarn run a', a: 'A=1 node a.js' }), 'A=1 node a.js'],
  [
    'scripts one after the other',
    project({ start: 'npm run a && bun run b', a: 'x', b: 'bun b.ts' }),
    'npm run a; bun b.ts',
  ],
  [
    'a build that the script runs, too',
    project({ ...build, start: 'npm run build && node b.js' }),
    'npm run build; node b.js',
  ],
  ['a step of the shell', project('cd api && node a.js'), UNKNOWN],
  ['a step with variables', project('A=1 tsc && node a.js'), UNKNOWN],
  ['a script that calls itself', project({ start: 'npm run start' }), UNKNOWN],
  ['another script, by Node', project({ start: 'node --run a', a: 'node a.js' }), UNKNOWN],
  ['a process manager', project({ start: 'pm2-runtime start a.js', dev: 'node a.js' }), UNKNOWN],
  ['development', project('next dev'), UNKNOWN],
  ['two commands', project('tsc -p . && node a.js'), 'tsc -p .; node a.js'],
  ['a command that also builds', project('nest start'), UNKNOWN],
  ['a port', project('next start -p 3000'), 'next start -p {port}'],
  ['a port of the shell', project(`next start -p \${PORT:-3000}`), 'next start -p {port}'],
  ['a variable of the shell', project('node $MAIN'), UNKNOWN],
  ['what the shell runs', project('node `cat main`'), UNKNOWN],
  ['no main', { 'package.json': { main: 'x.js' }, 'server.js': '' }, UNKNOWN],
  ['nothing', { 'package.json': {} }, UNKNOWN],
  ['no package.json', { 'go.mod': '' }, UNKNOWN],
];
test.each(starts)('it starts what package.json does: %s', async (_, files, start) => {
  expect(startOf(await suiteOf(files))).toBe(start);
});

test('what it can not tell is asked for, beside what package.json says', async () => {
  const suite = await suiteOf(project('node a.js | tee log'));
  expect(suite.scenarios[0]?.command.join()).toMatch(
    /^FILL IN: .*\(package\.json has "start": "node a\.js \| tee log"\)$/,
  );
});

const preloaded = { 't.js': SDK, 'a.js': "require('./b')", 'b.js': '' };
const SENTRY = "require('@sentry/node')";
const OTEL = ['Without OpenTelemetry', 'OpenTelemetry, disabled', 'With OpenTelemetry'];
const UNSEEN = ['Without instrumentation', 'With instrumentation'];
const tracers: [what: string, files: Files, titles: string[], command: string][] = [
  [
    'file',
    project('node -r dotenv/config -r ./t.js a.js', preloaded, 'dd-trace'),
    OTEL,
    'node -r dotenv/config a.js',
  ],
  [
    'a package',
    project('node --import=dd-trace/initialize.mjs a.js', preloaded),
    ['Without dd-trace', 'dd-trace, disabled', 'With dd-trace'],
    'node a.js',
  ],
  [
    'NODE_OPTIONS',
    project("NODE_OPTIONS='--import ./t.js' node a.js", preloaded),
    OTEL,
    'node a.js',
  ],
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
  [
    "beside Next's server",
    project('next start', { 'src/instrumentation.ts': "import '@vercel/otel'" }),
    OTEL.slice(1),
    'next start',
  ],
  [
    'unknown, by =',
    project('node --import=./t.js a.js', { 't.js': "import '@acme/spans'" }),
    UNSEEN,
    'node --import=./t.js a.js',
  ],
  ['named like a file', project('node otel/a.js', { 'otel/a.js': '' }), UNSEEN, 'node otel/a.js'],
  [
    'unknown',
    project('node -r ./t.js a.js', { 't.js': "require('@acme/spans')" }),
    UNSEEN,
    'node -r ./t.js a.js',
  ],
];
test.each(tracers)('the tracer that is loaded: %s', async (_, files, titles, command) => {
  const suite = await suiteOf(files);
  expect(suite.scenarios.map(({ title }) => title)).toEqual(titles);
  expect(suite.scenarios[0]?.command.join(' ')).toBe(command);
  expect(suite.remarks !== undefined).toBe(titles[0]?.includes('disabled') === true);
});

test.each([
  ['@sentry/node', 'let SENTRY_DSN, not your code, say where Sentry sends, and delete this line'],
  [
    'newrelic',
    'what says where New Relic sends, by variables in place of this one; or change the command',
  ],
])('where a tracer sends is to be looked at: %s', async (name, asked) => {
  const suite = await suiteOf(project('node a.js', { 'a.js': `require('${name}')` }));
  expect(suite.scenarios.at(-1)?.env?.FILL_IN).toBe(`FILL IN: ${asked}`);
});

test('dd-trace is not told to send OTLP', async () => {
  const suite = await suiteOf(project('node -r dd-trace/init a.js'));
  const own = { OTEL_TRACES_EXPORTER: '', OTEL_METRICS_EXPORTER: '' };
  expect(suite.scenarios.at(-1)?.env).toMatchObject({
    DD_TRACE_AGENT_URL: 'http://{sink}',
    ...own,
  });
});

test('a package.json that is broken is an error, in one line', async () => {
  for (const content of ['{ "name": "x", }', '[]', '{"scripts":{"start":["node"]}}'])
    await expect(suiteOf({ 'package.json': content })).rejects.toThrow(
      /^package\.json can't be read: /,
    );
});
