// Real servers that record what they claim, and some that don't.
import { expect, test } from 'bun:test';
import { resolve } from 'node:path';
import { level } from '../../suites/levels.ts';
import type { Scenario } from '../suite/suite.ts';
import { type SuiteInput, suiteSchema } from '../suite/suite-schema.ts';
import { testFolder } from '../testing/folder.ts';
import { HI, SEND_SPAN, server } from '../testing/sources.ts';
import { exchangesOf, prove } from './proof.ts';

const ROOT = resolve(import.meta.dir, '../..');
const files = testFolder();

type Scenarios = SuiteInput['scenarios'];
const suiteOf = (scenarios: Scenarios, more: Partial<SuiteInput> = {}) =>
  suiteSchema.parse({
    name: 'x',
    cwd: ROOT,
    baseline: scenarios[0]?.name as string,
    scenarios,
    ...more,
  });
const place = { pinning: undefined, listen: '127.0.0.1' };
const proof = (given: Scenarios[number]) => {
  const suite = suiteOf([given]);
  return prove(place, suite, suite.scenarios[0] as Scenario);
};

test.concurrent('any SDK that speaks OTLP is proven, here by protobuf', async () => {
  const span = { name: 'request', kind: 'SERVER' as const, attributes: { sure: true, size: 2 } };
  const telemetry = {
    span: { ...span, children: [{ name: 'inner' }] },
    metrics: [{ name: 'requests', attributes: { status: 200 } }],
  };
  expect(
    await proof({ name: 'own', command: ['bun', 'run', 'tests/fixtures/sdk.ts'], telemetry }),
  ).toEqual({
    ...{ scenario: 'own', requests: 200, spans: 400 },
    metrics: ['requests'],
    notes: [],
  });
});

test.concurrent('a tracer left on: one that claims nothing and records something', async () => {
  await expect(
    proof({ ...level('trace-active'), name: 'left-on', telemetry: {} }),
  ).rejects.toMatchObject({
    scenario: 'left-on',
    what: 'does not do what it claims',
    detail: expect.stringContaining('after 200 requests: expected 0 spans, received 200'),
  });
});

/** A server on Bun with this handler. */
const handling = (file: string, handler: string) => [
  'bun',
  'run',
  files.write(file, server(`${handler} ${HI}`)),
];

test.concurrent('a tracer left on that sends to an agent on this machine, unless it is told otherwise', async () => {
  const agent = "(process.env.ELASTIC_APM_SERVER_URL ?? 'http://127.0.0.1:9')";
  const transaction = '{"transaction":{"id":"1","trace_id":"t","name":"GET /","type":"request"}}';
  const handler = `await fetch(${agent} + '/intake/v2/events', { method: 'POST', body: '${transaction}' });`;
  const found = proof({ name: 'left-on', command: handling('elastic.js', handler), telemetry: {} });
  await expect(found).rejects.toMatchObject({
    detail: expect.stringContaining('expected 0 spans, received 200'),
  });
});

test.concurrent.each([
  { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:9/v1/traces' },
  // No URL, as exporters by gRPC take it.
  { OTEL_EXPORTER_OTLP_ENDPOINT: '127.0.0.1:9' },
])('a tracer left on whose suite says that it sends elsewhere: %j', async (env) => {
  const found = proof({ ...level('trace-active'), name: 'left-on', env, telemetry: {} });
  await expect(found).rejects.toMatchObject({
    detail: expect.stringContaining('expected 0 spans, received 200'),
  });
});

test.concurrent('a tracer left on that sends what nothing takes', async () => {
  const handler =
    "await fetch(process.env.ZIPKIN + '/api/v2/spans', { method: 'POST', body: '[]' });";
  const env = { ZIPKIN: 'http://{sink}' };
  const found = proof({
    name: 'left-on',
    command: handling('zipkin.js', handler),
    env,
    telemetry: {},
  });
  const detail = 'after 200 requests: 200 x POST /api/v2/spans were refused';
  await expect(found).rejects.toMatchObject({ what: 'sends what nothing takes', detail });
});

test.concurrent('a tracer that sends every 2 s, and nothing as it ends', async () => {
  const handler = `
    (state.waiting ??= []).push(async () => { ${SEND_SPAN} });
    state.timer ??= setInterval(() => state.waiting.splice(0).forEach((send) => send()), 2_000);`;
  const span = { name: 'GET /', kind: 'SERVER' as const };
  const proven = await proof({
    name: 'seldom',
    command: handling('seldom.js', handler),
    telemetry: { span },
  });
  expect(proven).toMatchObject({ spans: 200, notes: [] });
});

test.concurrent('a middleware that never ran, and what its server said', async () => {
  const detail = expect.stringMatching(/2000 spans, received 0.* 200 requests in .*, received 0/);
  const bare = files.write('bare.js', `console.error('no exporter');\n${server(HI)}`);
  const found = proof({ ...level('trace-10x'), command: ['bun', 'run', bare] });
  const shown = '; it said: no exporter';
  await expect(found).rejects.toMatchObject({ what: 'records nothing', detail, shown });
});

test.concurrent('a server that is killed because it does not end on SIGTERM: said, and no failure', async () => {
  const source = `process.on('SIGTERM', () => {});\n${server(`${SEND_SPAN} ${HI}`)}`;
  const span = { name: 'GET /', kind: 'SERVER' as const };
  const command = ['bun', 'run', files.write('hangs.js', source)];
  const proven = await proof({ name: 'hangs', command, telemetry: { span } });
  expect(proven).toMatchObject({
    notes: ['did not end within 5 s of SIGTERM, and was killed'],
    spans: 200,
  });
}, 120_000);

test('each request once, also if several tasks send it; and only of scenarios that claim something', async () => {
  const exchange = { telemetry: { b: {} } };
  const tasks = ['one', 'two'].map((name) => ({ name, exchanges: [exchange] }));
  const suite = suiteOf(
    ['a', 'b'].map((name) => ({ name, command: ['x'] })),
    { tasks },
  );
  const [a, b] = suite.scenarios as [Scenario, Scenario];
  expect(exchangesOf(suite, b)).toHaveLength(1);
  expect(await prove(place, suite, a)).toBeUndefined();
});
