import { z } from 'zod';

/** Rises when a reader of the old form would misread the new one. */
export const SCHEMA_VERSION = 2;

/** The same of each of the two servers of a pair. */
const both = <Schema extends z.ZodType>(each: Schema) => z.object({ baseline: each, scenario: each });

/** What could not be had, and why. */
const missingSchema = z.object({ missing: z.string() });

/** What becomes of the spans of servers under measurement: dropped as they end, or sent by OTLP to a sink of the kit's own. */
export const EXPORT_MODES = ['none', 'otlp'] as const;
export const exportModeSchema = z.enum(EXPORT_MODES);
/** Older files say nothing, or name an exporter that threw its payloads away. */
const exportSchema = exportModeSchema.catch('none');

const time = z.number().nullable();

/** Times from request to answer in µs, as the load tool saw them; null if it does not report one. */
export const latencySchema = z.object({
  mean: z.number(),
  ...{ p50: time, p90: time, p95: time, p99: time, p999: time.exactOptional(), max: time },
});
/** Null if nothing was answered. */
const latencyUs = latencySchema.nullable();

/** CPU time in ns that all processes, and the hypervisor, took of some cores. */
const coreTimeSchema = z.object({ busyNs: z.number(), stealNs: z.number() });

/** What was used of the server's core, and of all the load tool's cores together, while a slice ran. */
const coreUseSchema = z.object({ wallNs: z.number(), server: coreTimeSchema, tool: coreTimeSchema });

/** One server under load in one slice. */
const loadedSchema = z.object({
  /** Requests that were answered, with whatever status. */
  requests: z.number(),
  /** The time in which they were answered, by the load tool's clock. */
  seconds: z.number(),
  /** Sent and not yet answered at its end, if the load tool tells. */
  underWay: z.number().exactOptional(),
  /** Mostly in the load tool's own words; empty for a good measurement. */
  errors: z.array(z.object({ detail: z.string(), count: z.number() })),
  latencyUs,
  /** If the load came from other hosts: what each saw. */
  hosts: z.array(z.object({ host: z.string(), requests: z.number(), latencyUs })).exactOptional(),
  /** CPU time of the server's processes; null if no clock reads it. */
  cpuNs: z.number().nullable(),
  /** Of the load tool on this machine; of ssh if it runs on others. */
  toolCpuNs: z.number(),
  /** How often its threads fell asleep, each time to be woken by an answer; null if nothing tells. */
  toolSleeps: z.number().nullable(),
  /** CPU time of the server's sink; null if it has none, or no clock reads it. */
  sinkCpuNs: z.number().nullable().default(null),
});

/** Why a steady rate was not held in a slice. */
const late = z.string().exactOptional();

const meanAndMax = z.object({ mean: z.number(), max: z.number() });

/** What a server process used and did between two moments, by the probe in it. */
export const usageSchema = z.object({
  /** `mode` is `NODE_ENV` as the server sees it. */
  runtime: z.object({ name: z.string(), version: z.string(), mode: z.string().nullable() }),
  cpuUserUs: z.number(),
  cpuSystemUs: z.number(),
  /** Of samples 100 ms apart. */
  rssBytes: meanAndMax,
  heapBytes: meanAndMax,
  /** How late timers 20 ms apart were. */
  eventLoopDelayUs: z.object({ p50: z.number(), p99: z.number(), max: z.number() }),
  /** What a calibration server measured of its known cost, in µs a request; null for all other servers. */
  trueCostUs: z.number().nullable(),
});

/** What the sink of a server received in the server's whole life, against the requests that were answered in it. */
const exportedSchema = z.object({
  /** By what the scenario claims; null if it claims nothing, or if requests differ in it. */
  spansExpected: z.number().nullable(),
  /** How far chance alone may take the count from that, if only a share of the requests is traced. */
  spansMargin: z.number().default(0),
  spansReceived: z.number(),
  /** Why the count is not to be believed: a payload that can't be read, or how the sink ended. Null for a good one. */
  fault: z.string().nullable(),
});

/** A fresh baseline server and a fresh scenario server on the same core: the unit of repetition. */
const pairSchema = z.object({
  task: z.string(),
  /** The baseline's own name for the baseline against itself. */
  scenario: z.string(),
  /** Whether both servers were steady at its end. */
  warmUp: z.object({ isSteady: z.boolean() }),
  /** Seconds of each slice: longer than asked for if requests are slow. */
  sliceSeconds: z.number(),
  /** The load tool's command for the scenario's server, in the first alternating slice. */
  command: z.array(z.string()),
  /** Baseline and scenario, one right after the other. Cores are null if they are not pinned, or can't be watched. */
  alternating: z.array(both(loadedSchema).extend({ cores: both(coreUseSchema.nullable()), late })),
  /** Baseline and scenario at the same time, with half of the connections each. */
  duets: z.array(both(loadedSchema).extend({ cores: coreUseSchema.nullable(), late })),
  /** Over all slices. */
  usage: both(usageSchema.nullable()),
  /** Null for servers that don't export to a sink. */
  exported: both(exportedSchema.nullable()).default({ baseline: null, scenario: null }),
  /** Why this pair is not to be believed; empty for a good one. */
  invalid: z.array(z.string()),
});

const configurationSchema = z.object({
  /** On one server alone; half of them on each of two in a duet slice. */
  connections: z.int().positive(),
  /** Load on each server in alternating slices, over all pairs. */
  durationSeconds: z.number().positive(),
  sliceSeconds: z.int().positive(),
  /** Of each scenario, and of the baseline against itself. */
  pairs: z.int().positive(),
  /** In each pair, for each of its servers. */
  alternatingSlices: z.int().nonnegative(),
  duetSlices: z.int().nonnegative(),
  /** The longest that a warm-up may take. */
  warmupSeconds: z.int().nonnegative(),
  /** Of each scenario and of its baseline, for the start-up time. */
  starts: z.int().nonnegative().default(0),
  /** The half-width that was asked for with `--precision`. */
  precision: z.object({ value: z.number().positive(), unit: z.enum(['us', '%']) }).nullable(),
  /** For scenarios without an `export` of their own. */
  export: exportSchema,
  /** A short run for a first look: not for publishing. */
  quick: z.boolean(),
  /** Of the random order; the same seed gives the same order. */
  seed: z.int(),
});

const environmentSchema = z.object({
  cpu: z.string(),
  cores: z.int(),
  memoryBytes: z.number(),
  kernel: z.string(),
  /** "container" or "virtual machine"; null if nothing tells. */
  virtualization: z.string().nullable(),
  runtime: z.object({ name: z.string(), version: z.string(), revision: z.string() }),
  packages: z.record(z.string(), z.string()),
  /** The commit of the kit, or of the project that it is installed in, with "-dirty" if files were changed; null without git. */
  gitRevision: z.string().nullable(),
  /** The governor of the cores' frequency, such as "performance"; null if it can't be seen. */
  frequencyGovernor: z.string().nullable(),
});

const taskSchema = z.object({
  name: z.string(),
  title: z.string(),
  baseline: z.string(),
  /** In the order of the table, the baseline among them. */
  scenarios: z.array(z.string()),
  /** Requests a second on each server; null for as many as it answers. */
  rate: z.number().nullable(),
  /** The rate as a part of what the baseline answered in a closed loop when the run began. */
  rateShare: z.number().positive().exactOptional(),
  /** If they are not the run's. */
  connections: z.int().positive().exactOptional(),
  /** Size of the one request's body; null if there is none, or a mix. */
  bodyBytes: z.number().nullable(),
});

const sweepSchema = z.object({
  /** A variable of the servers, or `connections` or `rate`. */
  parameter: z.string(),
  /** What one more of it is called. */
  unit: z.string(),
  points: z.array(z.object({ task: z.string(), scenario: z.string(), curve: z.string(), value: z.number() })),
});

const scenarioSchema = z.object({
  name: z.string(),
  title: z.string(),
  /** What it costs more than the baseline, if that is known: for calibrations. */
  trueCostUs: z.number().nullable(),
  /** Size on disk of its packages; null if the suite does not name their folder. */
  installedBytes: z.number().nullable().default(null),
  export: exportSchema,
});

const suiteSchema = z.object({
  /** Part of file names. */
  name: z.string().regex(/^[\w.-]+$/),
  title: z.string(),
  /** Whether what is compared is instrumentation. */
  isInstrumentation: z.boolean(),
  /** Whether each scenario adds to the one before it. */
  isLadder: z.boolean().default(false),
  /** What its author says beside its table. */
  remarks: z.array(z.string()).default([]),
  tasks: z.array(taskSchema),
  /** What is changed in steps, and which rows are its values. */
  sweep: sweepSchema.exactOptional(),
  /** Scenarios that could not be measured on this machine, and the tasks in which they would have been. */
  skipped: z.array(z.object({ scenario: z.string(), reason: z.string(), tasks: z.array(z.string()) })),
  scenarios: z.array(scenarioSchema),
});

/** What arrived of a known number of requests, as claimed, before anything was measured. */
const proofSchema = z.object({
  scenario: z.string(),
  requests: z.int(),
  spans: z.int(),
  traces: z.int(),
  metrics: z.array(z.object({ name: z.string() })),
});

export const resultSchema = z.object({
  kind: z.literal('tracetax'),
  schemaVersion: z.literal(SCHEMA_VERSION, {
    error: ({ input }) => `it has schema version ${input}; this version of tracetax reads version ${SCHEMA_VERSION}`,
  }),
  startedAt: z.iso.datetime(),
  /** Null while it runs, and for a run that was killed. */
  endedAt: z.iso.datetime().nullable(),
  /** Why the run ended before its plan did; null if it did not. */
  stoppedBy: z.string().nullable(),
  suite: suiteSchema,
  configuration: configurationSchema,
  tool: z.object({
    name: z.string(),
    version: z.string(),
    /** Where it ran, if not on this machine. */
    hosts: z.array(z.string()).exactOptional(),
    /** At a steady rate: from when a request was due, or from when it was sent. */
    latencyFrom: z.enum(['due', 'sent']).nullable().exactOptional(),
  }),
  /** The cores of server and load tool, as lists that `taskset -c` takes; or why they have none of their own. */
  pinning: z.union([
    z.object({
      serverCore: z.string(),
      toolCores: z.string(),
      toolCoreCount: z.int().positive(),
      /** Of the sink; left out if it shares the load tool's, or if there is none. */
      sinkCore: z.string().exactOptional(),
    }),
    missingSchema,
  ]),
  /** How idle cores were kept from sleeping, or why they were not. */
  keepAwake: z.union([z.object({ how: z.string() }), missingSchema]),
  /** How CPU time was read, or why it was not. */
  cpuClock: z.union([z.object({ name: z.string() }), missingSchema]),
  environment: environmentSchema,
  /** One for each scenario that says what it records. */
  proofs: z.array(proofSchema),
  /** From the start of a process to its first answer, of both servers by turns; for suites that ask for it. */
  startUps: z.array(z.object({ task: z.string(), scenario: z.string(), ms: both(z.array(z.number())) })).default([]),
  /** In the order in which they were measured. */
  pairs: z.array(pairSchema),
});

export type Result = z.output<typeof resultSchema>;
export type Configuration = Result['configuration'];
export type Environment = Result['environment'];
export type ExportMode = z.output<typeof exportModeSchema>;
export type Proof = Result['proofs'][number];
export type Task = Result['suite']['tasks'][number];
export type Pair = Result['pairs'][number];
export type Side = keyof Pair['usage'];
export type AlternatingSlice = Pair['alternating'][number];
export type DuetSlice = Pair['duets'][number];
export type Loaded = DuetSlice[Side];
export type Latency = z.output<typeof latencySchema>;
export type CoreUse = NonNullable<DuetSlice['cores']>;
export type Exported = NonNullable<Pair['exported'][Side]>;
export type Usage = z.output<typeof usageSchema>;
