// One span of each request, and all that comes without one: a span at the start and one on the first request, heartbeats,
// values of the runtime; with a traceparent, all requests in one trace. BATCH_MS: how long a batch waits.
import { createServer } from 'node:http';
import { context, propagation, SpanKind, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';

const { BATCH_MS, PORT, NOISE } = process.env;
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
propagation.setGlobalPropagator(new W3CTraceContextPropagator());
const options = { maxQueueSize: 1e7, ...(BATCH_MS && { scheduledDelayMillis: Number(BATCH_MS) }) };
const traces = new BasicTracerProvider({ spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter(), options)] });
const tracer = traces.getTracer('case');
const exporter = new OTLPMetricExporter();
const metrics = new MeterProvider({ readers: [new PeriodicExportingMetricReader({ exporter })] });
const memory = metrics.getMeter('case').createObservableGauge('memory.rss');
let isConnected = !NOISE;
if (NOISE) {
  tracer.startSpan('Create App').end();
  setInterval(() => tracer.startSpan('heartbeat').end(), 50).unref();
  memory.addCallback((result) => result.observe(process.memoryUsage.rss()));
}
createServer((request, response) => {
  const parent = propagation.extract(context.active(), request.headers);
  const span = tracer.startSpan('GET /', { kind: SpanKind.SERVER }, parent);
  if (!isConnected) tracer.startSpan('db.connect', {}, trace.setSpan(parent, span)).end();
  isConnected = true;
  response.end('Hi');
  span.end();
}).listen(PORT, '127.0.0.1');
process.on('SIGTERM', () => Promise.all([traces.shutdown(), metrics.shutdown()]).finally(() => process.exit(0)));
