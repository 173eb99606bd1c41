import { afterAll, expect, test } from 'bun:test';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import fc from 'fast-check';
import { Intake } from './intake.ts';

/** Counts what requests hold, as a sink does. */
function counting() {
  let spans = 0;
  const intake = new Intake((protocol, payload) => {
    spans += protocol.count?.(payload) ?? 0;
  });
  return { answer: (request: Request) => intake.answer(request), counts: () => ({ spans, fault: intake.fault }) };
}

/** What the SDK really sent, payload by payload. */
const bodies: Uint8Array<ArrayBuffer>[] = [];
let counter = counting();
const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch(request) {
    const body = new Uint8Array(await request.arrayBuffer());
    bodies.push(body);
    return counter.answer(new Request(request.url, { method: 'POST', headers: request.headers, body }));
  },
});
afterAll(() => server.stop(true));

const url = (signal: string) => `http://127.0.0.1:${server.port}/v1/${signal}`;

/** Exports so many spans as the SDK does it. Resolves when they were counted. */
async function exportSpans(count: number, compression: 'none' | 'gzip') {
  counter = counting();
  bodies.length = 0;
  const exporter = new OTLPTraceExporter({ url: url('traces'), compression: compression as never });
  const provider = new BasicTracerProvider({ spanProcessors: [new BatchSpanProcessor(exporter)] });
  for (let index = 0; index < count; index++) {
    const span = provider.getTracer(`${index % 2}`).startSpan('span', { attributes: { text: 'x'.repeat(300) } });
    span.addEvent('event');
    span.end();
  }
  await provider.shutdown();
  return counter.counts();
}

type Body = Uint8Array<ArrayBuffer> | string;
const post = (body: Body, type = 'application/json', encoding = 'identity') =>
  new Request(url('traces'), { method: 'POST', body, headers: { 'content-type': type, 'content-encoding': encoding } });
const PROTOBUF = 'application/x-protobuf';

/** Counts what these requests hold. */
async function counted(...sent: Request[]) {
  const own = counting();
  const answers = await Promise.all(sent.map((request) => own.answer(request)));
  return { ...own.counts(), statuses: answers.map(({ status }) => status) };
}

const json = (spans: unknown) => JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }, {}] }, {}] });

test.each(['none', 'gzip'] as const)('spans of the SDK by protobuf, compression %s', async (compression) => {
  expect(await exportSpans(1_200, compression)).toEqual({ spans: 1_200, fault: null });
});

test('metrics of the SDK are taken, and are no spans', async () => {
  counter = counting();
  const reader = new PeriodicExportingMetricReader({ exporter: new OTLPMetricExporter({ url: url('metrics') }) });
  const provider = new MeterProvider({ readers: [reader] });
  provider.getMeter('own').createCounter('requests').add(1);
  await provider.shutdown();
  expect(counter.counts()).toEqual({ spans: 0, fault: null });
});

test('JSON, compressed or not', async () => {
  const body = json([{}, {}, {}]);
  const zipped = post(Bun.gzipSync(body), 'application/json; charset=utf-8', 'gzip');
  const found = await counted(post(body), zipped, post('{}'), post(json(null)));
  expect(found).toEqual({ spans: 6, fault: null, statuses: [200, 200, 200, 200] });
});

test('no part of a payload is taken for a whole one', async () => {
  await exportSpans(4, 'none');
  const [whole = new Uint8Array()] = bodies;
  const parts = Array.from({ length: whole.length - 1 }, (_, length) => whole.slice(0, length + 1));
  const { spans, statuses } = await counted(...parts.map((part) => post(part, PROTOBUF)));
  expect({ spans, statuses: new Set(statuses) }).toEqual({ spans: 0, statuses: new Set([400]) });
});

test.each([
  ['a list that is none', post('{"resourceSpans":{}}'), '/v1/traces: resourceSpans is no list in a message'],
  ['a text for a list', post(json('text')), 'spans is no list'],
  ['no JSON', post('{'), '/v1/traces: JSON'],
  ['null', post('null'), 'null'],
  ['no gzip', post('no gzip', undefined, 'gzip'), 'header'],
  ['another encoding', post('x', undefined, 'zstd'), 'content-encoding zstd'],
  ['a small payload that unpacks to a large one', post(Bun.gzipSync(new Uint8Array(2 ** 26)), PROTOBUF, 'gzip'), ''],
  ['lists in lists without end', post('['.repeat(1e6)), ''],
  ['groups in groups without end', post(new Uint8Array(1e6).fill(0x13), ''), ''],
])('%s is refused, and the fault is told', async (_, request, fault) => {
  expect(await counted(request)).toEqual({ spans: 0, statuses: [400], fault: expect.stringContaining(fault) });
});

test('any bytes are answered, by 200 or 400', async () => {
  const types = fc.constantFrom('application/json', PROTOBUF, '');
  const encodings = fc.constantFrom('gzip', 'identity');
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), types, encodings, async (bytes, type, encoding) => {
      expect([200, 400]).toContain((await counted(post(bytes, type, encoding))).statuses[0] as number);
    }),
  );
});
