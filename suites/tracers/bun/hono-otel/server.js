// As in the README of @hono/otel, with metrics and by protobuf.
import { httpInstrumentationMiddleware } from '@hono/otel';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { NodeSDK } from '@opentelemetry/sdk-node';
import { Hono } from 'hono';

const sdk = new NodeSDK({
  traceExporter: new OTLPTraceExporter(),
  metricReaders: [new PeriodicExportingMetricReader({ exporter: new OTLPMetricExporter() })],
});
sdk.start();
process.on('SIGTERM', () => void sdk.shutdown().finally(() => process.exit()));

const app = new Hono();

app.use(httpInstrumentationMiddleware({ serviceName: 'tracers', serviceVersion: '1.0.0' }));
app.get('/', (c) => c.text('Hi'));

export default app;
