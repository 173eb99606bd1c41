import { expect, test } from 'bun:test';
import { plannedRows } from '../plan/rows.ts';
import type { Configuration } from '../result/schema.ts';
import { scenarios, suiteOf, task } from '../testing/suites.ts';
import { cautionsOf, equalServers } from './cautions.ts';

const command = ['node', 'server.js'];
const A = { name: 'a', title: 'A', command };
const B = { ...A, name: 'b', title: 'B' };

function found(suite: object, of: typeof equalServers): string[] {
  const read = suiteOf(suite);
  const configuration = { export: 'otlp', connections: 1 } as Configuration;
  return of(read, plannedRows(read, configuration));
}
const equal = (...all: object[]) => found({ scenarios: all }, equalServers);
const cautions = (fields: object) =>
  found({ scenarios: [A, { ...B, ...fields }], baseline: 'a' }, cautionsOf);

test('scenarios that start the same server are told, since that may be on purpose', () => {
  const env = { X: '1', Y: '2' };
  const said = 'A and B start the same server (equal command, env and cwd): a difference is noise.';
  expect(equal(A, B)).toEqual([said]);
  expect(equal({ ...A, env }, { ...B, env: { Y: '2', X: '1' } })).toEqual([said]);
  expect(equal(A, { ...B, env })).toEqual([]);
  expect(equal(A, { ...B, cwd: 'other' })).toEqual([]);
  expect(equal(A, { ...B, command: [...command, '--more'] })).toEqual([]);
});

test('nor is it told of scenarios that differ in what becomes of their spans', () => {
  const telemetry = { span: { name: 'GET /' } };
  expect(equal({ ...A, telemetry }, { ...B, telemetry, export: 'none' })).toEqual([]);
  expect(equal({ ...A, telemetry }, { ...B, telemetry, receiver: 'gone' })).toEqual([]);
});

test('scenarios of different tasks are not compared', () => {
  const tasks = ['a', 'b'].map((name) => task(name, { baseline: name, scenarios: [name] }));
  expect(found({ scenarios: [A, B], tasks }, equalServers)).toEqual([]);
});

test.each([
  [{ env: { OTEL_EXPORTER_OTLP_ENDPOINT: '{sink}' } }, 'OTEL_EXPORTER_OTLP_ENDPOINT={sink}'],
  [{ env: { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: '{sink}/v1/traces' } }, 'http://{sink}/v1/traces'],
  [{ env: { DD_TRACE_AGENT_URL: '{sink}' } }, 'DD_TRACE_AGENT_URL={sink}'],
  [{ command: ['java', '-Dotel.exporter.otlp.endpoint={sink}'] }, 'otlp.endpoint={sink}'],
  [{ command: ['node', 'a.js', '--otlp-url={sink}'] }, '--otlp-url={sink}'],
])('an address where an SDK wants a URL is told: %j', (fields, said) => {
  const [caution, ...others] = cautions(fields);
  expect(caution).toStartWith('Scenario b has ');
  expect(caution).toContain(said);
  expect(others).toEqual([]);
});

test.each([
  { env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://{sink}' } },
  { env: { COLLECTOR_HOST: '{sink}' } },
  { command: ['node', 'a.js', '{sink}'] },
])('where it may be meant, it is not: %j', (fields) => {
  expect(cautions(fields)).toEqual([]);
});

test('a server in watch mode is told before it is measured; so is a mode that it does not get', () => {
  const said =
    'Scenario b starts in watch or development mode (--watch). Start it as in production.';
  expect(cautions({ command: ['node', '--watch', 'a.js'] })).toEqual([said]);
  expect(cautions({ env: { NODE_ENV: 'development' } })).toEqual([
    'NODE_ENV=development of scenario b is not used: servers get NODE_ENV=production.',
  ]);
  expect(found({ scenarios: scenarios('a', 'b') }, cautionsOf)).toEqual([]);
});
