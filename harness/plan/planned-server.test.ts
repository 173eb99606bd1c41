import { expect, test } from 'bun:test';
import type { Scenario, SuiteTask } from '../suite/suite.ts';
import { scenarioSchema, taskSchema } from '../suite/suite-schema.ts';
import { plannedServer, serverFor, withAddresses } from './planned-server.ts';

const scenario = (more: object): Scenario =>
  scenarioSchema.parse({ name: 'it', command: ['it'], ...more });
const tracing = scenario({
  telemetry: { span: { name: 'request', children: [{ name: 'inner' }] }, sampled: 0.1 },
});
const metering = scenario({ telemetry: { metrics: [{ name: 'requests' }] } });
const silent = scenario({ telemetry: {} });
const switchedOff = scenario({ switchedOff: true });
const unknown = scenario({});
const sentry = scenario({
  command: ['it', '--on={host}:{port}'],
  env: { DSN: 'http://key@{sink}/1', OTHER: '1' },
});

const common = { cwd: '/suite', startWithinSeconds: 10, services: [] };
const task = (exchanges: object[] = [{}]) =>
  ({
    ...taskSchema.parse({ name: 'task', exchanges }),
    baseline: silent,
    scenarios: [],
    warmUp: [],
  }) as SuiteTask;
const planned = (of: Scenario, mode: 'none' | 'otlp' = 'otlp', exchanges?: object[]) =>
  plannedServer(common, task(exchanges), of, mode);

/** Metrics have somewhere to go in any case. */
const METRICS = { OTEL_METRICS_EXPORTER: 'otlp', OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf' };
const COMMON = { ...METRICS, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://{sink}' };
const OTLP = { ...COMMON, OTEL_TRACES_EXPORTER: 'otlp' };
const NONE = { ...COMMON, OTEL_TRACES_EXPORTER: 'none' };

test('what records something, or is switched off, exports as the user says; all else has no such variables', () => {
  for (const each of [tracing, metering, switchedOff]) {
    expect(planned(each)).toMatchObject({
      env: OTLP,
      sink: true,
      cwd: '/suite',
      startWithinSeconds: 10,
    });
    expect(planned(each, 'none')).toMatchObject({ env: NONE, sink: true });
  }
  for (const each of [silent, unknown])
    expect(planned(each)).toMatchObject({ env: {}, sink: false });
});

test("the scenario's own word goes before the user's, and its variables before those that are set for it", () => {
  expect(planned({ ...tracing, export: 'none' }).env).toEqual(NONE);
  expect(planned({ ...tracing, export: 'otlp' }, 'none').env).toEqual(OTLP);
  expect(planned({ ...tracing, cwd: '/own', env: { OTEL_METRICS_EXPORTER: '' } })).toMatchObject({
    cwd: '/own',
    env: { ...OTLP, OTEL_METRICS_EXPORTER: '' },
  });
});

test('{sink} stands for the address of the sink, which is there whatever the user says; {host} and {port}', () => {
  const server = planned(sentry, 'none');
  expect(server).toMatchObject({
    sink: true,
    env: { ...OTLP, DSN: 'http://key@{sink}/1', OTHER: '1' },
  });
  expect(withAddresses(server, { sink: 'host:1', host: '::1', port: '2' })).toMatchObject({
    command: ['it', '--on=::1:2'],
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://host:1', DSN: 'http://key@host:1/1', OTHER: '1' },
  });
});

test('what claims profiles must send some, where they are taken', () => {
  const profiled = scenario({ telemetry: { profiles: true } });
  expect(planned(profiled)).toMatchObject({ sink: true, exportsProfiles: true });
  expect(planned(profiled).exportsSpans).toBe(false);
  expect(planned({ ...profiled, receiver: 'hangs' }).exportsProfiles).toBe(false);
  expect(planned(tracing).exportsProfiles).toBe(false);
});

test('what is proven exports, also if it claims to record nothing', () => {
  expect(serverFor(common, silent, [], 'otlp').env).toEqual(OTLP);
});

test('log records of a request, if all requests have as many', () => {
  const logging = scenario({ telemetry: { logs: { perRequest: 10 } } });
  expect(planned(logging).logRecordsPerRequest).toBe(10);
  expect(planned(logging, 'otlp', [{}, { telemetry: { it: {} } }]).logRecordsPerRequest).toBeNull();
  expect(planned(tracing).logRecordsPerRequest).toBeNull();
  expect(planned(logging, 'none').logRecordsPerRequest).toBeNull();
});

test('spans of a request, if all requests have the same', () => {
  expect(planned(tracing).spans).toEqual({ perRequest: 2, sampled: 0.1 });
  expect(planned(tracing, 'none').spans).toEqual({ perRequest: 0, sampled: 0.1 });
  expect(planned(silent).spans).toEqual({ perRequest: 0, sampled: 1 });
  expect(planned(unknown).spans).toBeNull();
  expect(planned(tracing, 'otlp', [{}, { telemetry: { it: {} } }]).spans).toBeNull();
  const warmedUp = { ...task(), warmUp: task([{ telemetry: { it: {} } }]).exchanges };
  expect(plannedServer(common, warmedUp, tracing, 'otlp').spans).toBeNull();
});
