import type { ScenarioInput, SpanInput, SuiteInput } from '../harness/suite/suite-schema.ts';
import { LARGE_QUEUE, LARGE_QUEUE_REMARK } from './tracers/span-queue.ts';

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
  remarks: [LARGE_QUEUE_REMARK],
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
      env: LARGE_QUEUE,
      flushesAtEnd: true,
      telemetry: { metrics, span: serverSpan },
    },
    {
      name: 'trace-10x',
      title: '10 nested spans',
      command: ['bun', 'run', 'trace-10x.ts'],
      env: LARGE_QUEUE,
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
