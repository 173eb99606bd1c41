import { resolve } from 'node:path';
import protobuf from 'protobufjs';
import { z } from 'zod';
import { SPAN_KINDS } from '../suite/schema.ts';

/** One OTLP request as it came, decoded, but for what no proof needs. */
export interface Export {
  spans: ReceivedSpan[];
  points: ReceivedPoint[];
}

export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  /** Undefined for the root of a trace. */
  parentSpanId: string | undefined;
  name: string;
  kind: (typeof SPAN_KINDS)[number];
  attributes: Attributes;
}

/** A data point of a histogram, or of a sum. */
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
export type Signal = 'traces' | 'metrics';

/**
 * Decodes the body of an OTLP/HTTP request, JSON or protobuf (opentelemetry.io/docs/specs/otlp).
 * @throws Error (also ZodError, SyntaxError) where it is neither.
 */
export function decodeExport(signal: Signal, mediaType: string, body: Uint8Array): Export {
  const message =
    mediaType === 'application/json'
      ? JSON.parse(new TextDecoder().decode(body))
      : decodeProtobuf(signal, body);
  return signal === 'traces'
    ? { spans: spansOf(message), points: [] }
    : { spans: [], points: pointsOf(message) };
}

const PROTO = resolve(import.meta.dir, 'proto');
const SERVICES = {
  traces: {
    file: 'opentelemetry/proto/collector/trace/v1/trace_service.proto',
    message: 'opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest',
  },
  metrics: {
    file: 'opentelemetry/proto/collector/metrics/v1/metrics_service.proto',
    message: 'opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest',
  },
};

function decodeProtobuf(signal: Signal, body: Uint8Array): unknown {
  const { file, message } = SERVICES[signal];
  const root = new protobuf.Root();
  root.resolvePath = (_, target) => resolve(PROTO, target);
  const type = root.loadSync(file).lookupType(message);
  // In the shape that OTLP's JSON has, except for ids, which stay bytes.
  return type.toObject(type.decode(body), { longs: String, enums: Number });
}

/** Hex in JSON, bytes in protobuf. */
const id = z.union([z.string().toLowerCase(), z.instanceof(Uint8Array).transform((bytes) => bytes.toHex())]);

const scalar = {
  stringValue: z.string().optional(),
  boolValue: z.boolean().optional(),
  intValue: z.coerce.number().optional(),
  doubleValue: z.number().optional(),
};
const scalarOf = (value: z.output<z.ZodObject<typeof scalar>>): unknown =>
  value.stringValue ?? value.boolValue ?? value.intValue ?? value.doubleValue;

/** Scalars and arrays of them, as attributes are; maps and bytes, which the API can't make, are undefined. */
const anyValue = z
  .object({
    ...scalar,
    arrayValue: z.object({ values: z.array(z.object(scalar).transform(scalarOf)).default([]) }).optional(),
  })
  .transform((value): unknown => scalarOf(value) ?? value.arrayValue?.values);

const attributes = z
  .array(z.object({ key: z.string(), value: anyValue }))
  .default([])
  .transform((pairs): Attributes => Object.fromEntries(pairs.map(({ key, value }) => [key, value])));

const resource = z.object({ attributes }).default({ attributes: {} });

const spanSchema = z.object({
  traceId: id,
  spanId: id,
  parentSpanId: id.optional(),
  name: z.string(),
  kind: z.int().min(0).max(5).default(0),
  attributes,
});

const tracesSchema = z.object({
  resourceSpans: z
    .array(
      z.object({ scopeSpans: z.array(z.object({ spans: z.array(spanSchema).default([]) })).default([]) }),
    )
    .default([]),
});

function spansOf(message: unknown): ReceivedSpan[] {
  const { resourceSpans } = tracesSchema.parse(message);
  return resourceSpans
    .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
    .map(({ kind, parentSpanId, ...span }) => ({
      ...span,
      parentSpanId: parentSpanId || undefined,
      kind: SPAN_KINDS[kind] as ReceivedSpan['kind'],
    }));
}

/** AGGREGATION_TEMPORALITY_DELTA of metrics.proto. */
const DELTA = 1;

const pointSchema = z.object({
  attributes,
  count: z.coerce.number().optional(),
  asInt: z.coerce.number().optional(),
  asDouble: z.number().optional(),
});
const dataSchema = z
  .object({
    dataPoints: z.array(pointSchema).default([]),
    aggregationTemporality: z.int().optional(),
  })
  .optional();

const metricsSchema = z.object({
  resourceMetrics: z
    .array(
      z.object({
        resource,
        scopeMetrics: z
          .array(
            z.object({
              metrics: z
                .array(
                  z.object({
                    name: z.string(),
                    histogram: dataSchema,
                    exponentialHistogram: dataSchema,
                    sum: dataSchema,
                    gauge: dataSchema,
                  }),
                )
                .default([]),
            }),
          )
          .default([]),
      }),
    )
    .default([]),
});

function pointsOf(message: unknown): ReceivedPoint[] {
  return metricsSchema.parse(message).resourceMetrics.flatMap(({ resource, scopeMetrics }) =>
    scopeMetrics.flatMap(({ metrics }) =>
      metrics.flatMap(({ name, histogram, exponentialHistogram, sum, gauge }) => {
        const data = histogram ?? exponentialHistogram ?? sum ?? gauge;
        return (data?.dataPoints ?? []).map(({ attributes, count, asInt, asDouble }) => ({
          metric: name,
          attributes,
          resource: resource.attributes,
          count: count ?? asInt ?? asDouble ?? 0,
          isDelta: data?.aggregationTemporality === DELTA,
        }));
      }),
    ),
  );
}
