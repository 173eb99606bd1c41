import { expect, test } from 'bun:test';
import { telemetrySchema } from '../suite/telemetry.ts';
import { described } from './description.ts';
import { type Arrived, differences } from './discrepancies.ts';

const span = { spanId: '1', parentSpanId: undefined, name: 'GET', kind: 'SERVER' as const };

/** What arrived of two requests to one process. */
const seen = (spans: number, logs: Arrived['logs']): Arrived => ({
  spans: Array.from({ length: spans }, (_, at) => ({ ...span, spanId: String(at), attributes: {} })),
  ...{ points: [], logs, fault: null, processes: 1 },
});
const logsOf = (...given: Parameters<typeof seen>) => described([seen(...given)], 2).logs;

test('of a traced request, log records without a trace are not claimed: a proof would not count them', () => {
  expect(logsOf(2, [true, true, false, false])).toEqual({ perRequest: 1 });
  expect(logsOf(2, [false, false])).toBeUndefined();
  expect(logsOf(0, [false, false])).toEqual({ perRequest: 1 });
});

/** What arrived of ten requests to one process, each with these spans, and of two spans of its start. */
function nestedIn(attributes: (at: number) => Record<string, string | number>) {
  const of = (at: number) => [
    { ...span, spanId: `s${at}`, attributes: attributes(at) },
    ...['load', 'render'].map((name) => ({
      ...{ ...span, spanId: `${name}${at}`, parentSpanId: `s${at}` },
      ...{ name, kind: 'INTERNAL' as const, attributes: {} },
    })),
  ];
  const atStart = ['x', 'y'].map((id) => ({
    ...span,
    spanId: id,
    name: 'load',
    kind: 'INTERNAL' as const,
  }));
  const spans = [
    ...Array.from({ length: 10 }, (_, at) => of(at)).flat(),
    ...atStart.map((each) => ({ ...each, attributes: {} })),
  ];
  return { ...seen(0, []), spans };
}

test('what also comes by itself, several times at a start, is ignored in requests, too: a proof accepts what is printed', () => {
  const arrived = nestedIn(() => ({}));
  const telemetry = described([arrived], 10);
  const children = [{ name: 'render', kind: 'INTERNAL' }];
  expect(telemetry).toMatchObject({ span: { name: 'GET', children }, ignore: ['load'] });
  expect(differences([telemetrySchema.parse(telemetry)], 10, arrived)).toEqual([]);
});

test('attributes of this machine, and of versions, are not claimed: another has others', () => {
  const ofPlace = {
    'os.kernel_version': '6.18',
    'device.memory_size': 2,
    'sentry.sdk.version': '11',
    'host.name': 'a',
  };
  const { span: root } = described([nestedIn((at) => ({ ...ofPlace, 'http.route': '/', port: at }))], 10);
  expect(root?.attributes).toEqual({ 'http.route': '/' });
});
