import { keepCoresAwake } from './machine/keep-awake.ts';
import { pinSelf } from './machine/pinning.ts';
import type { MeasureOptions } from './options.ts';
import { capacityOf } from './pair/capacity.ts';
import { labelOf, type Plan, rowsOf } from './plan.ts';
import { claimsOf, prove } from './proof/proof.ts';
import { environmentNotes } from './report/notes.ts';
import type { Proof } from './result/schema.ts';
import { installPackages } from './server/packages.ts';
import { checkProgram, LOOPBACK } from './server/server.ts';
import { isPaced, type Setting, settingFor } from './setting.ts';
import { withBodyFiles } from './suite/bodies.ts';
import { plannedServer } from './suite/planned.ts';
import { scenariosOf, withoutScenario, withoutTasks } from './suite/select.ts';
import type { LoadedSuite, LoadedTask, Scenario } from './suite/suite-schema.ts';
import { summaryOf } from './summary.ts';
import { Problem, ScenarioProblem } from './words/errors.ts';
import { complain } from './words/output.ts';
import { createProgress, type Progress } from './words/progress.ts';

/**
 * Decides all that a run of the suite needs to know: the tool and the cores, what is started for each row, what is
 * proven, and the rate. Optional scenarios that can't be measured here are skipped.
 * @throws Problem for what is missing or unfit; ScenarioProblem for a scenario that does not what it should.
 */
export async function settle(options: MeasureOptions, suite: LoadedSuite): Promise<Plan> {
  using awake = keepCoresAwake(options.keepAwake);
  using progress = createProgress();
  const asked = withBodyFiles(atRate(suite, options));
  const setting = await settingFor(options, asked, 'how' in awake ? { how: awake.how } : { missing: awake.missing });
  if (setting.pinning) pinSelf(setting.pinning.toolCores);
  if (setting.listen !== LOOPBACK && !options.dryRun)
    complain(`Warning: the servers listen on ${setting.listen}, so they are open to its network while they run.`);
  if (!options.dryRun) for (const note of environmentNotes(setting.header.environment)) complain(note);
  const ready = await prepared(withinReach(asked, setting), setting, options.dryRun, progress);
  const rated = options.dryRun ? ready.suite : await withRates(ready.suite, setting, progress);
  return planOf(setting, rated, ready.proofs);
}

/** The suite with the rate that the user wants for all tasks. @throws Problem if the user sets what it has steps of. */
function atRate(suite: LoadedSuite, options: MeasureOptions): LoadedSuite {
  const { rate } = options;
  const own = suite.sweep?.load;
  if (own && options[own]) throw new Problem(`Suite ${suite.name} sets its own ${own}`, `Leave out --${own}`);
  return rate ? { ...suite, tasks: suite.tasks.map((task) => ({ ...task, rate: undefined, ...rate })) } : suite;
}

/** The suite without the tasks that the tool can't send. @throws Problem if none are left */
function withinReach(suite: LoadedSuite, { tool }: Setting): LoadedSuite {
  const { name, latencyFrom } = tool.tool;
  const left = latencyFrom ? suite : withoutTasks(suite, isPaced, `${name} can't send at a steady rate`);
  if (left.tasks.length > 0) return left;
  const reasons = left.skipped.map(({ scenario, fault }) => `; ${scenario}: ${fault.what}`);
  throw new Problem(`Suite ${suite.name} has nothing to measure${reasons.join('')}`, 'Choose something else');
}

/**
 * The suite with the scenarios whose programs are here, after their packages were installed, and that record what they
 * claim to; and what was proven. @throws ScenarioProblem for one that is not optional, or if nothing is left
 */
async function prepared(suite: LoadedSuite, setting: Setting, dryRun: boolean, progress: Progress) {
  const proofs: Proof[] = [];
  const install = async (scenario: Scenario) => {
    const { name, packages } = scenario;
    checkProgram(plannedServer(suite, suite.tasks[0] as LoadedTask, scenario, setting.header.configuration.export));
    if (packages === undefined || dryRun) return;
    progress.step(`packages: ${name}`);
    await installPackages(packages, name);
  };
  const claims = new Map(claimsOf(suite).map((claim) => [claim.scenario, claim]));
  const proveClaim = async (scenario: Scenario) => {
    const claim = claims.get(scenario);
    if (!claim) return;
    progress.step(`proof: ${scenario.name}`);
    proofs.push(await prove(setting, claim));
  };
  let left = suite;
  // All packages before any proof, since those fail sooner.
  for (const step of dryRun ? [install] : [install, proveClaim])
    for (const scenario of scenariosOf(suite.tasks)) {
      // Its only tasks may have gone with their baseline.
      if (!scenariosOf(left.tasks).includes(scenario)) continue;
      await step(scenario).catch((error) => {
        left = skipping(left, scenario, error);
      });
    }
  return { suite: left, proofs };
}

/** The suite without an optional scenario that fails. @throws the error for any other, or if nothing is left */
function skipping(suite: LoadedSuite, scenario: Scenario, error: unknown): LoadedSuite {
  if (!scenario.optional || !(error instanceof ScenarioProblem)) throw error;
  const { what, detail } = error;
  const left = withoutScenario(suite, scenario, { what, detail, scenario: scenario.name, slice: null, count: 1 });
  if (left.tasks.length === 0) throw error;
  return left;
}

/** The suite with a rate for each task that asks for a part of what its baseline can do. @throws Problem */
async function withRates(suite: LoadedSuite, setting: Setting, progress: Progress): Promise<LoadedSuite> {
  if (suite.tasks.every(({ rateShare }) => rateShare === undefined)) return suite;
  const plan = planOf(setting, suite, []);
  const rated = async (task: LoadedTask) => {
    const row = plan.rows.find((each) => each.task.name === task.name);
    if (task.rateShare === undefined || !row) return task;
    progress.step(`rate: ${labelOf(task, task.baseline)}`);
    return { ...task, rate: Math.max(1, Math.round(task.rateShare * (await capacityOf(plan, row)))) };
  };
  // One after the other.
  return { ...suite, tasks: await Array.fromAsync(suite.tasks, rated) };
}

function planOf(setting: Setting, suite: LoadedSuite, proofs: Proof[]): Plan {
  const rows = rowsOf(suite, setting.header.configuration);
  return frozen({ ...setting, rows, header: { ...setting.header, proofs, suite: summaryOf(suite, rows, setting) } });
}

/** Freezes every object and list of data in it; not the objects of classes, such as a connection. */
function frozen<T>(value: T): T {
  const isData = Array.isArray(value) || (value && Object.getPrototypeOf(value) === Object.prototype);
  if (isData && !Object.isFrozen(value)) for (const each of Object.values(Object.freeze(value) as object)) frozen(each);
  return value;
}
