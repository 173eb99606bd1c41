/**
 * The raw file of a run: this room says what it holds (`schema.ts`, `pair-schema.ts`), reads it and
 * writes it (`file.ts`), and names what can go wrong with a pair (`faults.ts`). A result goes in
 * and comes out as it was measured, and older files are read as new ones. What follows from a
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
import { isOfNewRevision, isOfOldRevision } from './revision-names.ts';

/**
 * This number rises when a reader of the old form would misread the new one. Results with a smaller
 * number are refused. Older files with this number are read as new ones: what they lack has a
 * default, here, in `pair-schema.ts` and in `faults.ts`.
 */
export const SCHEMA_VERSION = 3;
/**
 * This number rises when the same servers would have other figures: results of two methods are not
 * compared.
 */
export const METHOD = 4;
/** The same for a run with a task at a steady rate: if `METHOD` rises, this one does, too. */
export const METHOD_AT_RATES = 5;

/** How well each row is to be known: half of the interval of what decides (`aims.ts`). */
const precisionSchema = z.object({
  value: z.number().positive(),
  /**
   * `%`: within that share of the row's cost, or within half that share of what the baseline
   * takes, whichever is more. `% of baseline`: within that share of what the baseline takes. `us`:
   * within so many µs.
   */
  unit: z.enum(['%', '% of baseline', 'us']),
});

/** What no row may add to a request: µs, or % of all that a request takes of the baseline. */
const limitSchema = z.object({ value: z.number().nonnegative(), unit: z.enum(['us', '%']) });

/** The limits of a gate; null where there is none. */
const limitsSchema = z.object({
  /** It limits CPU per request. */
  cpu: limitSchema.nullable(),
  /** It limits the 99th percentile of latency, in µs. */
  p99Us: z.number().nonnegative().nullable(),
});

const texts = z.array(z.string());

const configurationSchema = z.object({
  /** The connections to a server alone; in a duet slice, each of two servers has half of them. */
  connections: z.int().positive(),
  /**
   * How long each server was to be under load in alternating slices, at the least: over all pairs,
   * or over as many as a fixed number would be if a precision is asked for. Rows at a steady rate
   * that cost much have more such slices.
   */
  durationSeconds: z.number().positive(),
  sliceSeconds: z.int().positive(),
  /**
   * The number of pairs of each scenario, and of the baseline against itself; the fewest, if what
   * they show decides how many there are.
   */
  pairs: z.int().positive(),
  /** The most pairs of a row; null if their number is fixed. */
  mostPairs: z.int().positive().nullable().default(null),
  /** The precision that decides how many pairs a row gets; null if none was asked for. */
  within: precisionSchema.nullable().default(null),
  /**
   * Limits that decide it, too: a row gets pairs until it lies surely above or below them. Null if
   * there are none, or if the number of pairs is fixed.
   */
  limits: limitsSchema.nullable().default(null),
  /**
   * Whether rows that are known by themselves get pairs until they are told apart from those next
   * to them, or alike. Older files did not ask for that.
   */
  isRanking: z.boolean().default(false),
  /** The longest that pairs may take, of each part of a run that went on; null without a limit. */
  atMostSeconds: z.number().positive().nullable().default(null),
  /**
   * The number of alternating slices in each pair, for each of its servers. If those tell its CPU,
   * there is one more for each duet slice.
   */
  alternatingSlices: count,
  /** The number of duet slices in each pair; turns last as long as all of them. */
  duetSlices: count,
  /** The longest that a warm-up may take. */
  warmupSeconds: count,
  /** How often each scenario and its baseline are started for the start-up time. */
  starts: count,
  /** How long servers are watched without requests, for the CPU that they take then. */
  idleSeconds: count,
  /** What scenarios do that have no `export` of their own. */
  export: exportModeSchema,
  isQuick: z.boolean(),
  seed: z.int(),
  /** Names of the tasks that the user chose; null for all of the suite, and in older files. */
  tasks: texts.nullable().default(null),
  /** Names of the scenarios that the user chose; null likewise. */
  scenarios: texts.nullable().default(null),
});

/** The CPU time of a wake-up and its standard error. */
const wakeUpSchema = z.object({ us: z.number(), standardErrorUs: z.number() });

/** What a container may use of its machine; null for what is not limited. */
const containerLimitsSchema = z.object({
  /** By its CPU quota: how many cores' time, whichever they are. */
  quotaCores: z.number().nullable(),
  /** By its cpuset: these cores alone, as a list such as `0-3,8`. */
  cores: z.string().nullable(),
  memoryBytes: z.number().nullable(),
});

const environmentSchema = z.object({
  cpu: z.string(),
  /** When the run began; null if nothing tells, and in older files. */
  cpuMhz: z.number().nullable().default(null),
  /** All that the machine has; in older files those that its container may use. */
  cores: count,
  memoryBytes: z.number(),
  kernel: z.string(),
  /** Left out if nothing is limited, and in older files. */
  limits: containerLimitsSchema.optional(),
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
  /** What it costs the server's core to wake the load tool's. Null if nobody measured it. */
  wakeUp: z
    .object({
      plain: wakeUpSchema,
      /** The cost while cores were kept awake; null if they were not. */
      held: wakeUpSchema.nullable(),
    })
    .nullable(),
  variables: z.object({
    /** Variables that were taken out of the environment of servers. */
    removed: texts,
    /** Variables that `.env` files supply. */
    supplied: texts,
    /** Files that baselines preload. */
    preloading: texts,
  }),
});

/** Why server and load tool have no cores of their own. */
const unpinnedSchema = missingSchema.extend({
  /** Older files have none. `cpuset`: the machine has more cores than may be used. */
  reason: z.enum(['switched-off', 'not-installed', 'one-core', 'cpuset']).optional(),
});

const taskSchema = z.object({
  name: z.string(),
  title: z.string(),
  baseline: z.string(),
  /** The names of all scenarios in the order of the table, the baseline among them. */
  scenarios: texts,
  /** Requests a second on each server; null for as many as the server answers. */
  rate: z.number().nullable(),
  /**
   * The rate as a part of what the baseline could answer when the run began; null if the suite does
   * not ask for such a part.
   */
  rateShare: z.number().positive().nullable(),
  /** The connections of the load tool to a server alone. */
  connections: z.int().positive(),
  /** What is sent. Digests stand for all that is secret or long. */
  exchanges: z.array(
    z.object({
      method: z.string(),
      path: z.string(),
      weight: z.number(),
      /** The digest of headers, query and body. */
      requestDigest: z.string(),
      answerDigest: z.string().nullable(),
    }),
  ),
  /** The load tool's command on a scenario's server, with digests in place of what is secret. */
  command: texts,
});

const sweepSchema = z.object({
  /** What is swept: a variable of the servers, or `connections` or `rate`. */
  parameter: z.string(),
  /** What one more of the parameter is called. */
  unit: z.string(),
  points: z.array(
    z.object({
      task: z.string(),
      scenario: z.string(),
      curve: z.string(),
      value: z.number(),
    }),
  ),
});

const scenarioSchema = z.object({
  name: z.string(),
  title: z.string(),
  trueCostUs: z.number().nullable(),
  export: exportModeSchema,
  /** How the sink of the scenario behaves, if the suite says so. */
  receiver: receiverBehaviourSchema.optional(),
  runtime: z.object({ name: z.string(), version: z.string() }).nullable(),
  /** The digest of its server's command, environment and folder; older files have none. */
  serverDigest: z.string().optional(),
  /** What says that it watches its files, or is in development mode, such as `--watch`. */
  developmentSign: z.string().optional(),
  /** The versions of the packages that the server uses, by name. */
  packages: z.record(z.string(), z.string()),
});

const suiteObject = z.object({
  /** The name is a part of file names. */
  name: z.string().regex(/^[\w.-]+$/),
  title: z.string(),
  isInstrumentation: z.boolean(),
  /** The scenario that the answer in words is about, if the suite names one. */
  headline: z.string().optional(),
  isLadder: z.boolean(),
  /**
   * Whether each task has an old and a new revision, or version, of one scenario; left out if not.
   */
  comparesRevisions: z.literal(true).optional(),
  remarks: texts,
  tasks: z.array(taskSchema),
  sweep: sweepSchema.nullable(),
  /** What could not be measured on this machine. */
  skipped: z.array(
    z.object({
      /** The title of a scenario, or of a whole task. */
      scenario: z.string(),
      fault: reasonSchema,
      /** The tasks in which the scenario would have been measured. */
      tasks: texts,
    }),
  ),
  scenarios: z.array(scenarioSchema),
});

/** Older files tell by the names of scenarios alone that they compare revisions. */
const suiteSchema = suiteObject.overwrite((suite) =>
  hasNamesOfRevisions(suite) ? { ...suite, comparesRevisions: true } : suite,
);

function hasNamesOfRevisions({ tasks }: z.output<typeof suiteObject>): boolean {
  return tasks.every(
    ({ baseline, scenarios }) => isOfOldRevision(baseline) && scenarios.every(isOfNewRevision),
  );
}

/** Why idle cores were not kept from sleeping. */
const asleepObject = missingSchema.extend({
  reason: z
    .enum(['no-driver', 'switched-off', 'cannot-open', 'not-measured', 'no-help'])
    .optional(),
});

/** Older files have their reason as words alone, of which the program knows one. */
const asleepSchema = asleepObject.overwrite((asleep) =>
  asleep.missing.startsWith('nobody measured') ? { ...asleep, reason: 'not-measured' } : asleep,
);

/** What arrived of a known number of requests, before anything was measured. */
const proofSchema = z.object({
  scenario: z.string(),
  requests: count,
  spans: count,
  metrics: texts,
  /** How many profiles arrived; left out for none. */
  profiles: count.optional(),
  /** What was seen and is no fault, such as that a server did not end on SIGTERM. */
  notes: texts,
});

const toolSchema = z.object({
  name: z.string(),
  version: z.string(),
  /** The load host on which the tool ran; null for this machine. */
  host: z.string().nullable(),
  /**
   * From when the tool counts latency at a steady rate: from when a request was due, or from when
   * it was sent. Null if the tool has no rate.
   */
  latencyFrom: z.enum(['due', 'sent']).nullable(),
});

/** What a result file calls itself. */
export const KIND = 'tracetax';

export const resultSchema = z.object({
  kind: z.literal(KIND),
  schemaVersion: z.literal(SCHEMA_VERSION, {
    error: ({ input }) =>
      `it has schema version ${input}; this version of tracetax reads version ${SCHEMA_VERSION}`,
  }),
  /** The method by which tracetax measured; files of the first method have none. */
  method: count.optional(),
  startedAt: z.iso.datetime(),
  /** When the run ended; null while it runs, and for a run that was killed. */
  endedAt: z.iso.datetime().nullable(),
  /** Why the run ended early; null if it did not. */
  stoppedBy: z.string().nullable(),
  /**
   * Why there are no more pairs: `complete`: a fixed number was asked for, and measured; `known`:
   * all rows are known as well as was asked for, or as a limit needs; `short`: some are not, and
   * get no more pairs; `time`: the time was over; `failed`: the baseline failed, with which all was
   * to be compared. Null for a run that was stopped, and in older files.
   */
  endReason: z.enum(['complete', 'known', 'short', 'time', 'failed']).nullable().default(null),
  suite: suiteSchema,
  configuration: configurationSchema,
  tool: toolSchema,
  /** The tool of tasks at a steady rate; left out if they have that of all others. */
  toolAtRates: toolSchema.optional(),
  /**
   * The cores of server and load tool, as lists that `taskset -c` takes; or why the two have no
   * cores of their own.
   */
  pinning: z.union([
    z.object({
      serverCore: z.string(),
      toolCores: z.string(),
      toolCoreCount: z.int().positive(),
      /** The core of the sink; null if it shares those of the load tool, or if there is no sink. */
      sinkCore: z.string().nullable(),
    }),
    unpinnedSchema,
  ]),
  /** How idle cores were kept from sleeping, or why nothing kept them. */
  keepAwake: z.union([z.object({ how: z.string() }), asleepSchema]),
  environment: environmentSchema,
  /** A proof for each scenario that says what it records. */
  proofs: z.array(proofSchema),
  /** Start-ups of both servers by turns, for suites that ask for them. */
  startUps: z.array(
    z.object({
      task: z.string(),
      scenario: z.string(),
      /** The times from the start of a process to its first answer. */
      ms: both(z.array(z.number())),
    }),
  ),
  /** What both servers do without requests, side by side, for suites that ask for it. */
  idles: z.array(
    z.object({
      task: z.string(),
      scenario: z.string(),
      cpuMsPerSecond: both(z.number()),
    }),
  ),
  /** All pairs in the order in which they were measured. */
  pairs: z.array(pairSchema),
});

export type Result = z.output<typeof resultSchema>;
/** What a result tells before anything is measured. */
export type ResultHeader = Omit<
  Result,
  'kind' | 'schemaVersion' | 'endedAt' | 'stoppedBy' | 'endReason' | 'startUps' | 'idles' | 'pairs'
>;
export type Configuration = Result['configuration'];
export type Precision = NonNullable<Configuration['within']>;
export type Limits = NonNullable<Configuration['limits']>;
export type Limit = NonNullable<Limits['cpu']>;
export type EndReason = NonNullable<Result['endReason']>;
export type ExportMode = Configuration['export'];
export type KeepAwake = Result['keepAwake'];
export type Environment = Result['environment'];
export type ContainerLimits = z.output<typeof containerLimitsSchema>;
export type UnpinnedReason = z.output<typeof unpinnedSchema>['reason'];
export type Proof = Result['proofs'][number];
export type Task = Result['suite']['tasks'][number];
export type Pair = Result['pairs'][number];
export type Side = keyof Pair['usage'];
export type StartUps = Result['startUps'][number];
export type IdleCpu = Result['idles'][number];
export type Usage = Pair['usage'][Side];
export type CpuTimes = NonNullable<Usage['cpuUs']>;
export type Connections = NonNullable<Pair['connections']>[Side];
export type Exported = NonNullable<Pair['exported'][Side]>;
export type ContainerUse = NonNullable<Pair['container']>;
export type AlternatingSlice = Pair['alternating'][number];
export type DuetSlice = Pair['duets'][number];
export type TurnsSlice = Pair['turns'][number];
/** A slice with both servers under load at once. */
export type SliceAtOnce = DuetSlice | TurnsSlice;
export type WarmUpSlice = Pair['warmUp'][number];
export type Loaded = DuetSlice[Side];
export type Latency = NonNullable<Loaded['latencyUs']>;
export type CoreUse = NonNullable<DuetSlice['cores']>;
