import { expect, test } from 'bun:test';
import { brotliCompressSync } from 'node:zlib';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import fc from 'fast-check';
import { Intake } from './intake.ts';
import { describeRefusals } from './refusals.ts';

type Body = Uint8Array<ArrayBuffer> | string;
const post = (body: Body, type = 'application/json', encoding = 'identity') => {
  const headers = { 'content-type': type, 'content-encoding': encoding };
  return new Request('http://127.0.0.1/v1/traces', { method: 'POST', body, headers });
};
const PROTOBUF = 'application/x-protobuf';

/** Counts what these requests hold, as a sink does. */
async function counted(...sent: Request[]) {
  let spans = 0;
  const intake = new Intake((protocol, payload) => {
    spans += protocol.decode(payload).spans?.length ?? 0;
  });
  const answers = await Promise.all(sent.map((request) => intake.answer(request)));
  return { spans, fault: intake.fault, statuses: answers.map(({ status }) => status) };
}

const json = (spans: unknown) =>
  JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }, {}] }, {}] });

test('JSON is taken, compressed or not', async () => {
  const body = json([{}, {}, {}]);
  const zipped = post(Bun.gzipSync(body), 'application/json; charset=utf-8', 'gzip');
  const brotli = post(new Uint8Array(brotliCompressSync(body)), 'application/json', 'br');
  const found = await counted(post(body), zipped, brotli, post('{}'), post(json(null)));
  expect(found).toEqual({ spans: 9, fault: null, statuses: [200, 200, 200, 200, 200] });
});

test('a part of a payload of the SDK is never taken for a whole one', async () => {
  const { promise: sent, resolve } = Promise.withResolvers<Uint8Array<ArrayBuffer>>();
  const take = async (request: Request) => {
    resolve(new Uint8Array(await request.arrayBuffer()));
    return new Response();
  };
  await using server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: take });
  const exporter = new OTLPTraceExporter({ url: server.url.href });
  const provider = new BasicTracerProvider({ spanProcessors: [new BatchSpanProcessor(exporter)] });
  for (const name of ['one', 'two']) {
    const span = provider.getTracer(name).startSpan('span', { attributes: { text: 'x' } });
    span.addEvent('event').end();
  }
  await provider.shutdown();
  const whole = await sent;
  expect(await counted(post(whole, PROTOBUF))).toMatchObject({ spans: 2, fault: null });
  const parts = Array.from({ length: whole.length - 1 }, (_, length) => whole.slice(0, length + 1));
  const { spans, statuses } = await counted(...parts.map((part) => post(part, PROTOBUF)));
  expect({ spans, statuses: new Set(statuses) }).toEqual({ spans: 0, statuses: new Set([400]) });
});

test.each([
  [
    'a list that is none',
    post('{"resourceSpans":{}}'),
    '/v1/traces: resourceSpans is no list in a message',
  ],
  ['a text for a list', post(json('text')), 'spans is no list'],
  ['no JSON', post('{'), '/v1/traces: JSON'],
  ['null', post('null'), 'null'],
  ['no gzip', post('no gzip', undefined, 'gzip'), 'header'],
  ['another encoding', post('x', undefined, 'zstd'), 'content-encoding zstd'],
  [
    'a small payload that unpacks to a large one',
    post(Bun.gzipSync(new Uint8Array(2 ** 26)), PROTOBUF, 'gzip'),
    '',
  ],
  ['a large payload', post('x'.repeat(2 ** 24 + 1)), 'more than 16777216 bytes'],
  ['lists in lists without end', post('['.repeat(1e6)), ''],
  ['groups in groups without end', post(new Uint8Array(1e6).fill(0x13), ''), ''],
])('%s is refused as malformed, and the fault is told', async (_, request, fault) => {
  expect(await counted(request)).toEqual({
    spans: 0,
    statuses: [400],
    fault: expect.stringContaining(fault),
  });
});

test('a request that breaks off is refused, and is no fault', async () => {
  const intake = new Intake(() => {});
  const body = new ReadableStream({
    pull: (controller) => controller.error(new Error('The connection was closed.')),
  });
  await intake.answer(new Request('http://127.0.0.1/v1/traces', { method: 'POST', body }));
  expect([intake.fault, describeRefusals(intake.refused)]).toEqual([
    null,
    ['1 x POST /v1/traces, broken off, was refused'],
  ]);
});

test('a tracer that asks what is taken is answered, and that is no payload', async () => {
  const intake = new Intake(() => {});
  expect((await intake.answer(new Request('http://127.0.0.1/info'))).status).toBe(200);
  expect(intake.payloads).toBe(0);
});

test('any bytes are answered by 200 or 400', async () => {
  const types = fc.constantFrom('application/json', PROTOBUF, '');
  const encodings = fc.constantFrom('gzip', 'identity');
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 200 }),
      types,
      encodings,
      async (bytes, type, encoding) => {
        expect([200, 400]).toContain(
          (await counted(post(bytes, type, encoding))).statuses[0] as number,
        );
      },
    ),
  );
});
