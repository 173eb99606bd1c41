import { expect, test } from 'bun:test';
import {
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { inMemory } from './testing/in-memory.ts';

const remote = {
  traceId: '0af7651916cd43dd8448eb211c80319c',
  spanId: 'b7ad6b7169203331',
  traceFlags: 1,
  isRemote: true,
};
const link = { context: remote, attributes: { why: 'because' } };
const nowSeconds = Math.floor(Date.now() / 1000);
const anHourAgoMs = (nowSeconds - 3600) * 1000;
const at = (seconds: number): [number, number] => [nowSeconds + seconds, 123_456_789];

/** Calls everything that the API has for a span, with all times given. */
function exercise(tracer: Tracer, context: Context): void {
  const span = tracer.startSpan(
    'name',
    { kind: SpanKind.CLIENT, attributes: { a: 1, list: ['x'] }, links: [link], startTime: at(0) },
    context,
  );
  span.setAttribute('b', true).setAttributes({ c: 'text', a: 2 }).setAttribute('', 'no key');
  span.addEvent('event', { n: 1 }, at(1)).addEvent('later', at(2)).addLink(link);
  span.recordException(Object.assign(new Error('no'), { stack: 'stack' }), at(3));
  span.setStatus({ code: SpanStatusCode.ERROR, message: 'failed' }).updateName('renamed');
  span.end(at(4));
  change(span);
  const flooded = tracer.startSpan('flooded', { startTime: at(0) }, context);
  for (let i = 0; i < 130; i++) flooded.setAttribute(`k${i}`, i).addEvent(`e${i}`, at(i)).addLink(link);
  flooded.setStatus({ code: SpanStatusCode.OK }).setStatus({ code: SpanStatusCode.ERROR });
  flooded.end(at(-1));
  const early = tracer.startSpan('began before this process', { startTime: anHourAgoMs }, context);
  early.recordException({ code: 0, name: 'Zero' }, at(1));
  // What is caught can be anything, whatever the types say.
  early.recordException(undefined as unknown as Error);
  early.setStatus({ code: SpanStatusCode.ERROR, message: new Error('no') as unknown as string });
  early.end(anHourAgoMs + 1000);
}

function change(ended: Span): void {
  ended.setAttribute('late', 1).addEvent('late').setStatus({ code: SpanStatusCode.OK }).updateName('late');
  ended.end();
}

function fields(span: ReadableSpan) {
  const { name, kind, parentSpanContext, startTime, endTime, duration, ended, status, attributes, links, events } =
    span;
  const { droppedAttributesCount, droppedEventsCount, droppedLinksCount } = span;
  const dropped = { droppedAttributesCount, droppedEventsCount, droppedLinksCount };
  const { traceId, traceFlags } = span.spanContext();
  const list = links.map(({ context, attributes }) => ({ context, attributes }));
  return {
    name,
    kind,
    parentSpanContext,
    startTime,
    endTime,
    duration,
    ended,
    status,
    attributes,
    list,
    events,
    traceId,
    traceFlags,
    ...dropped,
  };
}

test("a span reads field by field as the SDK's own does", async () => {
  const parent = trace.setSpanContext(ROOT_CONTEXT, remote);
  const { inspector, spans } = inMemory();
  exercise(inspector.instruments.traces.getTracer('test', '1'), parent);
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  exercise(provider.getTracer('test', '1'), parent);
  const [ours, theirs] = [await spans(), exporter.getFinishedSpans()];
  expect(theirs).toHaveLength(3);
  expect(ours.map(fields)).toEqual(theirs.map(fields));
  expect(ours[0]?.instrumentationScope).toMatchObject({ name: 'test', version: '1' });
  expect(ours[0]?.instrumentationScope.name).toBe(theirs[0]?.instrumentationScope.name as string);
});

test('the SDK serializes both to the same JSON', async () => {
  const parent = trace.setSpanContext(ROOT_CONTEXT, remote);
  const { inspector, spans } = inMemory();
  exercise(inspector.instruments.traces.getTracer('test', '1'), parent);
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  exercise(provider.getTracer('test', '1'), parent);
  const json = (recorded: ReadableSpan[]) => {
    const text = new TextDecoder().decode(JsonTraceSerializer.serializeRequest(recorded));
    return JSON.parse(text.replace(/"spanId":"[0-9a-f]+","parent/g, '"spanId":"own","parent'));
  };
  expect(json(await spans())).toEqual(json(exporter.getFinishedSpans()));
});

test('times taken are in order, within the trace and against the wall clock', async () => {
  const { inspector, spans } = inMemory();
  const { trace: traced } = inspector.instruments.traces;
  const beforeMs = Date.now();
  await traced('outer', async () => {
    await Bun.sleep(5);
    await traced('inner', () => Bun.sleep(5));
  });
  const [inner, outer] = (await spans()) as [ReadableSpan, ReadableSpan];
  const ms = ([s, ns]: [number, number]) => s * 1000 + ns / 1e6;
  expect(ms(outer.startTime)).toBeGreaterThan(beforeMs - 10);
  expect(ms(inner.startTime)).toBeGreaterThanOrEqual(ms(outer.startTime) + 4);
  expect(ms(inner.endTime)).toBeLessThanOrEqual(ms(outer.endTime));
  expect(ms(inner.duration)).toBeGreaterThanOrEqual(4);
  expect(ms(inner.endTime) - ms(inner.startTime)).toBeCloseTo(ms(inner.duration), 2);
});
