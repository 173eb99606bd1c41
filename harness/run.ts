import { existsSync, rmSync } from 'node:fs';
import { type FoundTool, findTool } from './load/find.ts';
import { Interruption, interruptible } from './measure/interruption.ts';
import { type Bench, measureSolo, soloRounds } from './measure/solo.ts';
import { QUICK_DURATION_SECONDS, ROUNDS, type RunOptions, statedLoad, WARMUP_SECONDS } from './options.ts';
import { Problem } from './problem.ts';
import { type PinningPlan, pinSelf, planPinning } from './process/pinning.ts';
import { createProgress, type Progress } from './progress.ts';
import { environment } from './results/environment.ts';
import { defaultResultFile, writeResult } from './results/file.ts';
import { type Configuration, type Result, SCHEMA_VERSION } from './results/schema.ts';
import { type LoadedSuite, loadSuite, selectScenarios } from './suite/load.ts';
import type { Scenario } from './suite/schema.ts';

/** Starting a server and checking its answer, in seconds: for the time left alone. */
const START_SECONDS = 0.5;

/** What a run needs to know before it begins. */
export interface Plan extends Bench {
  pinningPlan: PinningPlan;
}

export interface Outcome {
  result: Result;
  /** Where the result is kept; undefined where nothing was measured. */
  file: string | undefined;
  /** Why the run ended before its plan did. */
  stoppedBy: Problem | Interruption | undefined;
}

/** Turns options into a plan. @throws Problem for anything in them that is not there. */
export async function plan(options: RunOptions): Promise<Plan> {
  const suite = selectScenarios(await loadSuite(options.suite), options.scenarios);
  const tool = findTool(options.tool);
  const pinningPlan = planPinning(options.pin);
  const pinning = 'pinning' in pinningPlan ? pinningPlan.pinning : undefined;
  return { suite, tool, pinning, pinningPlan, configuration: configure(options) };
}

function configure(options: RunOptions): Configuration {
  const stated = statedLoad();
  const pace = options.quick ? 'quick' : 'full';
  const durationSeconds = options.quick ? QUICK_DURATION_SECONDS : stated.durationSeconds;
  return {
    connections: options.connections ?? stated.connections,
    durationSeconds: options.duration ?? durationSeconds,
    warmupSeconds: options.warmup ?? WARMUP_SECONDS[pace],
    rounds: options.rounds ?? ROUNDS[pace],
    quick: options.quick,
    seed: options.seed ?? Math.floor(Math.random() * 2 ** 31),
  };
}

/** Measures according to plan. The file holds every round that was completed, at any time. */
export async function run(plan: Plan, out: string | undefined): Promise<Outcome> {
  const startedAt = new Date();
  const file = out ?? defaultResultFile(startedAt, plan.suite.name);
  if (existsSync(file)) throw new Problem(`${file} is there already`, 'Choose another file with --out');
  const result = emptyResult(plan, startedAt);
  if (plan.pinning) pinSelf(plan.pinning.toolCores);

  const stoppedBy = await measureInto(result, plan, () => writeResult(file, result));
  result.endedAt = new Date().toISOString();
  result.stoppedBy = stoppedBy?.message ?? null;
  writeResult(file, result);
  const hasMeasured = result.soloRounds.length > 0;
  if (!hasMeasured) rmSync(file);
  return { result, file: hasMeasured ? file : undefined, stoppedBy };
}

async function measureInto(result: Result, plan: Plan, save: () => void): Promise<Outcome['stoppedBy']> {
  const { scenarios } = plan.suite;
  const { rounds, warmupSeconds, durationSeconds } = plan.configuration;
  const secondsEach = START_SECONDS + warmupSeconds + durationSeconds;
  const progress = createProgress(secondsEach * scenarios.length * rounds);
  try {
    await interruptible(async () => {
      // Before the first round, so that a file that can't be written costs no measurement.
      save();
      for await (const round of soloRounds(
        names(scenarios),
        plan.configuration,
        executor(plan, progress, secondsEach),
      )) {
        result.soloRounds.push(round);
        save();
      }
    });
    return undefined;
  } catch (error) {
    if (error instanceof Problem || error instanceof Interruption) return error;
    throw error;
  } finally {
    progress.end();
  }
}

function executor(plan: Plan, progress: Progress, secondsEach: number) {
  return (name: string, round: number) => {
    progress.step(`round ${round + 1}/${plan.configuration.rounds}: ${name}`, secondsEach);
    return measureSolo(plan, plan.suite.scenarios.find((scenario) => scenario.name === name) as Scenario);
  };
}

function names(scenarios: Scenario[]): string[] {
  return scenarios.map(({ name }) => name);
}

function emptyResult({ suite, configuration, tool, pinningPlan }: Plan, startedAt: Date): Result {
  return {
    schemaVersion: SCHEMA_VERSION,
    kind: 'tracetax',
    startedAt: startedAt.toISOString(),
    endedAt: null,
    stoppedBy: null,
    suite: summary(suite),
    configuration,
    tool: toolSummary(tool),
    pinning: 'pinning' in pinningPlan ? pinningPlan.pinning : pinningPlan,
    environment: environment(),
    soloRounds: [],
  };
}

function toolSummary({ tool, version }: FoundTool): Result['tool'] {
  return { name: tool.name, version };
}

function summary({ name, title, request, answer, baseline, scenarios }: LoadedSuite): Result['suite'] {
  return {
    name,
    title: title ?? name,
    request,
    answer,
    baseline,
    scenarios: scenarios.map((scenario) => ({
      name: scenario.name,
      title: scenario.title ?? scenario.name,
      command: scenario.command,
    })),
  };
}
