import protobuf from 'protobufjs';
import { SPAN_KINDS } from '../../suite/suite-schema.ts';
import {
  type Attributes,
  type Json,
  listIn,
  type Protocol,
  parseJson,
  type ReceivedPoint,
} from './protocol.ts';

const HTTP_PATH = /v1\/(trace|metric|log)s/;
const GRPC_PATH = /opentelemetry\.proto\.collector\.(trace|metrics|logs)\.v1\.\w+\/Export/;

/** OTLP by HTTP, as protobuf or JSON, and by gRPC (opentelemetry.io/docs/specs/otlp). */
export const otlp: Protocol = {
  requests: new RegExp(`^POST /(${HTTP_PATH.source}|${GRPC_PATH.source})$`),

  decode(payload) {
    const signal = /trace|metric|log/.exec(payload.path)?.[0] as Signal;
    const isJson = payload.mediaType === 'application/json';
    const lists = isJson ? JSON_LISTS[signal] : PROTOBUF_LISTS;
    const message = isJson ? parseJson(payload.body) : REQUEST.decode(payload.body);
    const groups = listIn(message, lists.groups);
    switch (signal) {
      case 'trace':
        return { spans: groups.flatMap((group) => itemsOf(group, lists)) };
      case 'metric':
        return { points: () => groups.flatMap((group) => pointsOfGroup(group, lists)) };
      case 'log': {
        const records = groups.flatMap((group) => itemsOf(group, lists));
        return { logRecords: records.length, logs: () => records.map(isLogTraced) };
      }
    }
  },

  nameOf(content) {
    return messageOf('Named', content).name;
  },

  spanOf(content) {
    const span = messageOf('Span', content);
    return {
      spanId: idOf(span.spanId) ?? '',
      parentSpanId: idOf(span.parentSpanId),
      name: String(span.name),
      kind: SPAN_KINDS[span.kind ?? 0] ?? 'UNSPECIFIED',
      attributes: attributesOf(span),
    };
  },
};

type Signal = 'trace' | 'metric' | 'log';

/**
 * The names of the nested lists of a request: groups, one a resource; scopes in them; and items,
 * such as spans.
 */
interface ListNames {
  groups: string;
  scopes: string;
  items: string;
}

const JSON_LISTS: Record<Signal, ListNames> = {
  trace: { groups: 'resourceSpans', scopes: 'scopeSpans', items: 'spans' },
  metric: { groups: 'resourceMetrics', scopes: 'scopeMetrics', items: 'metrics' },
  log: { groups: 'resourceLogs', scopes: 'scopeLogs', items: 'logRecords' },
};
/** `Request` below has these names. */
const PROTOBUF_LISTS: ListNames = { groups: 'groups', scopes: 'scopes', items: 'items' };

/**
 * These are the fields of OTLP's messages that a proof reads; all others are skipped. Requests with
 * spans, with metrics and with log records have the same field numbers. These items stay bytes:
 * whoever only counts them decodes none.
 */
const MESSAGES = protobuf.parse(`syntax = "proto3";
  message Request { repeated Group groups = 1; }
  message Group { bytes resource = 1; repeated Scope scopes = 2; }
  message Scope { repeated bytes items = 2; }
  message Named { string name = 5; }
  message Span {
    bytes span_id = 2; bytes parent_span_id = 4; string name = 5; int32 kind = 6;
    repeated Attribute attributes = 9;
  }
  message Log { bytes trace_id = 9; }
  message Metric {
    string name = 1;
    oneof data {
      Numbers gauge = 5; Numbers sum = 7; Histogram histogram = 9;
      Exponential exponential_histogram = 10;
    }
  }
  message Numbers { repeated Number data_points = 1; }
  message Number {
    fixed64 start_time_unix_nano = 2; oneof value { double as_double = 4; sfixed64 as_int = 6; }
    repeated Attribute attributes = 7;
  }
  message Histogram { repeated HistogramPoint data_points = 1; }
  message HistogramPoint {
    fixed64 start_time_unix_nano = 2; fixed64 count = 4; repeated Attribute attributes = 9;
  }
  message Exponential { repeated ExponentialPoint data_points = 1; }
  message ExponentialPoint {
    repeated Attribute attributes = 1; fixed64 start_time_unix_nano = 2; fixed64 count = 4;
  }
  message Attribute { string key = 1; Value value = 2; }
  message Value {
    oneof value {
      string string_value = 1; bool bool_value = 2; int64 int_value = 3;
      double double_value = 4; Values array_value = 5;
    }
  }
  message Values { repeated Value values = 1; }`).root;

const REQUEST = MESSAGES.lookupType('Request');

/**
 * Decodes a message of protobuf to the shape that OTLP's JSON has, except for ids, which stay
 * bytes. A message of JSON is returned as it is.
 */
function messageOf(type: string, content: Json): Json {
  if (!(content instanceof Uint8Array)) return content ?? {};
  const message = MESSAGES.lookupType(type);
  return message.toObject(message.decode(content), { longs: String });
}

/** Returns the encoded spans, metrics or log records of one resource. */
function itemsOf(group: Json, lists: ListNames): Json[] {
  return listIn(group, lists.scopes).flatMap((scope) => listIn(scope, lists.items));
}

function isLogTraced(record: Json): boolean {
  return idOf(messageOf('Log', record).traceId) !== undefined;
}

function pointsOfGroup(group: Json, lists: ListNames): ReceivedPoint[] {
  const metrics = itemsOf(group, lists).map((item) => messageOf('Metric', item));
  return metrics.flatMap((metric) => pointsOfMetric(metric, group.resource));
}

function pointsOfMetric(metric: Json, resource: Json): ReceivedPoint[] {
  const data = metric.histogram ?? metric.exponentialHistogram ?? metric.sum ?? metric.gauge ?? {};
  return listIn(data, 'dataPoints').map((point) => ({
    metric: String(metric.name),
    attributes: attributesOf(point),
    count: Number(point.count ?? point.asInt ?? point.asDouble ?? 0),
    series: JSON.stringify([resource, point.startTimeUnixNano]),
  }));
}

/**
 * Returns an id in hex: it is hex in JSON, and bytes in protobuf. Returns undefined if it is empty.
 */
function idOf(id: string | Uint8Array | undefined): string | undefined {
  return (typeof id === 'string' ? id.toLowerCase() : id?.toHex()) || undefined;
}

/** Returns attributes in the order of their names, since OTLP gives them none. */
function attributesOf(message: Json): Attributes {
  const attributes = listIn(message, 'attributes');
  const entries = attributes.map(({ key, value }) => [key, plainValue(value)]);
  return Object.fromEntries(entries.sort());
}

/** Returns scalars and arrays of them, as attributes are; undefined for anything else. */
function plainValue(value: Json): unknown {
  if (value?.arrayValue) return listIn(value.arrayValue, 'values').map(plainValue);
  if (value?.intValue !== undefined) return Number(value.intValue);
  return value?.stringValue ?? value?.boolValue ?? value?.doubleValue;
}
