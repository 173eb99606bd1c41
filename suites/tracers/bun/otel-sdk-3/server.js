// SDK 3, set up as in the README of @opentelemetry/sdk-trace 3, with metrics.
import * as api from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import * as core from '@opentelemetry/core';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { Hono } from 'hono';
import { otelApp } from '../otel-app.js';

// SDK 3 no longer reads these itself.
const { OTEL_TRACES_SAMPLER_ARG, OTEL_BSP_MAX_QUEUE_SIZE, OTEL_BSP_MAX_EXPORT_BATCH_SIZE } =
  process.env;
const share = OTEL_TRACES_SAMPLER_ARG;
const root =
  share === undefined ? new AlwaysOnSampler() : new TraceIdRatioBasedSampler(Number(share));
const processor = new BatchSpanProcessor({
  exporter: new OTLPTraceExporter(),
  maxQueueSize: Number(OTEL_BSP_MAX_QUEUE_SIZE ?? 2048),
  maxExportBatchSize: Number(OTEL_BSP_MAX_EXPORT_BATCH_SIZE ?? 512),
});

export default otelApp({
  ...{ api, core, Hono },
  contextManager: new AsyncLocalStorageContextManager(),
  tracerProvider: new TracerProvider({
    sampler: new ParentBasedSampler({ root }),
    spanProcessors: [processor],
  }),
  meterProvider: new MeterProvider({
    readers: [new PeriodicExportingMetricReader({ exporter: new OTLPMetricExporter() })],
  }),
});
