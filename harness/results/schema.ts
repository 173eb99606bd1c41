import { z } from 'zod';
import { loadResultSchema, TOOL_NAMES } from '../load/tool.ts';
import { coreUseSchema } from '../process/cores.ts';
import { usageSchema } from '../server/probe.ts';
import { ONLY_TASK, telemetrySchema } from '../suite/schema.ts';
import { verdictSchema } from './verdict.ts';

/** Rises when a reader of the old form would misread the new one. */
export const SCHEMA_VERSION = 1;

const configurationSchema = z.object({
  connections: z.int().positive(),
  durationSeconds: z.int().positive(),
  /** In place of the duration: so many requests in each solo measurement. */
  requestCount: z.int().positive().nullable().default(null),
  warmupSeconds: z.int().nonnegative(),
  /** Of solo measurements; 0 with `--duet-only`. */
  rounds: z.int().nonnegative(),
  /** Of duets for each scenario; 0 with `--no-duet`. */
  forks: z.int().nonnegative(),
  /** In each fork. */
  slices: z.int().positive(),
  sliceSeconds: z.int().positive().default(1),
  /** With `--precision`: forks are added until every interval is this narrow on either side, or the time is up. */
  precision: z
    .object({ value: z.number().positive(), unit: z.enum(['us', '%']), maxSeconds: z.number() })
    .nullable(),
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
  /** Such as "kvm" or "docker"; null where nothing tells. */
  virtualization: z.string().nullable(),
  runtime: z.object({ name: z.string(), version: z.string(), revision: z.string() }),
  packages: z.record(z.string(), z.string()),
  /** The kit's own commit, with "-dirty" where files were changed; null outside a checkout. */
  gitRevision: z.string().nullable(),
  /** The governor of the cores' frequency, such as "performance"; null where it can't be seen. */
  frequencyGovernor: z.string().nullable().default(null),
});

const suiteSummarySchema = z.object({
  name: z.string(),
  title: z.string(),
  /** What is compared with what; a file without them has one task, of all scenarios. */
  tasks: z
    .array(
      z.object({
        name: z.string(),
        title: z.string(),
        baseline: z.string(),
        scenarios: z.array(z.string()),
        /** Method and path of each request, with its weight in the mix. */
        requests: z.array(z.object({ method: z.string(), path: z.string(), weight: z.number() })),
        /** Size of the one request's body; null where there is none, or a mix. */
        bodyBytes: z.number().nullable(),
      }),
    )
    .default([]),
  /** Scenarios that could not be measured on this machine, and why. */
  skipped: z.array(z.object({ scenario: z.string(), reason: z.string() })).default([]),
  baseline: z.string(),
  isInstrumentation: z.boolean().default(true),
  scenarios: z.array(
    z.object({
      name: z.string(),
      title: z.string(),
      command: z.array(z.string()),
      /** What it claims to record of each request; null where the suite does not say. */
      telemetry: telemetrySchema.nullable().default(null),
    }),
  ),
});

/** What arrived of a known number of requests, exactly as claimed, before anything was measured. */
const proofSchema = z.object({
  scenario: z.string(),
  requests: z.int(),
  concurrency: z.int(),
  spans: z.int(),
  traces: z.int(),
  metrics: z.array(
    z.object({ name: z.string(), attributes: z.record(z.string(), z.unknown()), count: z.number() }),
  ),
});

const soloMeasurementSchema = z.object({
  scenario: z.string(),
  startedAt: z.iso.datetime(),
  /** The load tool's command, as it ran. */
  command: z.array(z.string()),
  /** What the load tool printed. */
  output: z.string(),
  load: loadResultSchema,
  /** CPU time of the server's processes during the load; null where no clock tells. */
  cpuNs: z.number().nullable(),
  /** CPU time of the load tool. */
  toolCpuNs: z.number().nullable().default(null),
  /** By the probe in the server; null where there is none. */
  usage: usageSchema.nullable().default(null),
  /** Null where cores are not pinned, or can't be watched. */
  cores: coreUseSchema.nullable().default(null),
  /** Why this measurement is not to be believed; empty for a good one. */
  invalid: z.array(z.string()),
});

const soloRoundSchema = z.object({
  task: z.string().default(ONLY_TASK),
  /** In the order in which they were measured. */
  measurements: z.array(soloMeasurementSchema),
});

/** One of the two servers of a duet in one slice. */
const duetSideSchema = z.object({
  /** CPU time of the server's processes in the slice. */
  cpuNs: z.number(),
  /** What the load tool printed. */
  output: z.string(),
  load: loadResultSchema.omit({ statistics: true }),
});

const duetForkSchema = z.object({
  task: z.string().default(ONLY_TASK),
  scenario: z.string(),
  startedAt: z.iso.datetime(),
  /** Which of the two servers was started first. */
  baselineFirst: z.boolean(),
  /** The load tool's commands in the first slice. */
  commands: z.object({ baseline: z.array(z.string()), scenario: z.array(z.string()) }),
  slices: z.array(z.object({ baseline: duetSideSchema, scenario: duetSideSchema })),
  /** By the probes in the two servers, over all slices. */
  usage: z
    .object({ baseline: usageSchema.nullable(), scenario: usageSchema.nullable() })
    .default({ baseline: null, scenario: null }),
  /** Over all slices; null where cores are not pinned, or can't be watched. */
  cores: coreUseSchema.nullable().default(null),
  /** Why this fork is not to be believed; empty for a good one. */
  invalid: z.array(z.string()),
});

export const resultSchema = z.object({
  schemaVersion: z.literal(SCHEMA_VERSION),
  kind: z.literal('tracetax'),
  startedAt: z.iso.datetime(),
  /** Null while it runs, and for a run that was killed. */
  endedAt: z.iso.datetime().nullable(),
  /** Why the run ended before its plan did; null where it did not. */
  stoppedBy: z.string().nullable(),
  suite: suiteSummarySchema,
  configuration: configurationSchema,
  tool: z.object({ name: z.enum(TOOL_NAMES), version: z.string() }),
  /** The cores of server and load tool, or why they have none of their own. */
  pinning: z.union([
    z.object({ serverCore: z.string(), toolCores: z.string() }),
    z.object({ unpinned: z.string() }),
  ]),
  environment: environmentSchema,
  /** How CPU time was read, or why it was not. */
  cpuClock: z.union([z.object({ name: z.string() }), z.object({ missing: z.string() })]),
  /** One for each scenario that says what it records. */
  proofs: z.array(proofSchema).default([]),
  soloRounds: z.array(soloRoundSchema),
  /** Fresh pairs of servers, in the order in which they were measured. The baseline's own are the noise floor. */
  duetForks: z.array(duetForkSchema),
  /** What speaks against its figures: computed from all of the above. */
  verdicts: z.array(verdictSchema).default([]),
});

export type Result = z.output<typeof resultSchema>;
export type Configuration = z.output<typeof configurationSchema>;
export type Environment = z.output<typeof environmentSchema>;
export type Proof = z.output<typeof proofSchema>;
export type SoloMeasurement = z.output<typeof soloMeasurementSchema>;
export type DuetFork = z.output<typeof duetForkSchema>;
export type DuetSlice = DuetFork['slices'][number];
export type DuetSide = z.output<typeof duetSideSchema>;
export type SoloRound = z.output<typeof soloRoundSchema>;
