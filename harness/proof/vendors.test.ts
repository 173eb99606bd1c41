// Payloads that @sentry/bun 11.8.0 and dd-trace 6.21.0 once sent.
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeTraces } from './datadog.ts';
import { Receiver } from './receiver.ts';
import { decodeEnvelope } from './sentry.ts';

const recorded = (name: string) => new Uint8Array(readFileSync(join(import.meta.dir, 'fixtures', name)));
const text = (envelope: string) => new TextEncoder().encode(envelope);

test('spans in an envelope', () => {
  const [span, ...others] = decodeEnvelope(recorded('sentry-spans.envelope'));
  expect(others).toEqual([]);
  expect(span).toMatchObject({
    traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
    spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
    parentSpanId: undefined,
    name: 'GET',
    kind: 'SERVER',
    attributes: { 'http.request.method': 'GET', 'http.response.status_code': 200 },
  });
});

test('a transaction in an envelope, and the span in it', () => {
  const [root, inner, ...others] = decodeEnvelope(recorded('sentry-transaction.envelope'));
  expect(others).toEqual([]);
  expect(root).toMatchObject({ parentSpanId: undefined, name: 'GET /', kind: 'SERVER' });
  expect(root?.attributes['http.response.status_code']).toBe(200);
  expect(inner).toMatchObject({ name: 'inner', kind: 'INTERNAL', traceId: root?.traceId, parentSpanId: root?.spanId });
});

test('an envelope of other items, one of them with its length; and what is no envelope', () => {
  const session = '{"type":"session"}\n{"sid":"1"}';
  const attachment = '{"type":"attachment","length":5}\na\n\nbc';
  expect(decodeEnvelope(text(`{}\n${attachment}\n${session}\n`))).toEqual([]);
  expect(decodeEnvelope(text('{}'))).toEqual([]);
  expect(() => decodeEnvelope(text('{}\nnonsense\n{}'))).toThrow();
});

test("traces at the Datadog agent's endpoint", () => {
  const spans = decodeTraces(recorded('datadog-traces.msgpack'));
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(2);
  for (const span of spans)
    expect(span).toMatchObject({
      parentSpanId: undefined,
      name: 'web.request',
      kind: 'SERVER',
      attributes: { 'http.status_code': '200' },
    });
  expect(() => decodeTraces(text('nonsense'))).toThrow();
});

test('the receiver takes both, and answers as each expects', async () => {
  await using receiver = new Receiver();
  const send = (method: string, path: string, name: string) =>
    fetch(`http://${receiver.address}${path}`, { method, body: recorded(name) });
  const answers = [
    await send('POST', '/api/1/envelope/', 'sentry-spans.envelope'),
    await send('PUT', '/v0.4/traces', 'datadog-traces.msgpack'),
  ];
  for (const answer of answers) expect(await answer.json()).toEqual({});
  expect(receiver.spans.map(({ kind }) => kind)).toEqual(['SERVER', 'SERVER', 'SERVER']);
  expect((await send('PUT', '/v0.4/traces', 'sentry-spans.envelope')).status).toBe(400);
  expect(receiver.malformed).toBe(1);
});
