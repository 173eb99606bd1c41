import type { ScenarioInput, SuiteInput } from '../../harness/suite/suite-schema.ts';
import { sdkSampler } from '../tracers/rows.ts';
import { LARGE_QUEUE, LARGE_QUEUE_REMARK } from '../tracers/span-queue.ts';

const attributes = {
  'http.request.method': 'GET',
  'http.route': '/',
  'http.response.status_code': 200,
};

/** The server with these knobs turned. */
function knob(
  name: string,
  title: string,
  env: Record<string, string> = {},
  sampled = 1,
): ScenarioInput {
  const names = Array.from(
    { length: Number(env.ATTRIBUTES ?? 0) },
    (_, index) => `attribute.${index + 1}`,
  );
  const more = Object.fromEntries(names.map((each) => [each, 'value']));
  const span = { name: 'GET /', kind: 'SERVER', attributes: { ...attributes, ...more } } as const;
  const command = ['bun', 'run', 'server.js'];
  return {
    name,
    title,
    command,
    packages: '.',
    export: 'otlp',
    flushesAtEnd: true,
    telemetry: { span, sampled },
    env: { ...LARGE_QUEUE, ...env },
  };
}

const batch = (size: number) => ({ OTEL_BSP_MAX_EXPORT_BATCH_SIZE: String(size) });

/**
 * What each knob of OpenTelemetry's SDK 2 changes: every row turns one, and the first turns none.
 */
export default {
  name: 'knobs',
  title: "Knobs of OpenTelemetry's SDK",
  answer: { body: 'Hi' },
  baseline: 'baseline',
  remarks: [LARGE_QUEUE_REMARK],
  scenarios: [
    {
      name: 'baseline',
      title: 'Hono on Bun',
      command: ['bun', 'run', '../../baseline.ts'],
      telemetry: {},
    },
    knob('default', 'One span: batches of 2,048 at most, every 5 s, protobuf by HTTP'),
    knob('simple', 'Simple processor: each span by itself', { PROCESSOR: 'simple' }),
    knob('json', 'JSON by HTTP', { PROTOCOL: 'json' }),
    knob('grpc', 'gRPC', { PROTOCOL: 'grpc' }),
    knob('gzip', 'gzip', { OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip' }),
    knob('batch-512', 'Batches of 512 (the default)', batch(512)),
    knob('batch-8192', 'Batches of 8,192', batch(8_192)),
    knob('delay-100ms', 'A batch every 0.1 s', { OTEL_BSP_SCHEDULE_DELAY: '100' }),
    knob('attributes-10', '10 more attributes', { ATTRIBUTES: '10' }),
    knob('sampled-10', '10 % sampled', sdkSampler(0.1), 0.1),
    knob('sampled-0', '0 % sampled', sdkSampler(0), 0),
  ],
  full: { warmupSeconds: 15 },
} satisfies SuiteInput;
