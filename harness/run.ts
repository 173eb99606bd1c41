import { existsSync, rmSync } from 'node:fs';
import { pairsOf } from './analysis/pairs.ts';
import { pairsNeeded } from './analysis/precision.ts';
import { unlessStopped } from './machine/interruption.ts';
import { keepCoresAwake } from './machine/keep-awake.ts';
import { pinSelf } from './machine/pinning.ts';
import { capacityOf } from './pair/capacity.ts';
import { type PlannedPair, planPairs } from './pair/order.ts';
import { measurePair } from './pair/pair.ts';
import { startUpsMs } from './pair/starts.ts';
import { claimsOf, prove } from './proof/proof.ts';
import { defaultResultFile, writeResult } from './result/file.ts';
import type { Pair, Result } from './result/schema.ts';
import { installPackages } from './server/packages.ts';
import { checkProgram, LOOPBACK } from './server/server.ts';
import { emptyResult, type Plan, suiteSummary } from './settle.ts';
import { cellsOf, type LoadedTask, scenariosOf, withoutScenario } from './suite/load.ts';
import { ONLY_TASK, type Scenario } from './suite/suite-schema.ts';
import { Problem } from './words/errors.ts';
import { complain } from './words/output.ts';
import { createProgress, type Progress } from './words/progress.ts';

/** Starting two servers and checking their answers, in seconds: for the time left alone. */
const START_SECONDS = 0.8;
/** Servers warm up in half of the limit that their suite sets for slow ones; most, without one, in half of this. */
const USUAL_WARMUP_LIMIT_SECONDS = 10;

/** Nobody waits for more pairs of each scenario. */
const MOST_PAIRS = 10_000;

export type Outcome = Awaited<ReturnType<typeof run>>;

/**
 * Measures according to plan. The file holds every pair that was completed, at any time; there is none if nothing was
 * measured. `stoppedBy`: why the run ended before its plan did.
 */
export async function run(plan: Plan, out: string | undefined) {
  const file = out ?? defaultResultFile(new Date(), plan.suite.name);
  if (existsSync(file)) throw new Problem(`${file} exists already`, 'Choose another file with --out');
  using awake = keepCoresAwake(plan.keepAwake);
  const result = emptyResult(plan, awake);
  if (plan.listen !== LOOPBACK)
    complain(`Warning: the servers listen on ${plan.listen}, so they are open to its network while they run.`);
  if (plan.pinning) pinSelf(plan.pinning.toolCores);

  const save = () => writeResult(file, result);
  using progress = createProgress(() => plannedSeconds(plan));
  const measure = (pair: PlannedPair) => {
    const { task, scenario } = pair;
    const count = pairsOf(result, task.name, scenario.name).length + 1;
    progress.step(`pair ${count}: ${labelOf(task, scenario)}`, pairSeconds(plan));
    return measurePair(plan, pair);
  };
  const stoppedBy = await unlessStopped(async () => {
    // At once, so that a file that can't be written costs no measurement.
    save();
    await prepare(result, plan, progress);
    save();
    await measurePairs(result, plan.suite.tasks, measure, save);
  });
  result.endedAt = new Date().toISOString();
  result.stoppedBy = stoppedBy?.message ?? null;
  const unsaved = await unlessStopped(async () => save());
  const hasMeasured = result.pairs.length > 0;
  if (!hasMeasured) rmSync(file, { force: true });
  return { result, file: hasMeasured ? file : undefined, stoppedBy: stoppedBy ?? unsaved };
}

/**
 * What comes before the pairs: every scenario has its program, gets the packages that it names, and records what it
 * claims to. A rate that is a part of what a baseline can do becomes a number. Start-ups are measured.
 */
async function prepare(result: Result, plan: Plan, progress: Progress): Promise<void> {
  for (const scenario of scenariosOf(plan.suite.tasks))
    await unlessSkipped(plan, scenario, async () => {
      checkProgram(scenario, plan.suite.cwd);
      if (scenario.packages === undefined) return;
      progress.step(`packages: ${scenario.name}`);
      await installPackages(scenario.packages);
    });
  for (const claim of claimsOf(plan.suite.tasks))
    await unlessSkipped(plan, claim.scenario, async () => {
      progress.step(`proof: ${claim.scenario.name}`);
      result.proofs.push(await prove(plan, claim));
    });
  for (const task of plan.suite.tasks) {
    if (task.rateShare === undefined) continue;
    progress.step(`rate: ${labelOf(task, task.baseline)}`);
    task.rate = Math.max(1, Math.round(task.rateShare * (await capacityOf(plan, task))));
  }
  result.suite = suiteSummary(plan.suite, plan.configuration.export);
  if (plan.configuration.starts === 0) return;
  for (const { task, scenario } of cellsOf(plan.suite.tasks)) {
    progress.step(`start-up: ${labelOf(task, scenario)}`);
    const ms = await startUpsMs(plan, task, scenario);
    result.startUps.push({ task: task.name, scenario: scenario.name, ms });
  }
}

/** Does it for the scenario. One that is optional is skipped if that fails; any other ends the run, as does the last task. */
async function unlessSkipped(plan: Plan, scenario: Scenario, work: () => Promise<void>): Promise<void> {
  // Its only tasks may have gone with their baseline.
  if (!scenariosOf(plan.suite.tasks).includes(scenario)) return;
  try {
    await work();
  } catch (error) {
    if (!scenario.optional || !(error instanceof Problem)) throw error;
    plan.suite = withoutScenario(plan.suite, scenario, error.message.replace(`Scenario ${scenario.name} `, ''));
    if (plan.suite.tasks.length === 0) throw error;
  }
}

/** The planned pairs; with `--precision`, as many more as intervals need, decided once. @throws Problem if too many. */
export async function measurePairs(
  result: Result,
  tasks: LoadedTask[],
  measure: (pair: PlannedPair) => Promise<Pair>,
  save: () => void,
): Promise<void> {
  const { configuration } = result;
  const keep = async (pairs: number, seed: number) => {
    for (const pair of planPairs(tasks, pairs, seed)) {
      result.pairs.push(await measure(pair));
      save();
    }
  };
  await keep(configuration.pairs, configuration.seed);
  const needed = pairsNeeded(result);
  const more = needed - configuration.pairs;
  if (more <= 0) return;
  if (needed > MOST_PAIRS)
    throw new Problem(`--precision would take ${needed} pairs of each scenario`, 'Ask for wider intervals');
  configuration.pairs += more;
  configuration.durationSeconds = configuration.pairs * configuration.alternatingSlices * configuration.sliceSeconds;
  await keep(more, configuration.seed + 1);
}

/** What messages call it. */
export function labelOf({ name }: LoadedTask, scenario: Scenario): string {
  return name === ONLY_TASK ? scenario.name : `${name}, ${scenario.name}`;
}

/** How long the pairs of a run take, about, in seconds. What comes before them is short. */
export function plannedSeconds(plan: Plan): number {
  return cellsOf(plan.suite.tasks).length * plan.configuration.pairs * pairSeconds(plan);
}

function pairSeconds({ suite, configuration }: Plan): number {
  const { warmupSeconds, alternatingSlices, duetSlices, sliceSeconds } = configuration;
  const { warmupSeconds: ownLimit = USUAL_WARMUP_LIMIT_SECONDS } = suite.full;
  const warmup = Math.min(warmupSeconds, ownLimit / 2);
  return START_SECONDS + warmup + (2 * alternatingSlices + duetSlices) * sliceSeconds;
}
