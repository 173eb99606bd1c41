// What becomes of a scenario's claims. Real servers show that real tracers are seen; all else is
// shown on fakes.
import { expect, setDefaultTimeout, test } from 'bun:test';
import { resolve } from 'node:path';
import { level } from '../../suites/levels.ts';
import type { Scenario } from '../suite/suite.ts';
import { type SuiteInput, suiteSchema } from '../suite/suite-schema.ts';
import { type FakeBehaviour, fakeProofWorld } from '../testing/fake-proof-world.ts';
import { exchangesOf, proofFor } from './proof.ts';

// Real servers start, and their spans are waited for, on a machine that may be busy.
setDefaultTimeout(300_000);

const ROOT = resolve(import.meta.dir, '../..');

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
  return proofFor(place, suite, suite.scenarios[0] as Scenario);
};

/** Proves a server that behaves like that. */
const fakeProof = (behaviour: FakeBehaviour, telemetry: Scenarios[number]['telemetry']) => {
  const suite = suiteOf([{ name: 'fake', command: ['fake'], telemetry }]);
  const [scenario] = suite.scenarios as [Scenario];
  return proofFor(place, suite, scenario, fakeProofWorld(behaviour).world);
};
const SPAN = { name: 'GET /', kind: 'SERVER' as const };

test.concurrent('any SDK that speaks OTLP is proven, here by protobuf', async () => {
  const span = { name: 'request', kind: 'SERVER' as const, attributes: { sure: true, size: 2 } };
  const telemetry = {
    span: { ...span, children: [{ name: 'inner' }] },
    metrics: [{ name: 'requests', attributes: { status: 200 } }],
  };
  const command = ['bun', 'run', 'tests/fixtures/sdk.ts'];
  expect(await proof({ name: 'own', command, telemetry })).toEqual({
    scenario: 'own',
    requests: 200,
    spans: 400,
    metrics: ['requests'],
    notes: [],
  });
});

test.concurrent.each([{}, { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:9/v1/traces' }])(
  'a tracer left on is found, also if its suite says that it sends elsewhere: %j',
  async (env) => {
    const found = proof({ ...level('trace-active'), name: 'left-on', env, telemetry: {} });
    await expect(found).rejects.toMatchObject({
      scenario: 'left-on',
      what: 'does not do what it claims',
      detail: expect.stringContaining('after 200 requests: expected 0 spans, received 200'),
    });
  },
);

test('a tracer left on that sends to an agent on this machine is found', async () => {
  const transaction = { id: '1', trace_id: 't', name: 'GET /', type: 'request' };
  const found = fakeProof(
    {
      onRequest: ({ env, send }) =>
        send(`${env.ELASTIC_APM_SERVER_URL}/intake/v2/events`, { transaction }),
    },
    {},
  );
  await expect(found).rejects.toMatchObject({
    what: 'does not do what it claims',
    detail: expect.stringContaining('expected 0 spans, received 200'),
  });
});

test('a tracer left on that sends what nothing takes is found', async () => {
  const found = fakeProof(
    {
      onRequest: ({ env, send }) => send(`${env.ELASTIC_APM_SERVER_URL}/api/v2/spans`, []),
    },
    {},
  );
  const detail = 'after 200 requests: 200 x POST /api/v2/spans were refused';
  await expect(found).rejects.toMatchObject({ what: 'sends what nothing takes', detail });
});

test('a server that records nothing may send what is refused and holds no spans', async () => {
  const proven = await fakeProof(
    { onRequest: ({ env, send }) => send(`${env.ELASTIC_APM_SERVER_URL}/statistics`, {}) },
    {},
  );
  expect(proven).toEqual({
    scenario: 'fake',
    requests: 200,
    spans: 0,
    metrics: [],
    notes: ['200 x POST /statistics were refused'],
  });
});

test('a middleware that never ran is found, and what its server said is shown', async () => {
  const metrics = [{ name: 'requests' }];
  const children = Array.from({ length: 9 }, () => ({ name: 'inner' }));
  const found = fakeProof({ output: 'no exporter' }, { span: { ...SPAN, children }, metrics });
  const detail = expect.stringMatching(/2000 spans, received 0.* 200 requests in .*, received 0/);
  const shown = '; it said: no exporter';
  await expect(found).rejects.toMatchObject({ what: 'records nothing', detail, shown });
});

test('a server that does not end on SIGTERM is proven, and the kill is noted', async () => {
  const proven = await fakeProof(
    { onRequest: ({ sendSpans }) => sendSpans('GET /'), isKilled: true },
    { span: SPAN },
  );
  expect(proven).toMatchObject({
    notes: ['did not end within 5 s of SIGTERM, and was killed'],
    spans: 200,
  });
});

test('a request of several tasks is proven once, if its scenario claims something', async () => {
  const exchange = { telemetry: { b: {} } };
  const tasks = ['one', 'two'].map((name) => ({ name, exchanges: [exchange] }));
  const suite = suiteOf(
    ['a', 'b'].map((name) => ({ name, command: ['x'] })),
    { tasks },
  );
  const [a, b] = suite.scenarios as [Scenario, Scenario];
  expect(exchangesOf(suite, b)).toHaveLength(1);
  expect(await proofFor(place, suite, a)).toBeUndefined();
});
