// As in the README of @opentelemetry/sdk-trace-base 2, with metrics. `$SAMPLED`: the share of requests that are traced.
import * as api from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import * as core from '@opentelemetry/core';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';
import { Hono } from 'hono';
import { tracedApp } from '../traced-app.js';

const { SAMPLED } = process.env;

export default tracedApp({
  Hono,
  api,
  core,
  contextManager: new AsyncLocalStorageContextManager(),
  tracerProvider: new BasicTracerProvider({
    ...(SAMPLED && { sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(Number(SAMPLED)) }) }),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  }),
  meterProvider: new MeterProvider({
    readers: [new PeriodicExportingMetricReader({ exporter: new OTLPMetricExporter() })],
  }),
});
