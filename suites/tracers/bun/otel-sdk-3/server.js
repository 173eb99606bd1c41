// As in the README of @opentelemetry/sdk-trace 3, with metrics, and a span and a duration for each request by a short
// middleware on the API. `$SPANS`: how many spans a request has, each nested in the one before.
import { context, propagation, SpanKind } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { CompositePropagator, W3CBaggagePropagator, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { Hono } from 'hono';

const spans = Number(process.env.SPANS ?? 1);
// SDK 3 no longer reads these itself.
const { OTEL_TRACES_SAMPLER_ARG, OTEL_BSP_MAX_QUEUE_SIZE, OTEL_BSP_MAX_EXPORT_BATCH_SIZE } = process.env;
const root = new TraceIdRatioBasedSampler(Number(OTEL_TRACES_SAMPLER_ARG ?? 1));
const processor = new BatchSpanProcessor({
  exporter: new OTLPTraceExporter(),
  maxQueueSize: Number(OTEL_BSP_MAX_QUEUE_SIZE ?? 2048),
  maxExportBatchSize: Number(OTEL_BSP_MAX_EXPORT_BATCH_SIZE ?? 512),
});
const tracerProvider = new TracerProvider({
  sampler: new ParentBasedSampler({ root }),
  spanProcessors: [processor],
});
const meterProvider = new MeterProvider({
  readers: [new PeriodicExportingMetricReader({ exporter: new OTLPMetricExporter() })],
});
context.setGlobalContextManager(new AsyncLocalStorageContextManager());
const propagators = [new W3CTraceContextPropagator(), new W3CBaggagePropagator()];
propagation.setGlobalPropagator(new CompositePropagator({ propagators }));

const tracer = tracerProvider.getTracer('tracers');
const duration = meterProvider.getMeter('tracers').createHistogram('http.server.request.duration', { unit: 's' });
const headers = { get: (all, name) => all.get(name) ?? undefined, keys: (all) => [...all.keys()] };
const app = new Hono();

app.use(async (c, next) => {
  const startedAt = performance.now();
  const { method, path } = c.req;
  const route = { 'http.request.method': method, 'http.route': path };
  const parent = propagation.extract(context.active(), c.req.raw.headers, headers);
  const options = { kind: SpanKind.SERVER, attributes: route };
  await tracer.startActiveSpan(`${method} ${path}`, options, parent, async (span) => {
    await next();
    const attributes = { ...route, 'http.response.status_code': c.res.status };
    span.setAttributes(attributes).end();
    duration.record((performance.now() - startedAt) / 1e3, attributes);
  });
});

const nested = (number, answer) =>
  number > spans
    ? answer()
    : tracer.startActiveSpan(`span ${number}`, (span) => {
        const answered = nested(number + 1, answer);
        span.end();
        return answered;
      });
app.get('/', (c) => nested(2, () => c.text('Hi')));

process.on('SIGTERM', async () => {
  await Promise.allSettled([tracerProvider.shutdown(), meterProvider.shutdown()]);
  process.exit();
});

export default app;
