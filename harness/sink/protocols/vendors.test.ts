// Payloads that @sentry/bun 11.8.0 and dd-trace 6.21.0 once sent.
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { encode } from '@msgpack/msgpack';
import { datadog } from './datadog.ts';
import { elastic } from './elastic.ts';
import type { Protocol } from './protocol.ts';
import { sentry } from './sentry.ts';

const recorded = (name: string) =>
  new Uint8Array(readFileSync(join(import.meta.dir, 'fixtures', name)));
const text = (envelope: string) => new TextEncoder().encode(envelope);

const spansIn = ({ decode, spanOf }: Protocol, body: Uint8Array) =>
  (decode({ path: '', mediaType: '', body }).spans ?? []).map(spanOf);

test("spans are decoded from an envelope of Sentry's", () => {
  const [span, ...others] = spansIn(sentry, recorded('sentry-spans.envelope'));
  expect(others).toEqual([]);
  expect(span).toMatchObject({
    spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
    parentSpanId: undefined,
    name: 'GET',
    kind: 'SERVER',
    attributes: { 'http.request.method': 'GET', 'http.response.status_code': 200 },
  });
});

test("a transaction of Sentry's is decoded as a span, and so is the span in it", () => {
  const [root, inner, ...others] = spansIn(sentry, recorded('sentry-transaction.envelope'));
  expect(others).toEqual([]);
  expect(root).toMatchObject({ parentSpanId: undefined, name: 'GET /', kind: 'SERVER' });
  expect(root?.attributes['http.response.status_code']).toBe(200);
  expect(inner).toMatchObject({ name: 'inner', kind: 'INTERNAL', parentSpanId: root?.spanId });
});

test.each(['-1', '"x"', '{}'])('an item whose length is %s is no item', (length) => {
  expect(() => spansIn(sentry, text(`{}\n{"type":"attachment","length":${length}}\nab\n`))).toThrow(
    'no length',
  );
});

test('other items of an envelope hold no spans, and what is no envelope is refused', () => {
  const session = '{"type":"session"}\n{"sid":"1"}';
  const attachment = '{"type":"attachment","length":5}\na\n\nbc';
  expect(spansIn(sentry, text(`{}\n${attachment}\n${session}\n`))).toEqual([]);
  expect(spansIn(sentry, text('{}'))).toEqual([]);
  expect(() => spansIn(sentry, text('{}\nnonsense\n{}'))).toThrow();
});

test("profiles in envelopes of Sentry's are counted, with a transaction or in chunks", () => {
  const item = (type: string) => `{"type":"${type}"}\n{}\n`;
  const body = text(`{}\n${item('profile')}${item('profile_chunk')}${item('session')}`);
  expect(sentry.decode({ path: '', mediaType: '', body })).toEqual({ spans: [], profiles: 2 });
});

test('the number of spans that an item states is ignored, and what is no list is refused', () => {
  const item = (items: string) => text(`{}\n{"type":"span","item_count":3}\n{"items":${items}}\n`);
  expect(spansIn(sentry, item('[{"name":"a"},{"name":"b"}]'))).toHaveLength(2);
  for (const items of ['2', '"ab"', '{"length":2}', '[null]'])
    expect(() => spansIn(sentry, item(items))).toThrow();
});

test("spans are decoded from traces for Datadog's agent", () => {
  const spans = spansIn(datadog, recorded('datadog-traces.msgpack'));
  expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(2);
  for (const span of spans)
    expect(span).toMatchObject({
      parentSpanId: undefined,
      name: 'web.request',
      kind: 'SERVER',
      attributes: { 'http.status_code': '200' },
    });
  expect(() => spansIn(datadog, text('nonsense'))).toThrow();
  // Those of Python and PHP leave out the parent of a root.
  const root = encode([[{ trace_id: 1, span_id: 2, name: 'web.request', resource: 'GET /' }]]);
  expect(spansIn(datadog, root)).toMatchObject([{ spanId: '2', parentSpanId: undefined }]);
});

test("spans and transactions are decoded from lines of Elastic's events", () => {
  const ids = (id: string) => `"id":"${id}","trace_id":"t"`;
  const context = '"context":{"response":{"status_code":200}}';
  const request = `{"transaction":{${ids('1')},"name":"GET /","type":"request",${context}}}`;
  const query = `{"span":{${ids('2')},"parent_id":"1","name":"SELECT","type":"db"}}`;
  const events = `{"metadata":{}}\n${request}\n${query}\n`;
  expect(spansIn(elastic, text(events))).toMatchObject([
    {
      parentSpanId: undefined,
      name: 'GET /',
      kind: 'SERVER',
      attributes: { 'http.status_code': 200 },
    },
    { parentSpanId: '1', name: 'SELECT', kind: 'INTERNAL' },
  ]);
});
