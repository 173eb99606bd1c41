import { z } from 'zod';
import { answerSchema, requestSchema } from '../exchange/request-schema.ts';
import { exportModeSchema, receiverBehaviourSchema } from '../result/pair-schema.ts';
import type { Result } from '../result/schema.ts';
import { telemetrySchema } from './telemetry.ts';

export { SPAN_KINDS, type SpanInput, type TelemetryInput } from './telemetry.ts';

const nameSchema = z.string().regex(/^[\w.-]+$/, 'use letters, digits, ".", "_" and "-" only');

/** A program and its arguments, without a shell. */
const commandSchema = z.array(z.string().min(1)).min(1);

/** What has no title is called by its name. */
const titled = <Named extends { name: string; title?: string | undefined }>(each: Named) => {
  return { ...each, title: each.title ?? each.name };
};

export const scenarioSchema = z
  .strictObject({
    name: nameSchema,
    /** The row's label in the table. */
    title: z.string().min(1).optional(),
    /** It must listen at the address in `HOST` and the port in `PORT`, which `{host}` and `{port}` stand for, too. */
    command: commandSchema,
    env: z.record(z.string(), z.string()).default({}),
    /** The folder in which its command runs, relative to the suite file; the suite's if left out. */
    cwd: z.string().optional(),
    /** Left out, nothing is proven, and the report says so. */
    telemetry: telemetrySchema.optional(),
    /** Its instrumentation is switched off: it is set up to export like one that records, and claims to record nothing. */
    switchedOff: z.boolean().default(false),
    /** What becomes of its spans while it is measured, whatever the user says; left out, what the user says. */
    export: exportModeSchema.optional(),
    /** How what receives its spans behaves while it is measured. */
    receiver: receiverBehaviourSchema.optional(),
    /** It sends all spans that it holds as it ends by SIGTERM, so nobody waits for its batches after each pair. */
    flushesAtEnd: z.boolean().default(false),
    /** A command that prints what the server runs on, such as `Python 3.11.2`, and then its packages, one a line. */
    versions: commandSchema.optional(),
    /** Folders relative to the suite file: what their lock files say is installed there. */
    packages: z
      .union([z.string(), z.array(z.string())])
      .default([])
      .transform((folders) => [folders].flat()),
    /** It is skipped, and the report says why, if its program or packages can't be had, or its claims are not true. */
    optional: z.boolean().default(false),
    /** What it costs more than the baseline, if that is known: for calibrations. */
    trueCostUs: z.number().nonnegative().optional(),
  })
  .transform(titled);

/** What servers talk to, such as a database. */
const serviceSchema = z.strictObject({
  name: nameSchema,
  /** It must listen at the address in `HOST` and the port in `PORT`. */
  command: commandSchema,
  /** The folder in which it runs, relative to the suite file. */
  cwd: z.string().default('.'),
});

/** One request of a task, and what must come of it. */
const exchangeSchema = z.strictObject({
  request: requestSchema.prefault({}),
  answer: answerSchema.prefault({}),
  /** How often it is sent, against the others of its task. */
  weight: z.number().positive().default(1),
  /** By scenario, if it is not the scenario's own `telemetry`. */
  telemetry: z.record(z.string(), telemetrySchema).default({}),
});

/** One comparison: what is sent, to which scenarios, against which baseline. */
export const taskSchema = z
  .strictObject({
    name: nameSchema,
    title: z.string().min(1).optional(),
    /** More than one: a mix, sent at random by weight, by load tools that can. */
    exchanges: z.array(exchangeSchema).min(1),
    /** Requests a second on each server, by load tools that can; left out, as many as it answers. */
    rate: z.int().positive().optional(),
    /** The suite's if left out. */
    baseline: z.string().optional(),
    /** All of the suite if left out. */
    scenarios: z.array(z.string()).optional(),
  })
  .transform(titled);

/** What is changed in steps: docs/rates-and-curves.md. */
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
  );

/** How long and how often, if the user does not say: docs/reference.md. */
const paceSchema = z.strictObject({
  connections: z.int().positive().exactOptional(),
  durationSeconds: z.int().positive().exactOptional(),
  sliceSeconds: z.int().positive().exactOptional(),
  pairs: z.int().positive().exactOptional(),
  duetSlices: z.int().nonnegative().exactOptional(),
  warmupSeconds: z.int().nonnegative().exactOptional(),
  /** Of each scenario and of its baseline, for the start-up time. */
  starts: z.int().nonnegative().exactOptional(),
  /** Of one pair of each row without requests, for the standing cost. */
  idleSeconds: z.int().nonnegative().exactOptional(),
});

export const suiteSchema = z
  .strictObject({
    /** For editors. */
    $schema: z.string().optional(),
    name: nameSchema,
    title: z.string().min(1).optional(),
    /** The folder in which the commands run, relative to the suite file. */
    cwd: z.string().default('.'),
    /** A command or several that build, migrate or seed: each runs once, in that folder, before anything is started. */
    prepare: z
      .union([commandSchema.transform((only) => [only]), z.array(commandSchema)])
      .default([]),
    /** How long a server may take until it gives the expected answer. */
    startWithinSeconds: z.number().positive().max(3_600).default(10),
    /** What git ignores and servers need, relative to the suite file: copied into checkouts of other revisions. */
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
    /** Whether each scenario adds to the one before it: `explain` then shows the steps. */
    isLadder: z.boolean().default(false),
    scenarios: z.array(scenarioSchema).min(1),
    /** Each runs beside the load tool while servers have `{service:NAME}` in `env`: host and port of it. */
    services: z.array(serviceSchema).default([]),
    /** A task of short requests that warms up the servers of all others first: their own would take minutes. */
    warmUp: z.string().optional(),
    /** The same comparison for several values of something: each becomes a row. */
    sweep: sweepSchema.exactOptional(),
    full: paceSchema.prefault({}),
    quick: paceSchema.prefault({}),
  })
  .transform(({ request, answer, tasks, ...suite }, context) => {
    const { scenarios, services } = suite;
    const issue = (path: (string | number)[], message: string) =>
      context.addIssue({ code: 'custom', path, message });
    if (tasks && (request || answer))
      issue(['tasks'], 'stands in place of "request" and "answer": give one or the other');
    const all = tasks ?? [taskSchema.parse({ name: ONLY_TASK, exchanges: [{ request, answer }] })];
    for (const [field, named] of Object.entries({ scenarios, services, tasks: all }))
      for (const [name, { length }] of Map.groupBy<string, { name: string }>(
        named,
        (each) => each.name,
      ))
        if (length > 1) issue([field], `"${name}" appears twice`);
    const check = (
      path: (string | number)[],
      names: string[],
      what: 'scenarios' | 'services' = 'scenarios',
    ) => {
      const known = suite[what].map(({ name }) => name);
      for (const name of names.filter((each) => !known.includes(each)))
        issue(path, `"${name}" is not one of the ${what} (${known.join(', ') || 'none'})`);
    };
    check(['baseline'], [suite.baseline]);
    const base = scenarios.find(({ name }) => name === suite.baseline);
    const started = ({ command, env, cwd, receiver }: Scenario) => ({
      command,
      env,
      cwd,
      receiver,
    });
    for (const [index, each] of scenarios.entries()) {
      const told = JSON.stringify([each.command, each.env]);
      const needed = [...told.matchAll(/\{service:([^}"]*)\}/g)].map(([, name = '']) => name);
      check(['scenarios', index], needed, 'services');
      // What claims to record nothing would be compared with itself, under the name of something else.
      if (base?.telemetry && !each.telemetry && Bun.deepEquals(started(each), started(base)))
        issue(
          ['scenarios', index],
          `starts the same server as "${base.name}": let "command" or "env" differ`,
        );
    }
    const warmUp = all.find(({ name }) => name === suite.warmUp);
    if (suite.warmUp !== undefined && warmUp?.exchanges.length !== 1)
      issue(['warmUp'], `"${suite.warmUp}" is not a task with exactly one request`);
    const loaded = (task: Task, index: number): SuiteTask => {
      const wanted = task.baseline ?? suite.baseline;
      const chosen = [wanted, ...(task.scenarios ?? [])];
      check(['tasks', index], task.baseline === undefined ? chosen.slice(1) : chosen);
      const baseline = scenarios.find(({ name }) => name === wanted) as Scenario;
      const own = task.scenarios
        ? scenarios.filter(({ name }) => chosen.includes(name))
        : scenarios;
      return {
        ...task,
        baseline,
        scenarios: own,
        warmUp: warmUp && warmUp !== task ? warmUp.exchanges : [],
      };
    };
    return {
      ...titled(suite),
      /** Each with the folder in which it runs. */
      prepare: suite.prepare.map((command) => ({ command, cwd: suite.cwd })),
      tasks: all.map(loaded),
      /** What can't be measured here: scenarios, each with the tasks that it would have been in, and whole tasks. */
      skipped: [] as Result['suite']['skipped'],
    };
  });

/** The task of a suite that has but one. */
export const ONLY_TASK = 'default';

/** What a suite file exports: the defaults may be left out. */
export type SuiteInput = z.input<typeof suiteSchema>;
export type ScenarioInput = z.input<typeof scenarioSchema>;
export type TaskInput = z.input<typeof taskSchema>;
/** Its names are resolved; once it is loaded, its paths are absolute, and its sweep has become rows. */
export type Suite = z.output<typeof suiteSchema>;
export type Service = z.output<typeof serviceSchema>;
export type Scenario = z.output<typeof scenarioSchema> & OfSweep;
type Task = z.output<typeof taskSchema>;
export type Exchange = Task['exchanges'][number];

/** What became a row for each value of a sweep has that value, and a part of what the line through them is called. */
interface OfSweep {
  curve?: string;
  value?: number | undefined;
}

/** With its scenarios themselves; the baseline is among them, if it is to be measured against itself. */
export interface SuiteTask extends Omit<Task, 'baseline' | 'scenarios'>, OfSweep {
  baseline: Scenario;
  scenarios: Scenario[];
  /** Short requests that warm up the servers before its own do; empty if it has none. */
  warmUp: Exchange[];
  /** Of the load tool on a server alone, if they are not the run's. */
  connections?: number;
  /** The rate as a part of what the baseline can do, found when the run begins. */
  rateShare?: number;
}
