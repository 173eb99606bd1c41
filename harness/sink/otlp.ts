import { resolve } from 'node:path';
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
    const message = isJson ? parseJson(body) : decodeProtobuf(isTraces ? 'Trace' : 'Metrics', body);
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

/** It reads each of its files when that is first needed, and once. */
const definitions = new protobuf.Root();
definitions.resolvePath = (_, target) => resolve(import.meta.dir, 'proto', target);

/** In the shape that OTLP's JSON has, except for ids, which stay bytes. */
function decodeProtobuf(signal: 'Trace' | 'Metrics', body: Uint8Array): unknown {
  const folder = signal.toLowerCase();
  definitions.loadSync(`opentelemetry/proto/collector/${folder}/v1/${folder}_service.proto`);
  const type = definitions.lookupType(`opentelemetry.proto.collector.${folder}.v1.Export${signal}ServiceRequest`);
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
