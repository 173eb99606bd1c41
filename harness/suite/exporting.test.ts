import { expect, test } from 'bun:test';
import { asMeasured, exporting, exportModeOf, needsSink } from './exporting.ts';
import type { LoadedTask } from './load.ts';
import { type Scenario, scenarioSchema, taskSchema } from './suite-schema.ts';

const scenario = (more: object): Scenario => scenarioSchema.parse({ name: 'it', command: ['it'], ...more });
const tracing = scenario({ telemetry: { span: { name: 'request' } } });
const metering = scenario({ telemetry: { metrics: [{ name: 'requests' }] } });
const silent = scenario({ telemetry: {} });
const switchedOff = scenario({ telemetry: {}, switchedOff: true });
const unknown = scenario({});
const sentry = scenario({ env: { DSN: 'http://key@{sink}/1', OTHER: '1' } });
const task = { ...taskSchema.parse({ name: 'task', exchanges: [{}] }), baseline: silent, scenarios: [] } as LoadedTask;

test('what records something exports as the user says; what claims nothing has no such variables', () => {
  // Metrics have somewhere to go in any case.
  for (const each of [tracing, metering, switchedOff])
    expect(asMeasured(task, each, 'none', '127.0.0.1:1').env).toEqual({
      OTEL_TRACES_EXPORTER: 'none',
      OTEL_METRICS_EXPORTER: 'otlp',
      OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: 'http://127.0.0.1:1/v1/metrics',
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
    });
  expect(asMeasured(task, tracing, 'otlp', '127.0.0.1:1').env).toEqual({
    OTEL_TRACES_EXPORTER: 'otlp',
    OTEL_METRICS_EXPORTER: 'otlp',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
  });
  for (const each of [silent, unknown]) expect(asMeasured(task, each, 'otlp')).toEqual(each);
  const needing = [tracing, metering, switchedOff, sentry, silent, unknown];
  expect(needing.map((each) => needsSink(task, each))).toEqual([true, true, true, true, false, false]);
});

test("the scenario's own word goes first, and so do its variables", () => {
  expect(exportModeOf({ ...tracing, export: 'none' }, 'otlp')).toBe('none');
  expect(asMeasured(task, { ...tracing, export: 'otlp' }, 'none').env).toMatchObject({ OTEL_TRACES_EXPORTER: 'otlp' });
  const json = { ...tracing, env: { OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' } };
  expect(exporting(json, 'otlp').env).toMatchObject({ OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json' });
});

test('{sink} stands for the address of the sink, which is there whatever the user says', () => {
  expect(exportModeOf(sentry, 'none')).toBe('otlp');
  const { env } = asMeasured(task, sentry, 'none', '127.0.0.1:4318');
  expect(env).toMatchObject({ DSN: 'http://key@127.0.0.1:4318/1', OTHER: '1' });
});
