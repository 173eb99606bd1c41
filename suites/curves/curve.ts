import type { SuiteInput } from '../../harness/suite/suite-schema.ts';
import levels from '../levels.ts';

type Telemetry = NonNullable<SuiteInput['scenarios'][number]['telemetry']>;
type Span = NonNullable<Telemetry['span']>;
type Sweep = NonNullable<SuiteInput['sweep']>;

const active = levels.scenarios.find(({ name }) => name === 'trace-active')?.telemetry as Telemetry & { span: Span };

/** What the server records of each request: the spans below the request's own, the last one with so many attributes. */
export function traced(spans: number, attributes = 0, sampled = 1): Telemetry {
  const names = Array.from({ length: attributes }, (_, index) => `attribute.${index + 1}`);
  const nested = (left: number): Span[] =>
    left === 0
      ? []
      : [
          {
            name: 'span',
            attributes: left === 1 ? Object.fromEntries(names.map((name) => [name, 'value'])) : {},
            children: nested(left - 1),
          },
        ];
  return { ...active, sampled, span: { ...active.span, children: nested(spans) } };
}

/** A suite of full tracing at several values of something. `telemetryOf` a value: what is recorded then. */
export function curve(
  about: { name: string; title: string; env?: Record<string, string> },
  sweep: Sweep,
  telemetryOf: (value: number) => Telemetry = () => traced(0),
): SuiteInput {
  const { name, title, env = {} } = about;
  const telemetry = Object.fromEntries(sweep.values.map((value) => [`traced-${value}`, telemetryOf(value)]));
  return {
    name,
    title,
    cwd: '..',
    tasks: [{ name: 'default', exchanges: [{ answer: { body: 'Hi', mediaType: 'text/plain' }, telemetry }] }],
    baseline: 'baseline',
    scenarios: [
      { name: 'baseline', title: 'Baseline', command: ['bun', 'run', 'baseline.ts'], telemetry: {} },
      {
        name: 'traced',
        title: 'Full tracing',
        command: ['bun', 'run', 'suites/curves/server.ts'],
        env,
        telemetry: telemetryOf(0),
      },
    ],
    sweep,
    quick: { durationSeconds: 4, pairs: 4 },
  };
}
