import protobuf from 'protobufjs';
import { SPAN_KINDS } from '../suite/suite-schema.ts';
import {
  type Attributes,
  type Json,
  listIn,
  type Protocol,
  parseJson,
  type ReceivedPoint,
} from './protocol.ts';

/** OTLP by HTTP, as protobuf or JSON, and by gRPC (opentelemetry.io/docs/specs/otlp). */
export const otlp: Protocol = {
  requests:
    /^POST \/(v1\/(trace|metric|log)s|opentelemetry\.proto\.collector\.(trace|metrics|logs)\.v1\.\w+\/Export)$/,

  decode({ path, mediaType, body }) {
    const signal = /trace|metric|log/.exec(path)?.[0] as keyof typeof LISTS;
    const isJson = mediaType === 'application/json';
    const [groups, scopes, items] = isJson ? LISTS[signal] : ['groups', 'scopes', 'items'];
    const message = isJson ? parseJson(body) : REQUEST.decode(body);
    const itemsOf = (group: Json) => listIn(group, scopes).flatMap((scope) => listIn(scope, items));
    const all = listIn(message, groups);
    if (signal === 'trace') return { spans: all.flatMap(itemsOf) };
    if (signal === 'metric')
      return {
        points: () =>
          all.flatMap((group) =>
            itemsOf(group).flatMap((item) => sweepPoints(item, group.resource)),
          ),
      };
    return {
      logs: () =>
        all.flatMap(itemsOf).map((record) => idOf(messageOf('Log', record).traceId) !== undefined),
    };
  },

  nameOf: (content) => messageOf('Named', content).name,

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

/**
 * The fields of OTLP's messages that a proof reads; all others are skipped. A request has the same numbers for spans,
 * metrics and records of logs, which stay bytes: whoever only counts them does not decode them.
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
    oneof data { Numbers gauge = 5; Numbers sum = 7; Histogram histogram = 9; Exponential exponential_histogram = 10; }
  }
  message Numbers { repeated Number data_points = 1; }
  message Number {
    fixed64 start_time_unix_nano = 2; oneof value { double as_double = 4; sfixed64 as_int = 6; }
    repeated Attribute attributes = 7;
  }
  message Histogram { repeated HistogramPoint data_points = 1; }
  message HistogramPoint { fixed64 start_time_unix_nano = 2; fixed64 count = 4; repeated Attribute attributes = 9; }
  message Exponential { repeated ExponentialPoint data_points = 1; }
  message ExponentialPoint { repeated Attribute attributes = 1; fixed64 start_time_unix_nano = 2; fixed64 count = 4; }
  message Attribute { string key = 1; Value value = 2; }
  message Value {
    oneof value {
      string string_value = 1; bool bool_value = 2; int64 int_value = 3; double double_value = 4; Values array_value = 5;
    }
  }
  message Values { repeated Value values = 1; }`).root;

const REQUEST = MESSAGES.lookupType('Request');

/** The names of the lists of a request in JSON, by its signal. */
const LISTS = {
  trace: ['resourceSpans', 'scopeSpans', 'spans'],
  metric: ['resourceMetrics', 'scopeMetrics', 'metrics'],
  log: ['resourceLogs', 'scopeLogs', 'logRecords'],
} as const;

/** In the shape that OTLP's JSON has, except for ids, which stay bytes in protobuf. */
function messageOf(type: string, content: Json): Json {
  if (!(content instanceof Uint8Array)) return content ?? {};
  const message = MESSAGES.lookupType(type);
  return message.toObject(message.decode(content), { longs: String });
}

function sweepPoints(content: Json, resource: Json): ReceivedPoint[] {
  const metric = messageOf('Metric', content);
  const data = metric.histogram ?? metric.exponentialHistogram ?? metric.sum ?? metric.gauge ?? {};
  return listIn(data, 'dataPoints').map((point) => ({
    metric: String(metric.name),
    attributes: attributesOf(point),
    count: Number(point.count ?? point.asInt ?? point.asDouble ?? 0),
    series: JSON.stringify([resource, point.startTimeUnixNano]),
  }));
}

/** Hex in JSON, bytes in protobuf; undefined if it is empty. */
function idOf(id: string | Uint8Array | undefined): string | undefined {
  return (typeof id === 'string' ? id.toLowerCase() : id?.toHex()) || undefined;
}

/** In the order of their names: OTLP gives them none. */
function attributesOf(of: Json): Attributes {
  const all = listIn(of, 'attributes').map(({ key, value }) => [key, plainValue(value)]);
  return Object.fromEntries(all.sort());
}

/** Scalars and arrays of them, as attributes are; anything else is undefined. */
function plainValue(value: Json): unknown {
  if (value?.arrayValue) return listIn(value.arrayValue, 'values').map(plainValue);
  if (value?.intValue !== undefined) return Number(value.intValue);
  return value?.stringValue ?? value?.boolValue ?? value?.doubleValue;
}
