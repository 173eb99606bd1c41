import { expect, test } from 'bun:test';
import type { ReceivedPoint, ReceivedSpan } from '../sink/protocol.ts';
import { telemetrySchema } from '../suite/telemetry.ts';
import { differences } from './discrepancies.ts';

const claim = telemetrySchema.parse({
  span: {
    name: 'GET /',
    kind: 'SERVER',
    attributes: { status: 200 },
    children: [{ name: 'a', children: [{ name: 'b' }] }],
  },
  metrics: [{ name: 'duration', attributes: { status: 200 } }],
});

const span = (trace: number, name: string, parent?: string, more: Partial<ReceivedSpan> = {}): ReceivedSpan => ({
  traceId: `trace ${trace}`,
  spanId: `${trace} ${name}`,
  parentSpanId: parent && `${trace} ${parent}`,
  name,
  kind: 'INTERNAL',
  attributes: {},
  ...more,
});
const root = (trace: number, more: Partial<ReceivedSpan> = {}) =>
  span(trace, 'GET /', undefined, { kind: 'SERVER', attributes: { status: 200, other: 1 }, ...more });
const trace = (number: number) => [span(number, 'b', 'a'), span(number, 'a', 'GET /'), root(number)];
const point = (count: number, more: Partial<ReceivedPoint> = {}): ReceivedPoint => ({
  metric: 'duration',
  attributes: { status: 200 },
  resource: {},
  count,
  isDelta: false,
  ...more,
});
const found = (spans: ReceivedSpan[], points = [point(2)]) =>
  differences([{ claimed: claim, requests: 2 }], { spans, points, fault: null });

test('exactly what was claimed, in whatever order it came', () => {
  expect(found([...trace(1), ...trace(2)])).toEqual([]);
  expect(found([...trace(2), ...trace(1)].reverse(), [point(1), point(1, { resource: { a: 1 } })])).toEqual([]);
});

test('nothing arrived', () => {
  expect(found([], [])).toEqual([
    'expected 6 spans, 3 a request, received 0',
    'expected 2 traces, one a request, received 0',
    'expected 2 requests in the metric duration, received 0',
  ]);
});

test('one span too few, and one that hangs elsewhere', () => {
  expect(found([...trace(1), ...trace(2).slice(1)])).toEqual([
    'expected 6 spans, 3 a request, received 5',
    'expected 1 child spans of INTERNAL "a", received 0 (in 1 of 2 traces)',
  ]);
  expect(found([...trace(1), root(2), span(2, 'a', 'GET /'), span(2, 'b', 'GET /')])).toEqual([
    'expected 1 child spans of SERVER "GET /", received 2 (in 1 of 2 traces)',
  ]);
});

test('a wrong kind, name, attribute or parent, counted over traces', () => {
  const inner = (number: number) => trace(number).slice(0, 2);
  const roots = (more: Partial<ReceivedSpan>) => found([...inner(1), root(1, more), ...inner(2), root(2, more)]);
  expect(roots({ kind: 'CLIENT' })).toEqual(['expected SERVER "GET /", received CLIENT "GET /" (in 2 of 2 traces)']);
  expect(roots({ attributes: { status: 500 } })).toEqual([
    'SERVER "GET /": expected status 200, received 500 (in 2 of 2 traces)',
  ]);
  expect(roots({ parentSpanId: 'elsewhere' })).toEqual([
    'the parent of SERVER "GET /" did not arrive (in 2 of 2 traces)',
  ]);
});

test('all requests in one trace', () => {
  const joined = [...trace(1), ...trace(2)].map((each) => ({ ...each, traceId: 'same' }));
  expect(found(joined)).toEqual([
    'expected 2 traces, one a request, received 1',
    'expected one span without a parent, received 2 (in 1 of 1 traces)',
  ]);
});

test('metrics: a wrong count, a wrong status, one that nobody declared', () => {
  const spans = [...trace(1), ...trace(2)];
  expect(found(spans, [point(3)])).toEqual(['expected 2 requests in the metric duration, received 3']);
  expect(found(spans, [point(2, { attributes: { status: 500 } })])).toEqual([
    'expected 2 requests in the metric duration, received 0; expected status 200, received 500',
  ]);
  expect(found(spans, [point(2), point(7, { metric: 'memory' })])).toEqual([
    'received the metric memory, which its telemetry does not name',
  ]);
});

test('a level that claims nothing, and still exports', () => {
  const none = telemetrySchema.parse({});
  const received = { spans: trace(1), points: [point(2)], fault: 'traces: bad' };
  expect(differences([{ claimed: none, requests: 2 }], received)).toEqual([
    "something that can't be read arrived (traces: bad)",
    'expected no span, received 3 (INTERNAL "b")',
    'received the metric duration, which its telemetry does not name',
  ]);
  expect(differences([{ claimed: none, requests: 2 }], { spans: [], points: [], fault: null })).toEqual([]);
});

test('several requests: each trace by the claim whose root has its name; values by pattern', () => {
  const other = telemetrySchema.parse({
    span: { name: 'POST /', kind: 'SERVER', attributes: { body: { pattern: '^(?!.*secret)' } } },
    metrics: [{ name: 'duration', attributes: { status: 200 } }],
  });
  const expectations = [
    { claimed: claim, requests: 1 },
    { claimed: other, requests: 2 },
  ];
  const post = (number: number, body: string) =>
    span(number, 'POST /', undefined, { kind: 'SERVER', attributes: { body } });
  const all = (body: string) => ({
    spans: [...trace(1), post(2, 'fine'), post(3, body)],
    points: [point(3)],
    fault: null,
  });
  expect(differences(expectations, all('good'))).toEqual([]);
  expect(differences(expectations, all('a secret'))).toEqual([
    'SERVER "POST /": expected body like /^(?!.*secret)/, received "a secret" (in 1 of 3 traces)',
  ]);
});

test('a share of the requests is traced: as many traces as chance allows, each with all of its spans', () => {
  const sampled = (share: number, received: ReceivedSpan[]) =>
    differences([{ claimed: { ...claim, sampled: share, metrics: [] }, requests: 200 }], {
      spans: received,
      points: [],
      fault: null,
    });
  const traces = (count: number) => Array.from({ length: count }, (_, number) => trace(number)).flat();
  for (const count of [4, 20, 36]) expect(sampled(0.1, traces(count))).toEqual([]);
  for (const count of [0, 2, 38, 200])
    expect(sampled(0.1, traces(count))).toEqual([`expected 20 ± 16 traces, one a request, received ${count}`]);
  expect(sampled(0.1, traces(20).slice(1))).toEqual([
    'expected 1 child spans of INTERNAL "a", received 0 (in 1 of 20 traces)',
  ]);
  expect(sampled(0, [])).toEqual([]);
  expect(sampled(0, traces(1))).toContain('expected 0 traces, one a request, received 1');
});

test('a counter that goes up and down', () => {
  const up = { name: 'active', attributes: {}, perRequest: 0 };
  const claimed = { ...claim, metrics: [...claim.metrics, up] };
  const received = (count: number) => ({
    spans: [...trace(1), ...trace(2)],
    points: [point(2), point(count, { metric: 'active' })],
    fault: null,
  });
  expect(differences([{ claimed, requests: 2 }], received(0))).toEqual([]);
  expect(differences([{ claimed, requests: 2 }], received(1))).toEqual([
    'expected 0 requests in the metric active, received 1',
  ]);
});
