import { describe, expect, test } from 'bun:test';
import type { ReceivedPoint, ReceivedSpan } from '../sink/protocols/protocol.ts';
import { telemetrySchema } from '../suite/telemetry.ts';
import type { Arrived } from './arrived.ts';
import { findDiscrepancies } from './discrepancies.ts';

const metrics = [{ name: 'duration', attributes: { status: 200 } }];
const children = [{ name: 'a', children: [{ name: 'b' }] }];
const claim = telemetrySchema.parse({
  span: { name: 'GET /', kind: 'SERVER', attributes: { status: 200 }, children },
  metrics,
});

const span = (
  trace: number,
  name: string,
  parent?: string,
  more: Partial<ReceivedSpan> = {},
): ReceivedSpan => ({
  spanId: `${trace} ${name}`,
  parentSpanId: parent && `${trace} ${parent}`,
  name,
  kind: 'INTERNAL',
  attributes: {},
  ...more,
});
const root = (trace: number, more: Partial<ReceivedSpan> = {}) =>
  span(trace, 'GET /', undefined, {
    kind: 'SERVER',
    attributes: { status: 200, other: 1 },
    ...more,
  });
const inner = (trace: number) => [span(trace, 'b', 'a'), span(trace, 'a', 'GET /')];
const trace = (number: number) => [...inner(number), root(number)];
const both = [...trace(1), ...trace(2)];
const roots = (more: Partial<ReceivedSpan>) => [
  ...inner(1),
  root(1, more),
  ...inner(2),
  root(2, more),
];
const point = (count: number, more: Partial<ReceivedPoint> = {}): ReceivedPoint => ({
  metric: 'duration',
  attributes: { status: 200 },
  count,
  series: '',
  ...more,
});
const NOTHING: Arrived = {
  spans: [],
  points: [],
  logs: [],
  profiles: 0,
  fault: null,
  processes: 1,
};
const found = (spans: ReceivedSpan[], points = [point(2)], claimed = claim, requests = 2) =>
  findDiscrepancies([claimed], requests, { ...NOTHING, spans, points });

const NONE = 'expected 1 child spans of INTERNAL "a", received 0';
const REQUESTS = 'expected 2 requests in the metric duration';
const MORE = 'which its telemetry neither names nor ignores';
const STRANGE = 'which none of its telemetry begins with';
const elsewhere = [...trace(1), root(2), span(2, 'a', 'GET /'), span(2, 'b', 'GET /')];
const lost = both.filter(({ spanId }) => spanId !== '1 a');
const THIRD = 'expected 2 traces, one a request, received 3';
const bad = { attributes: { status: 500 } };
const SPANS: [what: string, spans: ReceivedSpan[], ...found: string[]][] = [
  ['exactly what was claimed', both],
  ['the same in another order', both.toReversed()],
  ['one too few', both.slice(1), 'expected 6 spans, received 5', `${NONE} (in 1 of 2 traces)`],
  [
    'one elsewhere',
    elsewhere,
    'expected 1 child spans of SERVER "GET /", received 2 (in 1 of 2 traces)',
  ],
  ['a kind', roots({ kind: 'CLIENT' }), `received CLIENT "GET /", ${STRANGE} (in 2 of 2 traces)`],
  [
    'an attribute',
    roots(bad),
    'SERVER "GET /": expected status 200, received 500 (in 2 of 2 traces)',
  ],
  [
    'each twice',
    [...both, ...both],
    'expected 6 spans, received 12',
    'expected 2 traces, one a request, received 4',
    'expected 1 child spans of SERVER "GET /", received 2 (in 2 of 4 traces)',
    'expected 1 child spans of SERVER "GET /", received 0 (in 2 of 4 traces)',
  ],
  ['a parent that the client named', roots({ parentSpanId: 'x' })],
  [
    'a parent that was lost',
    lost,
    'expected 6 spans, received 5',
    THIRD,
    `received INTERNAL "b", ${STRANGE} (in 1 of 3 traces)`,
    'expected 1 child spans of SERVER "GET /", received 0 (in 1 of 3 traces)',
  ],
];
test.each(SPANS)('spans that differ from the claim are told: %s', (_, spans, ...expected) =>
  expect(found(spans)).toEqual(expected),
);

const METRICS: [what: string, points: ReceivedPoint[], ...found: string[]][] = [
  ['of two processes', [point(1), point(1, { series: '1' })]],
  ['a count', [point(3)], `${REQUESTS}, received 3`],
  [
    'a status',
    [point(2, bad)],
    `${REQUESTS}, received 0`,
    `received the metric duration with {"status":500}, ${MORE}`,
  ],
  ['twice', [point(2), point(2, bad)], `received the metric duration with {"status":500}, ${MORE}`],
  [
    'one that nobody declared',
    [point(2), point(7, { metric: 'memory' })],
    `received the metric memory with {"status":200}, ${MORE}`,
  ],
];
test.each(METRICS)('metrics that differ from the claim are told: %s', (_, points, ...expected) =>
  expect(found(both, points)).toEqual(expected),
);

test('if nothing arrived, all that was claimed is told', () => {
  expect(found([], [])).toEqual([
    'expected 6 spans, received 0',
    'expected 2 traces, one a request, received 0',
    `${REQUESTS}, received 0`,
  ]);
});

test('spans of one name match in any order', () => {
  const url = (path: string) => ({ name: 'GET', attributes: { url: path } });
  const claimed = telemetrySchema.parse({
    span: { name: 'GET /', kind: 'SERVER', children: [url('/a'), url('/b')] },
  });
  const fetched = (path: string) =>
    span(1, 'GET', 'GET /', { spanId: path, attributes: { url: path } });
  const of = (...paths: string[]) => found([...paths.map(fetched), root(1)], [], claimed, 1);
  expect([of('/a', '/b'), of('/b', '/a')]).toEqual([[], []]);
  const loose = telemetrySchema.parse({
    span: { name: 'GET /', kind: 'SERVER', children: [{ name: 'GET' }, url('/a')] },
  });
  expect(found([fetched('/a'), fetched('/b'), root(1)], [], loose, 1)).toEqual([]);
  expect(of('/b', '/c')).toEqual([
    'INTERNAL "GET": expected url "/a", received "/c" (in 1 of 1 traces)',
  ]);
});

test('of several spans, the one is told that is not as it was claimed', () => {
  const query = { name: 'query', attributes: { table: 'users' } };
  const claimed = telemetrySchema.parse({
    span: { name: 'GET /', kind: 'SERVER', children: [{ name: 'cache' }, query] },
  });
  // Spans are compared in the order of their names, so that this one comes first.
  const cache = span(1, 'cache', 'GET /');
  const toldBeside = (other: ReceivedSpan) => found([cache, other, root(1)], [], claimed, 1);
  expect(toldBeside(span(1, 'query', 'GET /', { attributes: { table: 'orders' } }))).toEqual([
    'INTERNAL "query": expected table "users", received "orders" (in 1 of 1 traces)',
  ]);
  expect(toldBeside(span(1, 'write', 'GET /'))).toEqual([
    'expected INTERNAL "query", received INTERNAL "write" (in 1 of 1 traces)',
  ]);
});

test('all that arrives of a server that claims nothing is told', () => {
  const nothing = [telemetrySchema.parse({})];
  const arrived = { ...NOTHING, spans: trace(1), points: [point(2)], fault: 'traces: bad' };
  expect(findDiscrepancies(nothing, 2, arrived)).toEqual([
    "something that can't be read arrived (traces: bad)",
    'expected 0 spans, received 3',
    'expected 0 traces, one a request, received 1',
    `received SERVER "GET /", ${STRANGE} (in 1 of 1 traces)`,
    `received the metric duration with {"status":200}, ${MORE}`,
  ]);
  expect(findDiscrepancies(nothing, 2, NOTHING)).toEqual([]);
});

test('each trace is compared with the claim whose root has its name, values with patterns', () => {
  const attributes = { body: { pattern: '^(?!.*secret)' } };
  const other = telemetrySchema.parse({
    span: { name: 'POST /', kind: 'SERVER', attributes },
    metrics,
  });
  const post = (number: number, body: string) =>
    span(number, 'POST /', undefined, { kind: 'SERVER', attributes: { body } });
  const all = (body: string) => {
    const arrived = {
      ...NOTHING,
      spans: [...trace(1), post(2, 'fine'), post(3, body)],
      points: [point(3)],
    };
    return findDiscrepancies([claim, other, other], 1, arrived);
  };
  expect(all('good')).toEqual([]);
  expect(all('a secret')).toEqual([
    'SERVER "POST /": expected body like /^(?!.*secret)/, received "a secret" (in 1 of 3 traces)',
  ]);
});

test('of sampled requests, as many traces may come as chance allows, each with all its spans', () => {
  const sampled = (share: number, spans: ReceivedSpan[]) =>
    found(spans, [], { ...claim, sampled: share, metrics: [] }, 200);
  const traces = (count: number) =>
    Array.from({ length: count }, (_, number) => trace(number)).flat();
  for (const count of [4, 20, 36]) expect(sampled(0.1, traces(count))).toEqual([]);
  for (const count of [0, 2, 38, 200])
    expect(sampled(0.1, traces(count))).toEqual([
      `expected 4 to 36 traces, one a request, received ${count}`,
    ]);
  expect(sampled(0.1, traces(20).slice(1))).toEqual([`${NONE} (in 1 of 20 traces)`]);
  expect(sampled(0, [])).toEqual([]);
  expect(sampled(0, traces(1))).toContain('expected 0 traces, one a request, received 1');
});

test('a counter that goes up and down has to end at 0', () => {
  const claimed = {
    ...claim,
    metrics: [...claim.metrics, { name: 'active', attributes: {}, perRequest: 0 }],
  };
  const after = (count: number) =>
    found(both, [point(2), point(count, { metric: 'active' })], claimed);
  expect(after(0)).toEqual([]);
  expect(after(1)).toEqual(['expected 0 requests in the metric active, received 1']);
});

describe('what is no span or metric of a request', () => {
  const claimed = { ...claim, atStart: ['boot', 'starts'], ignore: ['beat', { pattern: '^heap' }] };
  const boot = (spanId: string) => span(9, 'boot', undefined, { spanId });
  const beats = [span(8, 'beat'), span(8, 'b', 'beat'), span(1, 'beat', 'a')];
  const points = [point(2), point(1, { metric: 'starts' }), point(1e9, { metric: 'heap.used' })];

  test('a start leaves its spans and metrics once for each process; heartbeats have any number', () => {
    expect(found(both, points.slice(0, 1), claimed)).toEqual([]);
    const all = [
      ...both,
      boot('x'),
      span(7, 'GET /', 'boot', { spanId: 'y', parentSpanId: 'x' }),
      ...beats,
    ];
    expect(found(all, points, claimed)).toEqual([]);
    expect(found([...both, boot('x'), boot('y')], points, claimed)).toEqual([
      'expected 0 to 1 "boot", at most one for each process, received 2',
    ]);
  });

  test('log records are those that each request leaves, and some of the start', () => {
    const claimed = telemetrySchema.parse({ logs: { perRequest: 2 } });
    const logs = (others: number) =>
      findDiscrepancies([claimed], 5, { ...NOTHING, logs: Array(others).fill(false) });
    for (const count of [10, 14]) expect(logs(count)).toEqual([]);
    for (const count of [9, 15])
      expect(logs(count)).toEqual([`expected 10 to 14 log records, received ${count}`]);
    const traced = (count: number, others = 0) =>
      findDiscrepancies([{ ...claim, metrics: [], logs: { perRequest: 1 } }], 2, {
        ...NOTHING,
        spans: both,
        logs: [...Array(count).fill(true), ...Array(others).fill(false)],
      });
    expect([traced(2), traced(2, 3)]).toEqual([[], []]);
    for (const count of [1, 3])
      expect(traced(count, 2)).toEqual([`expected 2 log records with a trace, received ${count}`]);
  });
});

test.each([
  [true, 0, ['expected profiles, received none']],
  [true, 3, []],
  [false, 3, ['expected 0 profiles, received 3']],
  [false, 0, []],
])('profiles arrive if they are claimed (%p), and only then: of %i', (profiles, arrived, found) => {
  const claimed = telemetrySchema.parse({ profiles });
  expect(findDiscrepancies([claimed], 2, { ...NOTHING, profiles: arrived })).toEqual(found);
});
