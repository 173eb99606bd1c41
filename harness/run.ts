import { existsSync, rmSync } from 'node:fs';
import { type DuetExecutor, duetForks, measureDuet, SLICE_SECONDS } from './measure/duet.ts';
import { Interruption, interruptible } from './measure/interruption.ts';
import { measureSolo, type SoloExecutor, soloRounds } from './measure/solo.ts';
import type { Plan } from './plan.ts';
import { Problem } from './problem.ts';
import { pinSelf } from './process/pinning.ts';
import { createProgress, type Progress } from './progress.ts';
import { prove } from './proof/proof.ts';
import { environment } from './results/environment.ts';
import { defaultResultFile, writeResult } from './results/file.ts';
import { type Result, SCHEMA_VERSION } from './results/schema.ts';
import { impreciseScenarios } from './stats/precision.ts';
import { verdictsOf } from './stats/verdicts.ts';
import type { LoadedSuite } from './suite/load.ts';
import type { Scenario } from './suite/schema.ts';

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
  for (const scenario of plan.suite.scenarios) {
    const { telemetry } = scenario;
    if (!telemetry) continue;
    progress.step(`proof: ${scenario.name}`, PROOF_SECONDS);
    result.proofs.push(await prove(plan, { ...scenario, telemetry }));
    save();
  }
}

async function measureSolos(result: Result, plan: Plan, progress: Progress, save: () => void): Promise<void> {
  const { configuration, suite } = plan;
  const measure: SoloExecutor = (name, round) => {
    progress.step(`round ${round + 1}/${configuration.rounds}: ${name}`, soloSeconds(plan));
    return measureSolo(plan, scenarioOf(suite, name));
  };
  for await (const round of soloRounds(names(suite), configuration, measure)) {
    result.soloRounds.push(round);
    save();
  }
}

/** The planned forks; then, with `--precision`, more of those scenarios whose intervals are still too wide. */
async function measureDuets(result: Result, plan: Plan, progress: Progress, save: () => void): Promise<void> {
  const { clock, suite, configuration } = plan;
  if (!clock || configuration.forks === 0) return;
  const startedAt = performance.now();
  const baseline = scenarioOf(suite, suite.baseline);
  const measure: DuetExecutor = (name, fork, baselineFirst) => {
    progress.step(`duet ${fork + 1}: ${name}`, duetSeconds(plan));
    return measureDuet(
      { ...plan, clock },
      { baseline, scenario: scenarioOf(suite, name) },
      configuration.slices,
      baselineFirst,
    );
  };
  const keep = async (scenarios: string[], forks: number, seed: number) => {
    for await (const fork of duetForks(scenarios, { forks, seed }, measure)) {
      result.duetForks.push(fork);
      save();
    }
  };
  await keep(names(suite), configuration.forks, configuration.seed);
  for (let extra = 1; configuration.precision; extra++) {
    const scenarios = impreciseScenarios(result);
    const isTimeUp = performance.now() - startedAt > configuration.precision.maxSeconds * 1_000;
    if (scenarios.length === 0 || isTimeUp) return;
    await keep(scenarios, 1, configuration.seed + extra);
  }
}

function plannedSeconds(plan: Plan): number {
  const { rounds, forks } = plan.configuration;
  const proofs = plan.suite.scenarios.filter(({ telemetry }) => telemetry).length;
  const each = rounds * soloSeconds(plan) + forks * duetSeconds(plan);
  return proofs * PROOF_SECONDS + plan.suite.scenarios.length * each;
}

function soloSeconds({ configuration }: Plan): number {
  return START_SECONDS + configuration.warmupSeconds + configuration.durationSeconds;
}

function duetSeconds({ configuration }: Plan): number {
  return 2 * START_SECONDS + configuration.warmupSeconds + configuration.slices * SLICE_SECONDS;
}

function names({ scenarios }: LoadedSuite): string[] {
  return scenarios.map(({ name }) => name);
}

function scenarioOf({ scenarios }: LoadedSuite, name: string): Scenario {
  return scenarios.find((scenario) => scenario.name === name) as Scenario;
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
      telemetry: scenario.telemetry ?? null,
    })),
  };
}
