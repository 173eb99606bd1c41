// Where telemetry goes, by options and environment.

import type { MetricProducer } from '@opentelemetry/sdk-metrics';
import type { SpanExporter } from '@opentelemetry/sdk-trace-base';
import { EncodedBatch } from './encoded-batch.ts';
import { MetricExport } from './metric-export.ts';
import { otlpSender, otlpVariable, type Send, type Signal } from './otlp-http.ts';
import { ExporterBatch, noBatch, SpanProcessor } from './span-processor.ts';

export interface ExportOptions {
  /** Where spans go. Default: what the environment says. */
  spanExporter?: SpanExporter;
  /** How many ended spans may wait for export. Default: 65,536, or 2048 for an own `spanExporter`. */
  spanCapacity?: number;
}

const destinations = ['none', 'discard', 'otlp'] as const;

/** Where the environment wants a signal to go. */
export type Destination = (typeof destinations)[number];

/** Reads `OTEL_<signal>_EXPORTER`. If it is unset or unknown, names `otlp` if there is an OTLP endpoint, else `none`. */
export function destinationOf(signal: Signal): Destination {
  const byDefault = otlpVariable(signal, 'ENDPOINT') ? 'otlp' : 'none';
  const variable = `OTEL_${signal}_EXPORTER`;
  return oneOf(destinations, variable, process.env[variable]) ?? byDefault;
}

const warnings = new Set<string>();

/** Warns, once, of a value that is not allowed, and returns undefined then. */
function oneOf<T extends string>(allowed: readonly T[], variable: string, value: string | undefined): T | undefined {
  const found = allowed.find((each) => each === value);
  const warning = `@tracetax/inspector ignores ${variable}=${value}: it knows ${allowed.join(', ')}`;
  if (value && found === undefined && !warnings.has(warning)) console.warn(warning);
  warnings.add(warning);
  return found;
}

const unlimited = Number.POSITIVE_INFINITY;

/** Returns what exports spans: to `spanExporter` if it is given, or else to `destination`. */
export function createSpanProcessor(
  { spanExporter, spanCapacity }: ExportOptions,
  destination: Destination,
  recordsBodies: boolean,
): SpanProcessor {
  const delayMs = msOf('OTEL_BSP_SCHEDULE_DELAY', 1_000);
  if (spanExporter !== undefined) {
    const spans = spanCapacity ?? 2048;
    // Spans with bodies are large: 64 of them take about as long to serialize as 512 without.
    const size = Math.min(recordsBodies ? 64 : 512, spans);
    const createBatch = () => new ExporterBatch(spanExporter, size);
    return new SpanProcessor(createBatch, { spans, batches: unlimited, delayMs }, spanExporter);
  }
  if (destination === 'none') {
    return new SpanProcessor(() => noBatch, { spans: unlimited, batches: unlimited, delayMs });
  }
  const send = senderTo(destination, 'TRACES');
  return new SpanProcessor(() => new EncodedBatch(send), { spans: spanCapacity ?? 65_536, batches: 128, delayMs });
}

/** Exports what `producer` collects every `OTEL_METRIC_EXPORT_INTERVAL` ms; undefined if they go nowhere. */
export function createMetricExport(producer: MetricProducer, destination: Destination): MetricExport | undefined {
  if (destination === 'none') return undefined;
  const intervalMs = msOf('OTEL_METRIC_EXPORT_INTERVAL', 60_000);
  return new MetricExport(producer, senderTo(destination, 'METRICS'), intervalMs);
}

/** A length of time that the environment sets, if it is above zero. */
function msOf(variable: string, byDefault: number): number {
  // What is longer overflows a timer, which then never rests.
  return Math.min(Math.max(0, Number(process.env[variable])) || byDefault, 2 ** 31 - 1);
}

function senderTo(destination: Destination, signal: Signal): Send {
  if (destination === 'discard') return async () => {};
  const own = `OTEL_EXPORTER_OTLP_${signal}_PROTOCOL`;
  const variable = process.env[own] ? own : 'OTEL_EXPORTER_OTLP_PROTOCOL';
  oneOf(['http/protobuf'], variable, process.env[variable]);
  return otlpSender(signal);
}
