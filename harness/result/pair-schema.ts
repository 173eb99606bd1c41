import { z } from 'zod';
import { faultSchema } from './faults.ts';

export const count = z.int().nonnegative();

/** The same of each of the two servers of a pair. */
export const both = <Schema extends z.ZodType>(each: Schema) =>
  z.object({ baseline: each, scenario: each });

/**
 * Returns a codec that keeps an object as a list of its values in the order of the schema, optional
 * ones last: with names, a file would be several times as large.
 * @param retired places of fields that files of before have: they hold null, so that those files
 * are still read
 */
function packed<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  retired: readonly number[] = [],
) {
  const places: (string | null)[] = Object.keys(schema.shape);
  for (const place of retired) places.splice(place, 0, null);
  return z.codec(z.unknown(), schema, {
    decode: (kept) => (Array.isArray(kept) ? unpack(places, kept) : kept) as z.input<typeof schema>,
    encode: (value) => pack(places, value as Record<string, unknown>),
  });
}

function unpack(places: readonly (string | null)[], values: readonly unknown[]): object {
  const entries = places.map((name, place) => [name, values[place]] as const);
  return Object.fromEntries(entries.filter(([name]) => name !== null));
}

function pack(places: readonly (string | null)[], value: Record<string, unknown>): unknown[] {
  const values = places.map((name) => (name === null ? null : value[name]));
  return values.filter((each) => each !== undefined);
}

/** What could not be had, and why. */
export const missingSchema = z.object({ missing: z.string() });

/**
 * What becomes of the spans of servers under measurement: dropped as they end, or sent to a sink of
 * tracetax's own.
 */
export const exportModeSchema = z.enum(['none', 'otlp']);

/**
 * How what receives spans behaves: takes them, takes 1 s for it, answers 503, never answers, or is
 * not there.
 */
export const receiverBehaviourSchema = z.enum(['takes', 'slow', 'refuses', 'hangs', 'gone']);
export type ReceiverBehaviour = z.output<typeof receiverBehaviourSchema>;

/** Clocks tell no more than seven digits, and with more a file would be a tenth larger. */
const measured = z
  .number()
  .overwrite((value) => (Number.isInteger(value) ? value : Number(value.toPrecision(7))));
const measuredAmount = measured.nonnegative();

const time = measuredAmount.nullable();

/**
 * Times from request to answer in µs, as the load tool saw them; null if it does not report one.
 */
export const latencySchema = z.object({
  mean: measuredAmount,
  p50: time,
  p90: time,
  p95: time,
  p99: time,
  p999: time,
  max: time,
});

/** CPU time in ns that all processes, and the hypervisor, took of some cores. */
const coreTimeSchema = z.object({ busyNs: measured, stealNs: measured });

/**
 * What was used of the server's core, but by the idle server, and of all the load tool's cores,
 * while a slice ran.
 */
const coreUseSchema = z.object({
  wallNs: measured,
  server: packed(coreTimeSchema),
  tool: packed(coreTimeSchema),
});

/** One server under load in one slice. */
const loadedSchema = z.object({
  /**
   * Requests that were answered, with whatever status, and in which time by the load tool's clock.
   */
  requests: count,
  seconds: measuredAmount,
  /** Sent and not yet answered at its end; 0 if the load tool does not tell. */
  underWay: count,
  errors: z.array(z.object({ detail: z.string(), count })),
  /** Null if nothing was answered. */
  latencyUs: packed(latencySchema).nullable(),
  /**
   * CPU time of all the server's processes until they rest after the load, 3 s at most; null if no
   * clock reads it.
   */
  cpuNs: measured.nullable(),
  /** Of the load tool on this machine; of ssh if it runs on another. */
  toolCpuNs: measured,
  /**
   * How often its threads fell asleep, each time to be woken by an answer; null if nothing tells.
   */
  toolSleeps: count.nullable(),
  /** CPU time of the suite's services, if it has any; in a duet slice for both servers. */
  servicesCpuNs: measured.optional(),
});

/** The place at which files of before have the CPU time of the server's sink, which nobody read. */
const SINK_CPU_PLACE = 8;

const packedLoadedSchema = packed(loadedSchema, [SINK_CPU_PLACE]);

/** Why a steady rate was not held in a slice; null if it was. */
const late = z.string().nullable();

/** What a server used and did over all slices; null if nothing tells. */
export const usageSchema = z.object({
  /**
   * Of all its processes, by the kernel; pages that they share count once. Read after each slice.
   */
  memoryBytes: z.object({ mean: measuredAmount }).nullable(),
  /** Of all its processes, by the kernel, in µs. */
  cpuUs: z.object({ user: measured, system: measured }).nullable(),
  /** By the probes in its processes; null for runtimes that don't load one. */
  probe: z
    .object({
      /** `NODE_ENV` as the server sees it. */
      mode: z.string().nullable(),
      /** How late timers 20 ms apart were, in the process in which they were latest. */
      eventLoopDelayUs: z.object({ p50: measuredAmount, p99: measuredAmount, max: measuredAmount }),
      /**
       * What a calibration server measured of its known cost, in µs a request; null for all other
       * servers.
       */
      trueCostUs: measured.nullable(),
    })
    .nullable(),
});

/**
 * What the sink of a server received in the server's whole life, against the requests that were
 * answered in it.
 */
export const exportedSchema = z.object({
  /**
   * By what the scenario claims, times the share that it samples; null if it claims nothing, or if
   * requests differ in it.
   */
  spansExpected: measured.nullable(),
  /** The standard deviation of that number by chance: 0 if all requests are sampled. */
  spansDeviation: measured,
  spansReceived: count,
  /**
   * Payloads that it took and their bytes, as they were sent, and the requests that were answered
   * meanwhile.
   */
  payloads: z.object({ count, bytes: count, requests: count }).optional(),
  /** What it did not take: `POST /v1/other`, and how often. */
  refused: z.array(z.object({ request: z.string(), count })),
  /**
   * Why the count is not to be believed: a payload that can't be read, or how the sink ended. Null
   * for a good one.
   */
  fault: z.string().nullable(),
});

/** A fresh baseline server and a fresh scenario server on the same core: the unit of repetition. */
export const pairSchema = z.object({
  task: z.string(),
  /** The baseline's own name for the baseline against itself. */
  scenario: z.string(),
  /** Whether both servers were steady when the warm-up ended. */
  isSteady: z.boolean(),
  /** Of each slice: longer than asked for if requests are slow. */
  sliceSeconds: measured,
  /** Where the time of this pair went. */
  seconds: z.object({ start: measured, warmUp: measured, slices: measured, stop: measured }),
  /**
   * Baseline and scenario, one right after the other. Cores are null if they are not pinned, or
   * can't be watched.
   */
  alternating: z.array(
    both(packedLoadedSchema).extend({ cores: both(packed(coreUseSchema).nullable()), late }),
  ),
  /** Baseline and scenario at the same time, with half of the connections each. */
  duets: z.array(
    both(packedLoadedSchema).extend({ cores: packed(coreUseSchema).nullable(), late }),
  ),
  usage: both(usageSchema),
  /** Null for servers that don't export to a sink. */
  exported: both(exportedSchema.nullable()),
  /** Why this pair is not to be believed; empty for a good one. */
  faults: z.array(faultSchema),
});
