import { expect, test } from 'bun:test';
import type { PlannedServer } from '../plan/planned-server.ts';
import { testFolder } from '../testing/folder.ts';
import { inheritedVariables, variablesOf } from './environment.ts';

const { folder, write } = testFolder();
for (const [file, content] of Object.entries({
  '.env': '# none\nSENTRY_DSN: http://key@host/1\nexport OTHER = 2\nGIVEN=1\n',
  '.env.production.local': 'DATABASE_URL=x\nPORT=1\n',
  'bunfig.toml': 'preload = ["./agent.ts"]\n',
  '.npmrc': 'node-options=--require ./agent.js\n',
  'package.json':
    '{"scripts": {"start": "node -r ./agent.js server.js", "plain": "node server.js"}}',
  'python/sitecustomize.py': '',
}))
  write(file, content);

const server = (command: string[], env = {}) =>
  ({ name: 'x', command, cwd: folder, env }) as unknown as PlannedServer;

test.each([
  ['NODE_OPTIONS', '--max-old-space-size=100 --require ./agent.js'],
  ['NODE_OPTIONS', '"--import=./an agent.js" --smol'],
  ['npm_config_node_options', '--experimental_loader l.mjs'],
  ['BUN_OPTIONS', '--smol --config=agent.toml'],
  ['JAVA_TOOL_OPTIONS', '-Xmx1g -javaagent:/agent.jar=a=b'],
  ['MAVEN_OPTS', '-XX:StartFlightRecording=a -Xmx1g'],
  ['RUBYOPT', '-W0 -r/agent'],
  ['PYTHONPATH', `/lib:${folder}/python:python`],
  ...['NODE_V8_COVERAGE', 'LD_PRELOAD', 'CORECLR_PROFILER'].map((name) => [name, '1'] as const),
  ...['OTEL_SDK_DISABLED', 'DD_TRACE_ENABLED', 'NEXT_PUBLIC_SENTRY_DSN'].map(
    (name) => [name, '1'] as const,
  ),
])('what instruments is taken out: %s=%s', (name, value) => {
  expect(inheritedVariables(server([]), { [name]: value }).changed).toEqual({
    [name]: undefined,
    SENTRY_DSN: '',
  });
});

test('what does not instrument stays, and so does what the suite names', () => {
  const kept = {
    PATH: '/bin',
    NODE_OPTIONS: '--no-warnings --no-inspect',
    PYTHONPATH: '/lib',
    DEBUG: 'x',
    DDD: '1',
  };
  expect(
    inheritedVariables(server([], { SENTRY_DSN: 'x', LD_PRELOAD: 'y' }), {
      ...kept,
      LD_PRELOAD: 'z',
    }).changed,
  ).toEqual({});
});

test('files supply what the environment has not, but nothing that instruments', () => {
  const { changed, supplied } = inheritedVariables(server([]), { GIVEN: '2' });
  expect(changed).toEqual({ SENTRY_DSN: '' });
  expect(supplied).toEqual(['OTHER', 'DATABASE_URL']);
});

test.each([
  ['node --env-file=.env.prod server.js', ['DD_SERVICE']],
  ['node --env-file-if-exists .env.prod server.js', ['DD_SERVICE']],
  ['node_modules/.bin/dotenv -e .env.prod -- node server.js', ['DD_SERVICE']],
  ['node -e .env.prod', []],
])('files that a command names supply, too: %s', (command, names) => {
  write('.env.prod', 'DD_SERVICE=x\n');
  expect(Object.keys(inheritedVariables(server(command.split(' ')), {}).changed)).toEqual([
    'SENTRY_DSN',
    ...names,
  ]);
});

test('no line of a quoted value is a name, such as the last of a private key', () => {
  const key = (quote: string) =>
    `${quote}-----BEGIN KEY-----\nMIIS==\nword: x\n-----END KEY-----${quote}`;
  const others = ['E="a \\"\nINSIDE=1"', 'F="open', "G=it's"];
  const lines = [
    `A=${key('"')}`,
    `B = ${key("'")} # 1`,
    `C: ${key('`')}`,
    `D=\n${key('"')}`,
    ...others,
  ];
  write('keys/.env', lines.join('\n'));
  expect(inheritedVariables({ cwd: `${folder}/keys`, env: {}, command: [] }, {}).supplied).toEqual([
    ...'ABCDEFG',
  ]);
});

test.each([
  ['npm start', ['.npmrc', 'package.json']],
  ['bun run plain', ['bunfig.toml']],
  ['bun run start', ['bunfig.toml', 'package.json']],
  ['node server.js', []],
])('files that make "%s" preload code', (command, files) => {
  const row = { baseline: server(command.split(' ')), scenario: server([]) };
  expect(variablesOf([row]).preloading).toEqual(files);
});

test.each([
  ["NODE_OPTIONS='--require ./agent.js' node server.js", true],
  ['NODE_OPTIONS="--enable-source-maps --import ./agent.js" node server.js', true],
  ['NODE_OPTIONS=--require=./agent.js node server.js', true],
  ['cross-env "NODE_OPTIONS=-r ./agent.js" node server.js', true],
  ["NODE_OPTIONS='--no-warnings' NAME=require node server.js", false],
])('whether a script preloads code: %s', (script, isPreloading) => {
  write('script/package.json', { scripts: { start: script } });
  write('script/bunfig.toml', '[test]\npreload = ["./test.ts"]');
  const baseline = { ...server(['bun', 'start']), cwd: `${folder}/script` };
  const row = { baseline, scenario: server([]) };
  expect(variablesOf([row]).preloading).toEqual(isPreloading ? ['package.json'] : []);
});
