// Hono with OpenTelemetry's SDK 2, put together by hand: each variable is one of its knobs.

import { context, SpanKind } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { OTLPTraceExporter as GrpcExporter } from '@opentelemetry/exporter-trace-otlp-grpc';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { Hono } from 'hono';

const { PROCESSOR = 'batch', PROTOCOL = 'protobuf', ATTRIBUTES = '0' } = process.env;
const Exporter = { protobuf: ProtobufExporter, json: JsonExporter, grpc: GrpcExporter }[PROTOCOL];
const Processor = { batch: BatchSpanProcessor, simple: SimpleSpanProcessor }[PROCESSOR];
// It takes its other knobs from the environment itself.
const provider = new BasicTracerProvider({
  spanProcessors: [new Processor(new Exporter({ concurrencyLimit: Number.MAX_SAFE_INTEGER }))],
});
context.setGlobalContextManager(new AsyncLocalStorageContextManager());

const tracer = provider.getTracer('knobs');
const names = Array.from({ length: Number(ATTRIBUTES) }, (_, index) => `attribute.${index + 1}`);
const more = Object.fromEntries(names.map((name) => [name, 'value']));
const app = new Hono();

app.use(async (c, next) => {
  const attributes = { 'http.request.method': c.req.method, 'http.route': c.req.path };
  await tracer.startActiveSpan('GET /', { kind: SpanKind.SERVER, attributes }, async (span) => {
    await next();
    span.setAttributes({ ...more, 'http.response.status_code': c.res.status }).end();
  });
});
app.get('/', (c) => c.text('Hi'));

process.on('SIGTERM', () => void provider.shutdown().finally(() => process.exit()));

export default app;
