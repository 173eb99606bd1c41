/**
 * The raw file of a run: this room says what it holds (`schema.ts`, `pair-schema.ts`), reads it and
 * writes it (`file.ts`), and names what can go wrong with a pair (`faults.ts`). A result goes in
 * and comes out as it was measured, and files of before are read as new ones. What follows from a
 * result, such as a cost, does not belong here.
 */
import { z } from 'zod';
import { reasonSchema } from './faults.ts';
import {
  both,
  count,
  exportModeSchema,
  missingSchema,
  pairSchema,
  receiverBehaviourSchema,
} from './pair-schema.ts';

/** Rises when a reader of the old form would misread the new one. Older results are refused. */
export const SCHEMA_VERSION = 3;
/**
 * Rises when the same servers would have other figures: results of two methods are not compared.
 */
export const METHOD = 3;

const configurationSchema = z.object({
  /** On one server alone; half of them on each of two in a duet slice. */
  connections: z.int().positive(),
  /** Load on each server in alternating slices, over all pairs that were planned. */
  durationSeconds: z.number().positive(),
  sliceSeconds: z.int().positive(),
  /** Of each scenario, and of the baseline against itself. */
  pairs: z.int().positive(),
  /** In each pair, for each of its servers. */
  alternatingSlices: count,
  duetSlices: count,
  /** The longest that a warm-up may take. */
  warmupSeconds: count,
  /** Of each scenario and of its baseline, for the start-up time. */
  starts: count,
  /** Without requests, for the standing cost. */
  idleSeconds: count,
  /** For scenarios without an `export` of their own. */
  export: exportModeSchema,
  isQuick: z.boolean(),
  seed: z.int(),
});

const texts = z.array(z.string());

/** CPU time and its standard error. */
const wakeUpSchema = z.object({ us: z.number(), standardErrorUs: z.number() });

const environmentSchema = z.object({
  cpu: z.string(),
  cores: count,
  memoryBytes: z.number(),
  kernel: z.string(),
  /**
   * The commit of the folder with the suite, with "-dirty" if files were changed; null without git.
   */
  gitRevision: z.string().nullable(),
  frequencyGovernor: z.string().nullable(),
  /**
   * What lets idle cores sleep, such as "haltpoll"; null if nothing is there that could be held
   * back.
   */
  cpuidleDriver: z.string().nullable().optional(),
  /**
   * What it costs the server's core to wake the load tool's; `held`: with cores kept awake. Null if
   * not measured.
   */
  wakeUp: z.object({ plain: wakeUpSchema, held: wakeUpSchema.nullable() }).nullable(),
  /**
   * Variables that were taken out of servers' environment, or that `.env` files supply; and files
   * that baselines preload.
   */
  variables: z.object({ removed: texts, supplied: texts, preloading: texts }),
});

const taskSchema = z.object({
  name: z.string(),
  title: z.string(),
  baseline: z.string(),
  /** In the order of the table, the baseline among them. */
  scenarios: texts,
  /** Requests a second on each server; null for as many as it answers. */
  rate: z.number().nullable(),
  /**
   * The rate as a part of what the baseline could answer when the run began; null if it is no part.
   */
  rateShare: z.number().positive().nullable(),
  /** Of the load tool on a server alone. */
  connections: z.int().positive(),
  /**
   * What is sent, by weight, and digests of all that is secret or long: headers, query and body;
   * and of the answer.
   */
  exchanges: z.array(
    z.object({
      method: z.string(),
      path: z.string(),
      weight: z.number(),
      requestDigest: z.string(),
      answerDigest: z.string().nullable(),
    }),
  ),
  /** The load tool's command on a scenario's server, with digests in place of what is secret. */
  command: texts,
});

/**
 * `parameter`: a variable of the servers, or `connections` or `rate`; `unit`: what one more of it
 * is called.
 */
const sweepSchema = z.object({
  parameter: z.string(),
  unit: z.string(),
  points: z.array(
    z.object({ task: z.string(), scenario: z.string(), curve: z.string(), value: z.number() }),
  ),
});

const scenarioSchema = z.object({
  name: z.string(),
  title: z.string(),
  trueCostUs: z.number().nullable(),
  export: exportModeSchema,
  /** How its sink behaves, if its suite says so. */
  receiver: receiverBehaviourSchema.optional(),
  runtime: z.object({ name: z.string(), version: z.string() }).nullable(),
  /** Versions of the packages that its server uses, by name. */
  packages: z.record(z.string(), z.string()),
});

const suiteObject = z.object({
  /** Part of file names. */
  name: z.string().regex(/^[\w.-]+$/),
  title: z.string(),
  isInstrumentation: z.boolean(),
  isLadder: z.boolean(),
  /**
   * Whether each task has an old and a new revision, or version, of one scenario; left out if not.
   */
  comparesRevisions: z.literal(true).optional(),
  remarks: texts,
  tasks: z.array(taskSchema),
  sweep: sweepSchema.nullable(),
  /**
   * Scenarios that could not be measured on this machine, and the tasks in which they would have
   * been.
   */
  skipped: z.array(z.object({ scenario: z.string(), fault: reasonSchema, tasks: texts })),
  scenarios: z.array(scenarioSchema),
});

/** Files of before tell revisions by the names of scenarios alone. */
const suiteSchema = suiteObject.overwrite((suite) =>
  hasNamesOfRevisions(suite) ? { ...suite, comparesRevisions: true } : suite,
);

function hasNamesOfRevisions({ tasks }: z.output<typeof suiteObject>): boolean {
  return tasks.every(
    ({ baseline, scenarios }) =>
      baseline.endsWith('.old') && scenarios.every((each) => each.endsWith('.new')),
  );
}

/** Why idle cores were not kept from sleeping. */
const asleepObject = missingSchema.extend({
  reason: z
    .enum(['no-driver', 'switched-off', 'cannot-open', 'not-measured', 'no-help'])
    .optional(),
});

/** Files of before have no reason but their words, of which one is looked for. */
const asleepSchema = asleepObject.overwrite((asleep) =>
  asleep.missing.startsWith('nobody measured') ? { ...asleep, reason: 'not-measured' } : asleep,
);

/** What arrived of a known number of requests, as claimed, before anything was measured. */
const proofSchema = z.object({
  scenario: z.string(),
  requests: count,
  spans: count,
  metrics: texts,
  /** What was seen and is no fault, such as a server that did not end on SIGTERM. */
  notes: texts,
});

export const resultSchema = z.object({
  kind: z.literal('tracetax'),
  schemaVersion: z.literal(SCHEMA_VERSION, {
    error: ({ input }) =>
      `it has schema version ${input}; this version of tracetax reads version ${SCHEMA_VERSION}`,
  }),
  /** Of tracetax; the first one is not told. */
  method: count.optional(),
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
    /** Where it ran; null for this machine. */
    host: z.string().nullable(),
    /**
     * At a steady rate: from when a request was due, or from when it was sent. Null if it has no
     * rate.
     */
    latencyFrom: z.enum(['due', 'sent']).nullable(),
  }),
  /**
   * The cores of server and load tool, as lists that `taskset -c` takes; or why they have none of
   * their own.
   */
  pinning: z.union([
    z.object({
      serverCore: z.string(),
      toolCores: z.string(),
      toolCoreCount: z.int().positive(),
      /** Of the sink; null if it shares the load tool's, or if there is none. */
      sinkCore: z.string().nullable(),
    }),
    missingSchema,
  ]),
  /** How idle cores were kept from sleeping, or why they were not. */
  keepAwake: z.union([z.object({ how: z.string() }), asleepSchema]),
  environment: environmentSchema,
  /** One for each scenario that says what it records. */
  proofs: z.array(proofSchema),
  /**
   * From the start of a process to its first answer, of both servers by turns; for suites that ask
   * for it.
   */
  startUps: z.array(
    z.object({ task: z.string(), scenario: z.string(), ms: both(z.array(z.number())) }),
  ),
  /** CPU of both servers without requests, side by side, in ms a second; if that was asked for. */
  idles: z.array(
    z.object({ task: z.string(), scenario: z.string(), cpuMsPerSecond: both(z.number()) }),
  ),
  /** In the order in which they were measured. */
  pairs: z.array(pairSchema),
});

export type Result = z.output<typeof resultSchema>;
/** What a result says before anything is measured. */
export type ResultHeader = Omit<
  Result,
  'kind' | 'schemaVersion' | 'endedAt' | 'stoppedBy' | 'startUps' | 'idles' | 'pairs'
>;
export type Configuration = Result['configuration'];
export type ExportMode = Configuration['export'];
export type KeepAwake = Result['keepAwake'];
export type Environment = Result['environment'];
export type Proof = Result['proofs'][number];
export type Task = Result['suite']['tasks'][number];
export type Pair = Result['pairs'][number];
export type Side = keyof Pair['usage'];
export type StartUps = Result['startUps'][number];
export type Idle = Result['idles'][number];
export type Usage = Pair['usage'][Side];
export type CpuTimes = NonNullable<Usage['cpuUs']>;
export type Exported = NonNullable<Pair['exported'][Side]>;
export type AlternatingSlice = Pair['alternating'][number];
export type DuetSlice = Pair['duets'][number];
export type Loaded = DuetSlice[Side];
export type Latency = NonNullable<Loaded['latencyUs']>;
export type CoreUse = NonNullable<DuetSlice['cores']>;
