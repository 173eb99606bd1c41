import { existsSync, rmSync, statSync } from 'node:fs';
import { type DuetExecutor, duetForks, measureDuet } from './measure/duet.ts';
import { Interruption, interruptible } from './measure/interruption.ts';
import { measureSolo, type SoloExecutor, soloRounds, type TaskNames } from './measure/solo.ts';
import type { Plan } from './plan.ts';
import { Problem } from './problem.ts';
import { pinSelf } from './process/pinning.ts';
import { createProgress, type Progress } from './progress.ts';
import { claimsOf, prove } from './proof/proof.ts';
import { environment } from './results/environment.ts';
import { defaultResultFile, writeResult } from './results/file.ts';
import { type Result, SCHEMA_VERSION } from './results/schema.ts';
import { impreciseScenarios } from './stats/precision.ts';
import { verdictsOf } from './stats/verdicts.ts';
import type { LoadedSuite, LoadedTask } from './suite/load.ts';
import { ONLY_TASK, type Request, type Scenario } from './suite/schema.ts';

/** Starting a server and checking its answer, in seconds: for the time left alone. */
const START_SECONDS = 0.3;
const PROOF_SECONDS = 1.2;

export interface Outcome {
  result: Result;
  /** Where the result is kept; undefined where nothing was measured. */
  file: string | undefined;
  /** Why the run ended before its plan did. */
  stoppedBy: Problem | Interruption | undefined;
}

/** Measures according to plan. The file holds every round and every fork that was completed, at any time. */
export async function run(plan: Plan, out: string | undefined): Promise<Outcome> {
  const startedAt = new Date();
  const file = out ?? defaultResultFile(startedAt, plan.suite.name);
  if (existsSync(file)) throw new Problem(`${file} is there already`, 'Choose another file with --out');
  const result = emptyResult(plan, startedAt);
  if (plan.pinning) pinSelf(plan.pinning.toolCores);

  const save = () => {
    result.verdicts = verdictsOf(result);
    writeResult(file, result);
  };
  const stoppedBy = await measureInto(result, plan, save);
  result.endedAt = new Date().toISOString();
  result.stoppedBy = stoppedBy?.message ?? null;
  save();
  const hasMeasured = result.soloRounds.length + result.duetForks.length > 0;
  if (!hasMeasured) rmSync(file);
  return { result, file: hasMeasured ? file : undefined, stoppedBy };
}

async function measureInto(result: Result, plan: Plan, save: () => void): Promise<Outcome['stoppedBy']> {
  const progress = createProgress(plannedSeconds(plan));
  try {
    await interruptible(async () => {
      // Before the first round, so that a file that can't be written costs no measurement.
      save();
      await proveAll(result, plan, progress, save);
      await measureSolos(result, plan, progress, save);
      await measureDuets(result, plan, progress, save);
    });
    return undefined;
  } catch (error) {
    if (error instanceof Problem || error instanceof Interruption) return error;
    throw error;
  } finally {
    progress.end();
  }
}

/** Every scenario that says what it records does so before anything is measured: or the run ends here. */
async function proveAll(result: Result, plan: Plan, progress: Progress, save: () => void): Promise<void> {
  for (const claim of claimsOf(plan.suite.tasks)) {
    progress.step(`proof: ${claim.scenario.name}`, PROOF_SECONDS);
    result.proofs.push(await prove(plan, claim));
    save();
  }
}

async function measureSolos(result: Result, plan: Plan, progress: Progress, save: () => void): Promise<void> {
  const { configuration, suite } = plan;
  const measure: SoloExecutor = (taskName, name, round) => {
    const task = taskOf(suite, taskName);
    progress.step(`round ${round + 1}/${configuration.rounds}: ${label(task, name)}`, soloSeconds(plan));
    return measureSolo({ ...plan, task }, scenarioOf(task, name));
  };
  for await (const round of soloRounds(names(suite), configuration, measure)) {
    result.soloRounds.push(round);
    save();
  }
}

/** The planned forks; then, with `--precision`, more of those whose intervals are still too wide. */
async function measureDuets(result: Result, plan: Plan, progress: Progress, save: () => void): Promise<void> {
  const { clock, suite, configuration } = plan;
  if (!clock || configuration.forks === 0) return;
  const startedAt = performance.now();
  const measure: DuetExecutor = (taskName, name, fork, baselineFirst) => {
    const task = taskOf(suite, taskName);
    progress.step(`duet ${fork + 1}: ${label(task, name)}`, duetSeconds(plan));
    return measureDuet(
      { ...plan, task, clock },
      { baseline: task.baseline, scenario: scenarioOf(task, name) },
      configuration.slices,
      baselineFirst,
    );
  };
  const keep = async (tasks: TaskNames, forks: number, seed: number) => {
    for await (const fork of duetForks(tasks, { forks, seed }, measure)) {
      result.duetForks.push(fork);
      save();
    }
  };
  await keep(names(suite), configuration.forks, configuration.seed);
  for (let extra = 1; configuration.precision; extra++) {
    const imprecise = impreciseScenarios(result);
    const isTimeUp = performance.now() - startedAt > configuration.precision.maxSeconds * 1_000;
    if (imprecise.size === 0 || isTimeUp) return;
    await keep(imprecise, 1, configuration.seed + extra);
  }
}

function plannedSeconds(plan: Plan): number {
  const { rounds, forks } = plan.configuration;
  const cells = plan.suite.tasks.reduce((sum, { scenarios }) => sum + scenarios.length, 0);
  const each = rounds * soloSeconds(plan) + forks * duetSeconds(plan);
  return claimsOf(plan.suite.tasks).length * PROOF_SECONDS + cells * each;
}

function soloSeconds({ configuration: { warmupSeconds, durationSeconds } }: Plan): number {
  return START_SECONDS + warmupSeconds + durationSeconds;
}

function duetSeconds({ configuration: { warmupSeconds, slices, sliceSeconds } }: Plan): number {
  return 2 * START_SECONDS + warmupSeconds + slices * sliceSeconds;
}

function names({ tasks }: LoadedSuite): TaskNames {
  return new Map(tasks.map((task) => [task.name, task.scenarios.map(({ name }) => name)]));
}

function taskOf({ tasks }: LoadedSuite, name: string): LoadedTask {
  return tasks.find((task) => task.name === name) as LoadedTask;
}

function scenarioOf({ scenarios }: LoadedTask, name: string): Scenario {
  return scenarios.find((scenario) => scenario.name === name) as Scenario;
}

function label(task: LoadedTask, scenario: string): string {
  return task.name === ONLY_TASK ? scenario : `${task.name}, ${scenario}`;
}

/** What is known before anything is measured. */
export function emptyResult(
  { suite, configuration, tool, pinningPlan, cpuClock }: Plan,
  startedAt: Date,
): Result {
  return {
    schemaVersion: SCHEMA_VERSION,
    kind: 'tracetax',
    startedAt: startedAt.toISOString(),
    endedAt: null,
    stoppedBy: null,
    suite: summary(suite),
    configuration,
    tool: { name: tool.tool.name, version: tool.version },
    pinning: 'pinning' in pinningPlan ? pinningPlan.pinning : pinningPlan,
    environment: environment(),
    cpuClock,
    proofs: [],
    soloRounds: [],
    duetForks: [],
    verdicts: [],
  };
}

function summary({ name, title, tasks, skipped, isInstrumentation }: LoadedSuite): Result['suite'] {
  const scenarios = new Set(tasks.flatMap((task) => task.scenarios));
  return {
    name,
    title: title ?? name,
    tasks: tasks.map(taskSummary),
    skipped,
    isInstrumentation,
    baseline: tasks[0]?.baseline.name ?? '',
    scenarios: [...scenarios].map((scenario) => ({
      name: scenario.name,
      title: scenario.title ?? scenario.name,
      command: scenario.command,
      telemetry: scenario.telemetry ?? null,
    })),
  };
}

function taskSummary(task: LoadedTask): Result['suite']['tasks'][number] {
  const { name, title, exchanges, baseline, scenarios } = task;
  const [only, ...others] = exchanges.map(({ request }) => request);
  return {
    name,
    title: title ?? name,
    baseline: baseline.name,
    scenarios: scenarios.map((scenario) => scenario.name),
    requests: exchanges.map(({ request, weight }) => ({
      method: request.method,
      path: request.path,
      weight,
    })),
    bodyBytes: only && others.length === 0 ? bodyBytes(only) : null,
  };
}

function bodyBytes({ body, bodyFile }: Request): number | null {
  if (bodyFile !== undefined) return statSync(bodyFile).size;
  return body === undefined ? null : Buffer.byteLength(body);
}
