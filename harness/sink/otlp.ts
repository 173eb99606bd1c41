import protobuf from 'protobufjs';
import { SPAN_KINDS } from '../suite/suite-schema.ts';
import type { Attributes, Json, Protocol, ReceivedPoint, ReceivedSpan } from './protocol.ts';
import { parseJson } from './protocol.ts';

/** OTLP/HTTP, traces and metrics, as protobuf or JSON (opentelemetry.io/docs/specs/otlp). */
export const otlp: Protocol = {
  requests: /^POST \/v1\/(traces|metrics)$/,

  count({ path, mediaType, body }) {
    const message = mediaType === 'application/json' ? parseJson(body) : COUNTED.decode(body);
    const { length } = itemsIn(message, TO_SPANS);
    return path === '/v1/traces' ? length : 0;
  },

  decode({ path, mediaType, body }) {
    const isTraces = path === '/v1/traces';
    const isJson = mediaType === 'application/json';
    const message = isJson ? parseJson(body) : decodeProtobuf(isTraces ? 'Traces' : 'Metrics', body);
    return isTraces ? { spans: spansOf(message), points: [] } : { spans: [], points: pointsOf(message) };
  },
};

/** The way from a request to its spans. */
const TO_SPANS = ['resourceSpans', 'scopeSpans', 'spans'];

/** As much of a request as a count needs: its spans stay bytes. The fields of metrics have the same numbers. */
const COUNTED = protobuf
  .parse(`syntax = "proto3";
    message Request { repeated ResourceSpans resource_spans = 1; }
    message ResourceSpans { repeated ScopeSpans scope_spans = 2; }
    message ScopeSpans { repeated bytes spans = 2; }`)
  .root.lookupType('Request');

/** The fields of OTLP's messages that a proof reads; all others are skipped. */
const MESSAGES = protobuf.parse(`syntax = "proto3";
  message Traces { repeated ResourceSpans resource_spans = 1; }
  message ResourceSpans { repeated ScopeSpans scope_spans = 2; }
  message ScopeSpans { repeated Span spans = 2; }
  message Span {
    bytes trace_id = 1; bytes span_id = 2; bytes parent_span_id = 4; string name = 5; int32 kind = 6;
    repeated Attribute attributes = 9;
  }
  message Metrics { repeated ResourceMetrics resource_metrics = 1; }
  message ResourceMetrics { Resource resource = 1; repeated ScopeMetrics scope_metrics = 2; }
  message ScopeMetrics { repeated Metric metrics = 2; }
  message Metric {
    string name = 1;
    oneof data { Numbers gauge = 5; Numbers sum = 7; Histogram histogram = 9; Exponential exponential_histogram = 10; }
  }
  message Numbers { repeated Number data_points = 1; int32 aggregation_temporality = 2; }
  message Number { oneof value { double as_double = 4; sfixed64 as_int = 6; } repeated Attribute attributes = 7; }
  message Histogram { repeated HistogramPoint data_points = 1; int32 aggregation_temporality = 2; }
  message HistogramPoint { fixed64 count = 4; repeated Attribute attributes = 9; }
  message Exponential { repeated ExponentialPoint data_points = 1; int32 aggregation_temporality = 2; }
  message ExponentialPoint { repeated Attribute attributes = 1; fixed64 count = 4; }
  message Resource { repeated Attribute attributes = 1; }
  message Attribute { string key = 1; Value value = 2; }
  message Value {
    oneof value {
      string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; Values array_value = 5;
    }
  }
  message Values { repeated Value values = 1; }`).root;

/** In the shape that OTLP's JSON has, except for ids, which stay bytes. */
function decodeProtobuf(name: 'Traces' | 'Metrics', body: Uint8Array): unknown {
  const type = MESSAGES.lookupType(name);
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

/** In the order of their names: OTLP gives them none. */
function attributesOf(of: Json): Attributes {
  return Object.fromEntries(
    listIn(of, 'attributes')
      .map(({ key, value }) => [key, plainValue(value)])
      .sort(),
  );
}

/** Scalars and arrays of them, as attributes are; anything else is undefined. */
function plainValue(value: Json): unknown {
  if (value?.arrayValue) return listIn(value.arrayValue, 'values').map(plainValue);
  if (value?.intValue !== undefined) return Number(value.intValue);
  return value?.stringValue ?? value?.boolValue ?? value?.doubleValue;
}

/** What lies at the end of this way through lists of messages. @throws Error as `listIn` does. */
function itemsIn(message: Json, way: string[]): Json[] {
  return way.reduce((found, name) => found.flatMap((each) => listIn(each, name)), [message]);
}

/** A list that may be left out. @throws Error if something else is there, or is where the message should be. */
function listIn(message: Json, name: string): Json[] {
  const list = message[name] ?? [];
  if (Array.isArray(message) || !Array.isArray(list)) throw new Error(`${name} is no list in a message`);
  return list;
}
