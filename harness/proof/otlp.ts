import { resolve } from 'node:path';
import protobuf from 'protobufjs';
import type { Json, Payload } from '../sink/intake.ts';
import { itemsIn, listIn, TO_SPANS } from '../sink/otlp-spans.ts';
import { SPAN_KINDS } from '../suite/suite-schema.ts';

/** What a proof needs of one OTLP request. */
export interface Export {
  spans: ReceivedSpan[];
  points: ReceivedPoint[];
}

export interface ReceivedSpan {
  /** In hex. */
  traceId: string;
  spanId: string;
  /** Undefined for the root of a trace. */
  parentSpanId: string | undefined;
  name: string;
  kind: (typeof SPAN_KINDS)[number];
  attributes: Attributes;
}

/** A data point of a histogram, a sum or a gauge. */
export interface ReceivedPoint {
  metric: string;
  attributes: Attributes;
  /** Of the process that sent it. */
  resource: Attributes;
  /** How many values the histogram holds; of a sum, its value. */
  count: number;
  /** Whether it counts since the point before (delta), or since the process started (cumulative). */
  isDelta: boolean;
}

export type Attributes = Record<string, unknown>;

const PROTO = resolve(import.meta.dir, 'proto');

/**
 * Decodes an OTLP/HTTP request, JSON or protobuf (opentelemetry.io/docs/specs/otlp).
 * @throws Error if it is neither.
 */
export function decodeExport({ path, mediaType, body }: Payload): Export {
  const isTraces = path === '/v1/traces';
  const decode = () => decodeProtobuf(isTraces ? 'Trace' : 'Metrics', body);
  const message = mediaType === 'application/json' ? JSON.parse(new TextDecoder().decode(body)) : decode();
  return isTraces ? { spans: spansOf(message), points: [] } : { spans: [], points: pointsOf(message) };
}

/** In the shape that OTLP's JSON has, except for ids, which stay bytes. */
function decodeProtobuf(signal: 'Trace' | 'Metrics', body: Uint8Array): unknown {
  const folder = signal.toLowerCase();
  const root = new protobuf.Root();
  root.resolvePath = (_, target) => resolve(PROTO, target);
  root.loadSync(`opentelemetry/proto/collector/${folder}/v1/${folder}_service.proto`);
  const type = root.lookupType(`opentelemetry.proto.collector.${folder}.v1.Export${signal}ServiceRequest`);
  return type.toObject(type.decode(body), { longs: String, enums: Number });
}

function spansOf(message: Json): ReceivedSpan[] {
  return itemsIn(message, TO_SPANS).map((span) => ({
    traceId: idOf(span.traceId) ?? '',
    spanId: idOf(span.spanId) ?? '',
    parentSpanId: idOf(span.parentSpanId),
    name: String(span.name),
    kind: SPAN_KINDS[span.kind ?? 0] ?? 'UNSPECIFIED',
    attributes: attributesOf(span),
  }));
}

/** AGGREGATION_TEMPORALITY_DELTA of metrics.proto. */
const DELTA = 1;

function pointsOf(message: Json): ReceivedPoint[] {
  return listIn(message, 'resourceMetrics').flatMap(({ resource = {}, ...metrics }) =>
    itemsIn(metrics, ['scopeMetrics', 'metrics']).flatMap((metric) => {
      const data = metric.histogram ?? metric.exponentialHistogram ?? metric.sum ?? metric.gauge ?? {};
      return listIn(data, 'dataPoints').map((point) => ({
        metric: String(metric.name),
        attributes: attributesOf(point),
        resource: attributesOf(resource),
        count: Number(point.count ?? point.asInt ?? point.asDouble ?? 0),
        isDelta: data.aggregationTemporality === DELTA,
      }));
    }),
  );
}

/** Hex in JSON, bytes in protobuf; undefined if it is empty. */
function idOf(id: string | Uint8Array | undefined): string | undefined {
  return (typeof id === 'string' ? id.toLowerCase() : id?.toHex()) || undefined;
}

function attributesOf(of: Json): Attributes {
  return Object.fromEntries(listIn(of, 'attributes').map(({ key, value }) => [key, plainValue(value)]));
}

/** Scalars and arrays of them, as attributes are; anything else is undefined. */
function plainValue(value: Json): unknown {
  if (value?.arrayValue) return listIn(value.arrayValue, 'values').map(plainValue);
  if (value?.intValue !== undefined) return Number(value.intValue);
  return value?.stringValue ?? value?.boolValue ?? value?.doubleValue;
}
