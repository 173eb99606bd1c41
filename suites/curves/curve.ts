import type { SpanInput, SuiteInput, TelemetryInput } from '../../harness/suite/suite-schema.ts';
import { level } from '../levels.ts';
import { LARGE_QUEUE, LARGE_QUEUE_REMARK } from '../tracers/span-queue.ts';

const active = level('trace-active').telemetry as TelemetryInput & { span: SpanInput };

/**
 * What the server records of each request: so many spans below the request's own, each nested in
 * the one before.
 */
export function traced(spans: number): TelemetryInput {
  const nested = (left: number): SpanInput[] =>
    left > 0 ? [{ name: 'span', children: nested(left - 1) }] : [];
  return { ...active, span: { ...active.span, children: nested(spans) } };
}

/**
 * A suite of full tracing at several values of something. `telemetryOf` a value: what is recorded
 * then.
 */
export function curve(
  about: { name: string; title: string },
  sweep: NonNullable<SuiteInput['sweep']>,
  telemetryOf: (value: number) => TelemetryInput = () => traced(0),
): SuiteInput {
  // The scenario has its own name at any load.
  const values = sweep.env === undefined ? [] : sweep.values;
  const telemetry = Object.fromEntries(
    values.map((value) => [`traced-${value}`, telemetryOf(value)]),
  );
  return {
    ...about,
    cwd: '..',
    tasks: [
      {
        name: 'default',
        exchanges: [{ answer: { body: 'Hi', mediaType: 'text/plain' }, telemetry }],
      },
    ],
    baseline: 'baseline',
    remarks: [LARGE_QUEUE_REMARK],
    scenarios: [
      {
        name: 'baseline',
        title: 'Baseline',
        command: ['bun', 'run', 'baseline.ts'],
        telemetry: {},
      },
      {
        name: 'traced',
        title: 'Full tracing',
        command: ['bun', 'run', 'suites/curves/server.ts'],
        env: LARGE_QUEUE,
        flushesAtEnd: true,
        telemetry: telemetryOf(0),
      },
    ],
    sweep,
    quick: { durationSeconds: 4, pairs: 4 },
  };
}
