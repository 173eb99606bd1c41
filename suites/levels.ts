import type { ScenarioInput, SpanInput, SuiteInput } from '../harness/suite/suite-schema.ts';

const attributes = {
  'http.request.method': 'GET',
  'http.route': '/',
  'http.response.status_code': 200,
  'url.scheme': 'http',
};
const metrics = [{ name: 'http.server.request.duration', attributes }];
const serverSpan = { name: 'GET /', kind: 'SERVER', attributes } as const;

/** INTERNAL spans `span 2` to `span 10`, each nested in the one before. */
export const nested = (number: number): SpanInput => ({
  name: `span ${number}`,
  children: number < 10 ? [nested(number + 1)] : [],
});

/**
 * For servers on OpenTelemetry's SDK that export, and what must then be said beside their table.
 */
export const ROOM = { OTEL_BSP_MAX_QUEUE_SIZE: '65536', OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '2048' };
export const ROOM_REMARK =
  "At full load, OpenTelemetry's defaults may lose spans. So here the queue is larger (OTEL_BSP_MAX_QUEUE_SIZE is 65,536, not 2,048), and so are batches (OTEL_BSP_MAX_EXPORT_BATCH_SIZE is 2,048, not 512).";

/** The five servers at the top level: the same answer at rising levels of instrumentation. */
const levels = {
  name: 'levels',
  title: 'Instrumentation levels',
  cwd: '..',
  request: { method: 'GET', path: '/' },
  answer: { status: 200, body: 'Hi', mediaType: 'text/plain' },
  baseline: 'baseline',
  isLadder: true,
  headline: 'trace-active',
  remarks: [ROOM_REMARK],
  scenarios: [
    {
      name: 'baseline',
      title: 'Baseline (not instrumented)',
      command: ['bun', 'run', 'baseline.ts'],
      telemetry: {},
    },
    {
      name: 'inspector-disabled',
      title: 'Inspector deactivated',
      command: ['bun', 'run', 'inspector-disabled.ts'],
      telemetry: {},
      switchedOff: true,
    },
    {
      name: 'trace-disabled',
      title: 'Tracing disabled (metrics only)',
      command: ['bun', 'run', 'trace-disabled.ts'],
      telemetry: { metrics },
    },
    {
      name: 'trace-active',
      title: 'Tracing enabled (metrics + tracing)',
      command: ['bun', 'run', 'trace-active.ts'],
      env: ROOM,
      flushesAtEnd: true,
      telemetry: { metrics, span: serverSpan },
    },
    {
      name: 'trace-10x',
      title: '10 nested spans',
      command: ['bun', 'run', 'trace-10x.ts'],
      env: ROOM,
      flushesAtEnd: true,
      telemetry: { metrics, span: { ...serverSpan, children: [nested(2)] } },
    },
  ],
  // Five rows in three minutes: on Bun, costs after 3 s are those of a full run, with wider
  // intervals.
  quick: { warmupSeconds: 3 },
} satisfies SuiteInput;

export default levels;

export const level = (name: string) =>
  levels.scenarios.find((scenario) => scenario.name === name) as ScenarioInput;
