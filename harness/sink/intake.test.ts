import { afterAll, expect, test } from 'bun:test';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import fc from 'fast-check';
import { Intake } from './intake.ts';

/** Counts as a sink does. */
function counting() {
  let spans = 0;
  const intake = new Intake((protocol, payload) => {
    spans += protocol.count?.(payload) ?? 0;
  });
  return { answer: (request: Request) => intake.answer(request), counts: () => ({ spans, fault: intake.fault }) };
}

/** What the SDK really sent, payload by payload. */
const bodies: Uint8Array[] = [];
let counter = counting();
const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch(request) {
    const body = await request.bytes();
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
  for (const scope of ['one', 'other']) {
    const tracer = provider.getTracer(scope);
    for (let index = 0; index < count / 2; index++) {
      const span = tracer.startSpan(`span ${index}`, { attributes: { size: index, text: 'x'.repeat(300) } });
      span.addEvent('event', { of: scope });
      span.end();
    }
  }
  await provider.shutdown();
  return counter.counts();
}

const post = (
  body: Uint8Array<ArrayBuffer> | string,
  type = 'application/json',
  headers: Record<string, string> = {},
  signal = 'traces',
) => new Request(url(signal), { method: 'POST', body, headers: { 'content-type': type, ...headers } });

/** Counts what these requests hold. */
async function counted(...sent: Request[]) {
  const own = counting();
  const answers = await Promise.all(sent.map((request) => own.answer(request)));
  return { ...own.counts(), statuses: answers.map(({ status }) => status) };
}

const json = (spans: unknown) => JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }, {}] }, {}] });

test.each(['none', 'gzip'] as const)('spans of the SDK by protobuf, compression %s', async (compression) => {
  expect(await exportSpans(1_200, compression)).toEqual({ spans: 1_200, fault: null });
  const sizes = bodies.map(({ length }) => length);
  expect(Math.min(...sizes) < 50_000).toBe(compression === 'gzip');
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
  const zipped = post(Bun.gzipSync(body), 'application/json; charset=utf-8', { 'content-encoding': 'gzip' });
  expect(await counted(post(body), zipped, post('{}'), post(json(null)))).toEqual({
    spans: 6,
    fault: null,
    statuses: [200, 200, 200, 200],
  });
});

test('no part of a payload is taken for a whole one', async () => {
  await exportSpans(4, 'none');
  const whole = new Uint8Array(bodies[0] ?? []);
  const parts = Array.from({ length: whole.length - 1 }, (_, length) => whole.slice(0, length + 1));
  const { spans, statuses } = await counted(...parts.map((part) => post(part, 'application/x-protobuf')));
  expect({ spans, statuses: new Set(statuses) }).toEqual({ spans: 0, statuses: new Set([400]) });
  expect(await counted(post(whole, 'application/x-protobuf'))).toMatchObject({ spans: 4, statuses: [200] });
});

test('what is no payload is refused, with the first fault', async () => {
  const wrong = [post('{"resourceSpans":{}}'), post('null'), post(json('text')), post('{'), post('[')];
  const found = await counted(...wrong.slice(0, 1), ...wrong.slice(2));
  expect(found).toMatchObject({ spans: 0, fault: '/v1/traces: resourceSpans is no list in a message' });
  expect(found.statuses).toEqual([400, 400, 400, 400]);
  const zipped = await counted(post('no gzip', 'application/json', { 'content-encoding': 'gzip' }));
  expect(zipped.statuses).toEqual([400]);
  const zstd = await counted(post('x', 'application/json', { 'content-encoding': 'zstd' }));
  expect(zstd.fault).toContain('content-encoding zstd');
  expect((await counted(post('{}', 'application/json', {}, 'logs'))).statuses).toEqual([404]);
});

test('any bytes are answered, by 200 or 400', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 200 }),
      fc.constantFrom('application/json', 'application/x-protobuf', ''),
      fc.constantFrom('gzip', 'identity'),
      async (bytes, type, encoding) => {
        const { statuses } = await counted(post(bytes, type, { 'content-encoding': encoding }));
        expect([200, 400]).toContain(statuses[0] as number);
      },
    ),
  );
});

test('a small payload that unpacks to a large one', async () => {
  const bomb = Bun.gzipSync(new Uint8Array(64 * 1024 ** 2));
  const { spans, statuses } = await counted(post(bomb, 'application/x-protobuf', { 'content-encoding': 'gzip' }));
  expect({ spans, statuses }).toEqual({ spans: 0, statuses: [400] });
});

test('nesting without end', async () => {
  const { statuses } = await counted(post('['.repeat(1e6)), post(new Uint8Array(1e6).fill(0x13), ''));
  expect(statuses).toEqual([400, 400]);
});
