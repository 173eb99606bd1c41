/**
 * What a suite file may say: every field with its default. `suite.ts` has what the program reads of
 * it, and docs/reference.md explains them to users.
 */
import { z } from 'zod';
import { answerSchema, requestSchema } from '../exchange/request-schema.ts';
import { exportModeSchema, receiverBehaviourSchema } from '../result/pair-schema.ts';
import { issuesOf } from './check-suite.ts';
import { resolveSuite, tasksOf } from './resolve-suite.ts';
import type {
  Exchange,
  Pace,
  Scenario,
  Service,
  Suite,
  Sweep,
  WrittenSuite,
  WrittenTask,
} from './suite.ts';
import { telemetrySchema } from './telemetry.ts';

export { SPAN_KINDS, type SpanInput, type TelemetryInput } from './telemetry.ts';

const nameSchema = z.string().regex(/^[\w.-]+$/, 'use letters, digits, ".", "_" and "-" only');

/** A program and its arguments, without a shell. */
const commandSchema = z.array(z.string().min(1)).min(1);

/** Returns it with a title: its name if it has none. */
function withTitle<T extends { name: string; title?: string | undefined }>(
  named: T,
): T & { title: string } {
  return { ...named, title: named.title ?? named.name };
}

export const scenarioSchema = z
  .strictObject({
    name: nameSchema,
    /** The row's label in the table. */
    title: z.string().min(1).optional(),
    /**
     * It must listen at the address in `HOST` and the port in `PORT`, which `{host}` and `{port}`
     * stand for, too.
     */
    command: commandSchema,
    env: z.record(z.string(), z.string()).default({}),
    /**
     * The folder in which its command runs, relative to the suite file; the suite's if left out.
     */
    cwd: z.string().optional(),
    /** Left out, nothing is proven, and the report says so. */
    telemetry: telemetrySchema.optional(),
    /**
     * Its instrumentation is switched off: it is set up to export like one that records, and claims
     * to record nothing.
     */
    switchedOff: z.boolean().default(false),
    /**
     * What becomes of its spans while it is measured, whatever the user says; left out, what the
     * user says.
     */
    export: exportModeSchema.optional(),
    /** How what receives its spans behaves while it is measured. */
    receiver: receiverBehaviourSchema.optional(),
    /**
     * It sends all spans that it holds as it ends by SIGTERM, so nobody waits for its batches after
     * each pair.
     */
    flushesAtEnd: z.boolean().default(false),
    /**
     * A command that prints what the server runs on, such as `Python 3.11.2`, and then its
     * packages, one a line.
     */
    versions: commandSchema.optional(),
    /** Folders relative to the suite file: what their lock files say is installed there. */
    packages: z
      .union([z.string(), z.array(z.string())])
      .default([])
      .transform((folders) => [folders].flat()),
    /**
     * It is skipped, and the report says why, if its program or packages can't be had, or its
     * claims are not true.
     */
    optional: z.boolean().default(false),
    /** What it costs more than the baseline, if that is known: for calibrations. */
    trueCostUs: z.number().nonnegative().optional(),
  })
  .transform(withTitle) satisfies z.ZodType<Scenario>;

/** What servers talk to, such as a database. */
const serviceSchema = z.strictObject({
  name: nameSchema,
  /** It must listen at the address in `HOST` and the port in `PORT`. */
  command: commandSchema,
  /** The folder in which it runs, relative to the suite file. */
  cwd: z.string().default('.'),
}) satisfies z.ZodType<Service>;

/** One request of a task, and what must come of it. */
const exchangeSchema = z.strictObject({
  request: requestSchema.prefault({}),
  answer: answerSchema.prefault({}),
  /** How often it is sent, against the others of its task. */
  weight: z.number().positive().default(1),
  /** By scenario, if it is not the scenario's own `telemetry`. */
  telemetry: z.record(z.string(), telemetrySchema).default({}),
}) satisfies z.ZodType<Exchange>;

/** One comparison: what is sent, to which scenarios, against which baseline. */
export const taskSchema = z
  .strictObject({
    name: nameSchema,
    title: z.string().min(1).optional(),
    /** More than one: a mix, sent at random by weight, by load tools that can. */
    exchanges: z.array(exchangeSchema).min(1),
    /**
     * Requests a second on each server, by load tools that can; left out, as many as it answers.
     */
    rate: z.int().positive().optional(),
    /** The suite's if left out. */
    baseline: z.string().optional(),
    /** All of the suite if left out. */
    scenarios: z.array(z.string()).optional(),
  })
  .transform(withTitle) satisfies z.ZodType<WrittenTask>;

/** What is changed in steps (docs/rates-and-curves.md). */
const sweepSchema = z
  .strictObject({
    /** A variable of all servers but baselines, ... */
    env: z.string().min(1).exactOptional(),
    /** ... or a part of the load. */
    load: z.enum(['connections', 'rate']).exactOptional(),
    values: z.array(z.number().nonnegative()).min(3),
    /** What one more of it is called in a sentence, such as "span". */
    unit: z.string().min(1),
  })
  .refine(
    ({ env, load }) => (env === undefined) !== (load === undefined),
    'needs either "env" or "load"',
  )
  .refine(({ values }) => new Set(values).size === values.length, 'has a value twice')
  .refine(
    ({ load, values }) =>
      load === undefined || values.every((value) => value >= 1 && Number.isInteger(value)),
    'needs whole numbers from 1 on for a load',
  ) satisfies z.ZodType<Sweep>;

/** How long and how often a run measures, if the user does not say. */
const paceSchema = z.strictObject({
  connections: z.int().positive().exactOptional(),
  durationSeconds: z.int().positive().exactOptional(),
  sliceSeconds: z.int().positive().exactOptional(),
  pairs: z.int().positive().exactOptional(),
  duetSlices: z.int().nonnegative().exactOptional(),
  warmupSeconds: z.int().nonnegative().exactOptional(),
  /** Of each scenario and of its baseline, for the start-up time. */
  starts: z.int().nonnegative().exactOptional(),
  /** Of one pair of each row without requests, for the CPU that is taken then. */
  idleSeconds: z.int().nonnegative().exactOptional(),
}) satisfies z.ZodType<Pace>;

export const suiteSchema = z
  .strictObject({
    /** Editors check the file by it. */
    $schema: z.string().optional(),
    name: nameSchema,
    title: z.string().min(1).optional(),
    /** The folder in which the commands run, relative to the suite file. */
    cwd: z.string().default('.'),
    /**
     * A command or several that build, migrate or seed: each runs once, in that folder, before
     * anything is started.
     */
    prepare: z
      .union([commandSchema.transform((only) => [only]), z.array(commandSchema)])
      .default([]),
    /** How long a server may take until it gives the expected answer. */
    startWithinSeconds: z.number().positive().max(3_600).default(10),
    /**
     * What git ignores and servers need, relative to the suite file: copied into checkouts of other
     * revisions.
     */
    files: z.array(z.string().min(1)).default([]),
    request: requestSchema.optional(),
    answer: answerSchema.optional(),
    /** In place of `request` and `answer`, for suites of more than one comparison. */
    tasks: z.array(taskSchema).min(1).optional(),
    baseline: z.string(),
    /** Whether what is compared is instrumentation: what it records then wants proof. */
    isInstrumentation: z.boolean().default(true),
    /** What the report prints beside the table, such as settings that differ from defaults. */
    remarks: z.array(z.string().min(1)).default([]),
    /** The scenario that the answer in words is about. */
    headline: z.string().exactOptional(),
    /** Whether each scenario adds to the one before it: `explain` then shows the steps. */
    isLadder: z.boolean().default(false),
    scenarios: z.array(scenarioSchema).min(1),
    /**
     * Each is started beside the load tool once a server has `{service:NAME}` in `env` or
     * `command`, which becomes its host and port. It ends with the run.
     */
    services: z.array(serviceSchema).default([]),
    /**
     * A task of short requests that warms up the servers of all others first: their own would take
     * minutes.
     */
    warmUp: z.string().optional(),
    /** The same comparison for several values of something: each becomes a row. */
    sweep: sweepSchema.exactOptional(),
    full: paceSchema.prefault({}),
    quick: paceSchema.prefault({}),
  })
  .transform((written: WrittenSuite, context): Suite => {
    const tasks = tasksOf(written);
    const issues = issuesOf(written, tasks);
    for (const { path, message } of issues) context.addIssue({ code: 'custom', path, message });
    return issues.length > 0 ? z.NEVER : resolveSuite(written, tasks);
  });

/** What a suite file exports: the defaults may be left out. */
export type SuiteInput = z.input<typeof suiteSchema>;
export type ScenarioInput = z.input<typeof scenarioSchema>;
export type TaskInput = z.input<typeof taskSchema>;
