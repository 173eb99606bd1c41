import { z } from 'zod';
import { faultSchema } from './faults.ts';

export const count = z.int().nonnegative();

/** A schema for the same fact about each of the two servers of a pair. */
export type BothSchema<Schema extends z.ZodType> = z.ZodObject<{
  baseline: Schema;
  scenario: Schema;
}>;

/** Returns the schema for this fact about each of the two servers of a pair. */
export function both<Schema extends z.ZodType>(each: Schema): BothSchema<Schema> {
  return z.object({ baseline: each, scenario: each });
}

/**
 * Returns a codec that keeps an object as a list of its values in the order of the schema, optional
 * ones last: with names, a file would be several times as large.
 * @param retired places of fields that older files have: these places hold null, so that older
 * files are still read
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

/** Why something is not there, in words. */
export const missingSchema = z.object({ missing: z.string() });

/** Servers under measurement drop their spans as these end, or send them to a sink of tracetax. */
export const exportModeSchema = z.enum(['none', 'otlp']);

/**
 * How a receiver of spans behaves: it takes them, takes them after 1 s, answers 503, never answers,
 * or is not there.
 */
export const receiverBehaviourSchema = z.enum(['takes', 'slow', 'refuses', 'hangs', 'gone']);
export type ReceiverBehaviour = z.output<typeof receiverBehaviourSchema>;

/** Clocks tell no more than seven digits, and with more a file would be a tenth larger. */
const SIGNIFICANT_DIGITS = 7;

const measured = z.number().overwrite(roundMeasured);
const measuredAmount = measured.nonnegative();

function roundMeasured(value: number): number {
  return Number.isInteger(value) ? value : Number(value.toPrecision(SIGNIFICANT_DIGITS));
}

const time = measuredAmount.nullable();

/** Times from request to answer in µs, as the load tool saw them; a time that it hides is null. */
export const latencySchema = z.object({
  mean: measuredAmount,
  p50: time,
  p90: time,
  p95: time,
  p99: time,
  p999: time,
  max: time,
});

/** CPU time in ns that all processes (busy) and the hypervisor (steal) took of some cores. */
const coreTimeSchema = z.object({ busyNs: measured, stealNs: measured });

/**
 * What was used of cores: of the server's until it rested after its slice, in `wallNs`; of the load
 * tool's while the slice ran.
 */
const coreUseSchema = z.object({
  wallNs: measured,
  /** The use of the server's core, without that by the idle server. */
  server: packed(coreTimeSchema),
  /** The use of all cores of the load tool. */
  tool: packed(coreTimeSchema),
});

/** One server under load in one slice. */
const loadedSchema = z.object({
  /** Requests that were answered, with whatever status. */
  requests: count,
  /** How long the load took by the load tool's clock. */
  seconds: measuredAmount,
  /** Requests that were sent and not yet answered at the end; 0 if the load tool does not tell. */
  underWay: count,
  errors: z.array(z.object({ detail: z.string(), count })),
  /** The latency is null if nothing was answered. */
  latencyUs: packed(latencySchema).nullable(),
  /**
   * CPU time of all the server's processes until they rest after the load, for 3 s at most; null if
   * no clock reads it.
   */
  cpuNs: measured.nullable(),
  /** CPU time of the load tool; of ssh if the load tool runs on another machine. */
  toolCpuNs: measured,
  /**
   * How often threads of the load tool fell asleep, each time to be woken by an answer; null if
   * nothing tells.
   */
  toolSleeps: count.nullable(),
  /** CPU time of the suite's services, if it has any; in a duet slice for both servers. */
  servicesCpuNs: measured.optional(),
});

/** Older files have the CPU time of the server's sink at this place, which nobody read. */
const SINK_CPU_PLACE = 8;

const packedLoadedSchema = packed(loadedSchema, [SINK_CPU_PLACE]);

/**
 * Returns the codec for slices whose use of the cores is told in this way, and that hold `more`.
 * Older files call the shortfall `late`.
 */
function sliceOf<Cores extends z.ZodType, More extends z.ZodRawShape>(cores: Cores, more: More) {
  const schema = both(packedLoadedSchema).extend({
    ...more,
    /** The use is null if cores are not pinned, or can't be watched. */
    cores,
    /** Why a steady rate was not held in the slice; null if it was held. */
    rateShortfall: z.string().nullable(),
  });
  return z.codec(z.unknown(), schema, {
    decode: (kept) => withNewName(kept) as z.input<typeof schema>,
    encode: (slice) => slice,
  });
}

function withNewName(kept: unknown): unknown {
  const isOlder = typeof kept === 'object' && kept !== null && 'late' in kept;
  if (!isOlder) return kept;
  const { late: rateShortfall, ...slice } = kept;
  return { ...slice, rateShortfall };
}

/** What a server used and did over all slices; null if nothing tells. */
export const usageSchema = z.object({
  /**
   * Memory of all processes of the server, by the kernel; pages that they share count once. It is
   * read after each slice.
   */
  memoryBytes: z.object({ mean: measuredAmount }).nullable(),
  /** CPU time of all processes of the server, by the kernel. */
  cpuUs: z.object({ user: measured, system: measured }).nullable(),
  /** What the probes in the processes tell; null for runtimes that don't load one. */
  probe: z
    .object({
      /** The value of `NODE_ENV` that the server sees. */
      mode: z.string().nullable(),
      /** How late timers 20 ms apart were, in the process in which they were latest. */
      eventLoopDelayUs: z.object({ p50: measuredAmount, p99: measuredAmount, max: measuredAmount }),
      /**
       * What a calibration server measured of its own known cost, in µs a request; null for all
       * other servers.
       */
      trueCostUs: measured.nullable(),
    })
    .nullable(),
});

/** Spans and log records that came, against the requests that were answered meanwhile. */
const recordsSchema = z.object({
  /**
   * The spans of a request by what the scenario claims, times the answered requests and the share
   * that it samples; null if the scenario claims nothing, or if requests differ in their spans.
   */
  spansExpected: measured.nullable(),
  /** The standard deviation of that number by chance: 0 if all requests are sampled. */
  spansDeviation: measured,
  spansReceived: count,
  /**
   * The log records that the scenario claims, and those that came; left out if it claims none, or if
   * requests differ in them.
   */
  logRecords: z.object({ expected: count, received: count }).optional(),
});

/** What the sink of a server received in the server's whole life. */
const exportedSchema = recordsSchema.extend({
  /**
   * The same of what came after the warm-up, which is at full load; left out if slices are at full
   * load, too, and in older files.
   */
  sinceWarmUp: recordsSchema.optional(),
  /**
   * The expected spans, and those of requests that were still unanswered when the load tool ended;
   * not there if all were answered, and in older files.
   */
  spansWithUnanswered: measured.optional(),
  /** What the sink took. */
  payloads: z
    .object({
      count,
      /** The bytes as they were sent. */
      bytes: count,
      /** The requests that were answered meanwhile. */
      requests: count,
    })
    .optional(),
  /**
   * Payloads of metrics that came before the server was asked to end, when it sends what is left;
   * files of before have none.
   */
  metricPayloads: count.optional(),
  /** Profiles that came; left out for none. */
  profiles: count.optional(),
  /** What the sink did not take, such as `POST /v1/other`, and how often. */
  refused: z.array(z.object({ request: z.string(), count })),
  /**
   * Why the count is not to be believed: a payload that can't be read, or how the sink ended. Null
   * for a good count.
   */
  fault: z.string().nullable(),
});

const wholeMs = z.number().overwrite(Math.round).nonnegative();

/** One server in a slice of the warm-up. A file has one for each second, so they are short. */
const warmUpLoadSchema = z.object({
  /** Requests that were answered, or under way at the end. */
  requests: count,
  /** How long the server's CPU was watched: the load, its start, and until the server rested. */
  watchedMs: wholeMs,
  /** CPU time of all the server's processes meanwhile; null if no clock reads it. */
  cpuMs: wholeMs.nullable(),
});

/** One server while the other was under load alone. */
const idleSchema = packed(z.object({ watchedMs: wholeMs, cpuMs: wholeMs }));

/** Null for a server that had no load while the other one was under load alone. */
const warmUpSideSchema = packed(warmUpLoadSchema).nullable();

/** How far servers, load tool and tracetax came to the limits of their container. */
const containerUseSchema = z.object({
  /** How often the kernel stopped it for its CPU quota; null without a quota. */
  cpu: z
    .object({
      /** The quota, in cores: of several, the one that stopped it longest. */
      quotaCores: measuredAmount,
      /** Periods, most often of 0.1 s, in which something of it ran. */
      periods: count,
      /** Periods in which it was stopped, because it had used up its quota. */
      stoppedPeriods: count,
      /** How long it was stopped, added up over cores. */
      stoppedNs: measuredAmount,
    })
    .nullable(),
  /** The memory that it took as the slices ended; null without a limit. */
  memory: z.object({ limitBytes: measuredAmount, takenBytes: measuredAmount }).nullable(),
});

/** What tells of connections that a server closed. */
const connectionsSchema = z.object({
  /** How many it closed first in the alternating slices, without resets; null if nothing tells. */
  closed: count.nullable(),
  /**
   * What came of requests one after the other on connections that are kept; null if there was no
   * reason to ask.
   */
  kept: z
    .object({
      asked: count,
      /** How often a connection was closed after an answer that announced it. */
      announced: count,
      /** How often a request got no answer because its connection was closed. */
      unannounced: count,
    })
    .nullable(),
});

/** A fresh baseline server and a fresh scenario server on the same core: the unit of repetition. */
export const pairSchema = z.object({
  task: z.string(),
  /** The name of the scenario; that of the baseline for the baseline against itself. */
  scenario: z.string(),
  /** Whether both servers were steady when the warm-up ended. */
  isSteady: z.boolean(),
  /** The length of each slice: it is longer than asked for if requests are slow. */
  sliceSeconds: measured,
  /** Where the time of this pair went. In files of before, the check after the slices is theirs. */
  seconds: z.object({
    start: measured,
    warmUp: measured,
    slices: measured,
    stop: measured,
  }),
  /** Slices in which baseline and scenario were under load, one right after the other. */
  alternating: z.array(
    sliceOf(both(packed(coreUseSchema).nullable()), {
      /**
       * How many connections anybody here was asked for while each server was under load; null if
       * nothing tells, or if the load tool opens more than it needs. Files of before have none.
       */
      opened: both(count.nullable()).optional(),
    }),
  ),
  /** Slices in which both were under load at once, with half of the connections each. */
  duets: z.array(sliceOf(packed(coreUseSchema).nullable(), {})),
  /**
   * Both servers under load at once, one of them stopped while the other has the core, by turns: in
   * place of duets, for rows that cost more than about a tenth of the baseline. Latency tells
   * nothing in them. Files of before have none.
   */
  turns: z.array(sliceOf(packed(coreUseSchema).nullable(), {})).default([]),
  /**
   * Which slices tell CPU per request; left out if none do. Rows at a steady rate that cost more
   * than about a tenth of the baseline have more alternating ones, which then tell it, too. Files of
   * before have none: there it is of turns if there are any, else of duets.
   */
  cpuFrom: z.enum(['duets', 'turns', 'alternating']).optional(),
  /**
   * The slices of the warm-up with the requests of the task, in their order: both servers under
   * load at once, or one of them alone. Files of before have none.
   */
  warmUp: z.array(packed(both(warmUpSideSchema))).default([]),
  /**
   * What each server did while the other was under load alone: in the warm-up, and in alternating
   * slices. Files of before have none.
   */
  whileIdle: both(z.array(idleSchema)).default({ baseline: [], scenario: [] }),
  usage: both(usageSchema),
  /** Over all slices. Left out if nothing is limited, and in older files. */
  container: containerUseSchema.optional(),
  /** Null after any fault but closed connections. Files of before have none. */
  connections: both(connectionsSchema).nullable().optional(),
  /**
   * Shares of a core that the servers took without requests: before the first pair of the row had a
   * load, or after it, if they were still starting then; and after the last load of this pair. Null
   * in files of before, and after a fault under load.
   */
  restingShares: z
    .object({ beforeLoad: both(measured.nullable()), afterLoad: both(measured.nullable()) })
    .nullable()
    .default(null),
  /**
   * What each sink received; null for servers that don't export to a sink, and after a fault before
   * it was asked.
   */
  exported: both(exportedSchema.nullable()),
  /** Why this pair is not to be believed; a good pair has none. */
  faults: z.array(faultSchema),
});
