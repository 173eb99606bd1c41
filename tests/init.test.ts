// A first suite for projects as they are found.
import { expect, test } from 'bun:test';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { loadSuite } from '../harness/suite/load.ts';
import { Workplace } from './bench.ts';

const HONO = "const app = new Hono();\napp.get('/users/:id', show);\napp.get('/health', ok);\nexport default app;\n";

async function inited(project: object, files: Record<string, string> = {}) {
  const place = new Workplace();
  mkdirSync(place.path('src'));
  place.write('package.json', JSON.stringify(project));
  for (const [name, content] of Object.entries(files)) place.write(name, content);
  const run = await place.run(['init'], { BOMBARDIER: place.bombardier('exit 1') });
  return { place, run, suite: await loadSuite(place.path('bench/suite.ts')) };
}

test('start script, route and OpenTelemetry are found, and a dry run shows what would be done', async () => {
  const dependencies = { hono: '4', '@opentelemetry/sdk-node': '1' };
  const project = { name: '@me/shop', scripts: { start: 'bun --watch src/run.ts' }, dependencies };
  const { place, run, suite } = await inited(project, { 'src/run.ts': HONO });
  await using _ = place;
  expect(run.status).toBe(0);
  expect(run.stderr).toContain('Add the kit: tracetax');
  expect(run.stdout).toContain('OTEL_SDK_DISABLED=true HOST=127.0.0.1 PORT=3000');
  expect(run.stdout).toContain('http://127.0.0.1:3000/health');
  expect(suite).toMatchObject({ name: 'me-shop', title: '@opentelemetry/sdk-node', cwd: place.folder });
  expect(suite.scenarios).toMatchObject([
    { name: 'without', command: ['bun', 'src/run.ts'], env: { OTEL_SDK_DISABLED: 'true' }, telemetry: {} },
    { name: 'with', command: ['bun', 'src/run.ts'], env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://{sink}' } },
  ]);
  expect(await place.run(['init'])).toMatchObject({ status: 2, stdout: '' });
});

test('without such a script the entry file is found, and started by what the project uses', async () => {
  const files = { 'server.js': 'http.createServer(answer).listen(3000)', 'index.js': 'module.exports = {}' };
  const project = { main: 'index.js', scripts: { start: 'a && b' }, dependencies: { '@sentry/node': '10' } };
  const { place, run, suite } = await inited(project, files);
  await using _ = place;
  expect(run.stderr).toContain('server.js: make it listen on the port in $PORT');
  expect(suite.scenarios[0]).toMatchObject({ command: ['node', 'server.js'], env: { SENTRY_DSN: '' } });
});

test('a library without a server gets one, which reads a switch', async () => {
  const peerDependencies = { '@opentelemetry/api': '1' };
  // Its entry is a folder.
  const { place, run, suite } = await inited({ name: 'lib', main: 'src', peerDependencies });
  await using _ = place;
  expect(run.status).toBe(0);
  expect(readFileSync(place.path('bench/server.ts'), 'utf8')).toContain("process.env.TRACING === 'on'");
  expect(suite.scenarios.map(({ env }) => env)).toEqual([
    { TRACING: 'off' },
    { TRACING: 'on', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://{sink}' },
  ]);
  // Their own work by now.
  const server = place.write('bench/server.ts', `${readFileSync(place.path('bench/server.ts'), 'utf8')}// mine\n`);
  rmSync(place.path('bench/suite.ts'));
  const again = await place.run(['init'], { BOMBARDIER: place.bombardier('exit 1') });
  expect(again.status).toBe(0);
  expect(again.stderr).not.toContain('bench/server.ts: ');
  expect(readFileSync(server, 'utf8')).toEndWith('// mine\n');
  expect(readFileSync(place.path('bench/suite.ts'), 'utf8')).toContain('{"TRACING":"off"}');
});

test('a package with such a name in its name is no tracer', async () => {
  const { place, suite } = await inited({ dependencies: { 'hotel-client': '1' } });
  await using _ = place;
  expect(suite.title).toBe('instrumentation');
});

test('a folder that can not be written to', async () => {
  await using place = new Workplace();
  place.write('package.json', '{}');
  place.write('bench', 'no folder');
  const run = await place.run(['init']);
  expect(run).toMatchObject({ status: 2, stdout: '' });
  expect(run.stderr).toMatch(/^tracetax: bench can't be made: [^\n]+\n$/);
});

test('a folder that is no project is refused, and nothing is written', async () => {
  await using place = new Workplace();
  const run = await place.run(['init']);
  expect(run).toMatchObject({ status: 2, stdout: '' });
  expect(run.stderr).toMatch(/^tracetax: There is no readable package\.json here: [^\n]+\n$/);
  expect(existsSync(place.path('bench'))).toBe(false);
});
