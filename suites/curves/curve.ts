import type { SpanInput, SuiteInput, TelemetryInput } from '../../harness/suite/suite-schema.ts';
import { level, ROOM, ROOM_REMARK } from '../levels.ts';

const active = level('trace-active').telemetry as TelemetryInput & { span: SpanInput };

/** What the server records of each request: the spans below the request's own, the last one with so many attributes. */
export function traced(spans: number, attributes = 0, sampled = 1): TelemetryInput {
  const names = Array.from({ length: attributes }, (_, index) => `attribute.${index + 1}`);
  const last = { name: 'span', attributes: Object.fromEntries(names.map((name) => [name, 'value'])) };
  const nested = (left: number): SpanInput => (left > 1 ? { name: 'span', children: [nested(left - 1)] } : last);
  return { ...active, sampled, span: { ...active.span, children: spans > 0 ? [nested(spans)] : [] } };
}

/** A suite of full tracing at several values of something. `telemetryOf` a value: what is recorded then. */
export function curve(
  about: { name: string; title: string; env?: Record<string, string> },
  sweep: NonNullable<SuiteInput['sweep']>,
  telemetryOf: (value: number) => TelemetryInput = () => traced(0),
): SuiteInput {
  const { name, title, env = {} } = about;
  const telemetry = Object.fromEntries(sweep.values.map((value) => [`traced-${value}`, telemetryOf(value)]));
  return {
    name,
    title,
    cwd: '..',
    tasks: [{ name: 'default', exchanges: [{ answer: { body: 'Hi', mediaType: 'text/plain' }, telemetry }] }],
    baseline: 'baseline',
    remarks: [ROOM_REMARK],
    scenarios: [
      { name: 'baseline', title: 'Baseline', command: ['bun', 'run', 'baseline.ts'], telemetry: {} },
      {
        name: 'traced',
        title: 'Full tracing',
        command: ['bun', 'run', 'suites/curves/server.ts'],
        env: { ...ROOM, ...env },
        telemetry: telemetryOf(0),
      },
    ],
    sweep,
    quick: { durationSeconds: 4, pairs: 4 },
  };
}
