// SDK 2 without this repository's layer: by the short middleware that the server of SDK 3 has, so
// that only SDKs differ.
import * as api from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import * as core from '@opentelemetry/core';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { Hono } from 'hono';
import { otelApp } from '../otel-app.js';

export default otelApp({
  ...{ api, core, Hono },
  contextManager: new AsyncLocalStorageContextManager(),
  tracerProvider: new BasicTracerProvider({
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  }),
  meterProvider: new MeterProvider({
    readers: [new PeriodicExportingMetricReader({ exporter: new OTLPMetricExporter() })],
  }),
});
