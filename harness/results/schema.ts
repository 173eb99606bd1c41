import { z } from 'zod';
import { loadResultSchema, TOOL_NAMES } from '../load/tool.ts';
import { answerSchema, requestSchema } from '../suite/schema.ts';

/** Rises when a reader of the old form would misread the new one. */
export const SCHEMA_VERSION = 1;

const configurationSchema = z.object({
  connections: z.int().positive(),
  durationSeconds: z.int().positive(),
  warmupSeconds: z.int().nonnegative(),
  rounds: z.int().positive(),
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
});

const suiteSummarySchema = z.object({
  name: z.string(),
  title: z.string(),
  request: requestSchema,
  answer: answerSchema,
  baseline: z.string(),
  scenarios: z.array(z.object({ name: z.string(), title: z.string(), command: z.array(z.string()) })),
});

const soloMeasurementSchema = z.object({
  scenario: z.string(),
  startedAt: z.iso.datetime(),
  /** The load tool's command, as it ran. */
  command: z.array(z.string()),
  /** What the load tool printed. */
  output: z.string(),
  load: loadResultSchema,
  /** Why this measurement is not to be believed; empty for a good one. */
  invalid: z.array(z.string()),
});

const soloRoundSchema = z.object({
  /** In the order in which they were measured. */
  measurements: z.array(soloMeasurementSchema),
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
  soloRounds: z.array(soloRoundSchema),
});

export type Result = z.output<typeof resultSchema>;
export type Configuration = z.output<typeof configurationSchema>;
export type Environment = z.output<typeof environmentSchema>;
export type SoloMeasurement = z.output<typeof soloMeasurementSchema>;
export type SoloRound = z.output<typeof soloRoundSchema>;
