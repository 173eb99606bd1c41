// The calls that the inspector makes of OpenTelemetry's SDK for each request, by hand and for this
// one route.
import { context, propagation, SpanKind, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  CompositePropagator,
  W3CBaggagePropagator,
  W3CTraceContextPropagator,
} from '@opentelemetry/core';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';

const isExporting = process.env.OTEL_TRACES_EXPORTER !== 'none';
const tracerProvider = new BasicTracerProvider({
  spanProcessors: isExporting ? [new BatchSpanProcessor(new OTLPTraceExporter())] : [],
});
const meterProvider = new MeterProvider({
  readers: [new PeriodicExportingMetricReader({ exporter: new OTLPMetricExporter() })],
});
context.setGlobalContextManager(new AsyncLocalStorageContextManager());
const propagators = [new W3CTraceContextPropagator(), new W3CBaggagePropagator()];
propagation.setGlobalPropagator(new CompositePropagator({ propagators }));

const tracer = tracerProvider.getTracer('glue');
const duration = meterProvider
  .getMeter('glue')
  .createHistogram('http.server.request.duration', { unit: 's' });
const headersOf = {
  get: (headers: Headers, name: string) => headers.get(name) ?? undefined,
  keys: (headers: Headers) => [...headers.keys()],
};
const shared = {
  'http.request.method': 'GET',
  'http.route': '/',
  'url.scheme': 'http',
  'http.response.status_code': 200,
};
const server = {
  'server.address': String(process.env.HOST),
  'server.port': Number(process.env.PORT),
};
const answer = () => new Response('Hi');

process.on('SIGTERM', async () => {
  await Promise.allSettled([tracerProvider.shutdown(), meterProvider.shutdown()]);
  process.exit();
});

export default {
  fetch(request: Request): Response {
    const startedAt = performance.now();
    const parent = propagation.extract(context.active(), request.headers, headersOf);
    const span = tracer.startSpan('GET /', { kind: SpanKind.SERVER }, parent);
    const response = context.with(trace.setSpan(parent, span), answer);
    const { url } = request;
    span.setAttributes({ ...shared, ...server, 'url.path': url.slice(url.indexOf('/', 8)) });
    duration.record((performance.now() - startedAt) / 1_000, shared);
    span.end();
    return response;
  },
};
