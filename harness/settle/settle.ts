import type { FoundTool } from '../load/find.ts';
import { LOOPBACK } from '../machine/loopback.ts';
import { type World, worldOf } from '../pair/world.ts';
import type { Plan } from '../plan/plan.ts';
import { type PlannedServer, plannedServer } from '../plan/planned-server.ts';
import { plannedRows } from '../plan/rows.ts';
import { proofFor } from '../proof/proof.ts';
import { environmentNotes } from '../result/environment-notes.ts';
import type { Proof, Result } from '../result/schema.ts';
import { isPaced } from '../result/steady-rate.ts';
import { checkProgram } from '../server/launch.ts';
import { withServices } from '../server/services.ts';
import { installFor, prepare } from '../software/install.ts';
import type { Scenario, Suite, SuiteTask } from '../suite/suite.ts';
import { printToStderr } from '../words/output.ts';
import { createProgress, type Progress } from '../words/progress.ts';
import { cautionsOf, equalServers } from './cautions.ts';
import { expectedSeconds } from './expected-time.ts';
import type { MeasureOptions } from './options.ts';
import { checkSwept, withMeasuredRates, withWantedRate } from './rates.ts';
import { withRequestsAsSent } from './requests-as-sent.ts';
import { type Setting, settingFor } from './setting.ts';
import { withoutFailing, withoutUnsendable } from './skip.ts';
import { summaryOf } from './summary.ts';

/*
 * This room decides all that must be known before the first pair. The user's options and a suite go
 * in; a frozen plan, and the world that its pairs act on, come out. It measures nothing but what a
 * baseline can answer, if a rate is a share of it.
 */

/** What is known once nothing is left to decide. */
export interface Settled {
  plan: Plan;
  /** What the pairs of the plan act on: not part of it, since it is no data. */
  world: World;
  tool: FoundTool;
}

/**
 * Does all that comes before the pairs: it decides the tool and the cores, what is started for each
 * row, what is proven, and the rate. Optional scenarios that can't be measured here are skipped.
 * @param earlier the first part of a run that goes on; its rates are taken
 * @throws Problem for what is missing or unfit; ScenarioProblem for a scenario that does not do
 * what it should
 */
export async function settle(
  options: MeasureOptions,
  suite: Suite,
  earlier?: Result,
): Promise<Settled> {
  checkSwept(suite, options);
  const wanted = withWantedRate(suite, options);
  const setting = await settingFor(options, wanted);
  const sendable = withCautions(withoutUnsendable(wanted, setting.tool), setting);
  if (options.dryRun) return settled(setting, await withProgramsHere(sendable, setting), []);
  announce(setting);
  using progress = createProgress();
  const sent = await withRequestsAsSent(sendable, setting);
  const installed = await withoutFailing(sent, (each) => installFor(each, progress.step));
  await prepare(installed, progress.step);
  const proofs: Proof[] = [];
  const proven = await withoutFailing(installed, async (scenario) => {
    const proof = await proveScenario(setting, sent, scenario, progress);
    if (proof) proofs.push(proof);
  });
  const { configuration } = setting.header;
  const rated = await withMeasuredRates(proven, {
    rows: plannedRows(proven, configuration),
    world: worldOf(setting.tool, setting),
    warmupSeconds: configuration.warmupSeconds,
    progress,
    earlier,
  });
  return settled(setting, rated, proofs);
}

/**
 * Returns the suite without optional scenarios whose program is not here. Some programs are still
 * to be made.
 */
async function withProgramsHere(suite: Suite, setting: Setting): Promise<Suite> {
  return withoutFailing(suite, async (scenario) => {
    const mayBeMade = suite.prepare.length > 0 || scenario.packages.length > 0;
    if (!mayBeMade) checkProgram(firstServerOf(suite, setting, scenario));
  });
}

/**
 * Tells what the user may want to correct in the suite. Returns it with what is to stand below the
 * table, too.
 */
function withCautions(suite: Suite, { header }: Setting): Suite {
  const rows = plannedRows(suite, header.configuration);
  const equal = equalServers(suite, rows);
  for (const caution of [...equal, ...cautionsOf(suite, rows)]) printToStderr(caution);
  return { ...suite, remarks: [...suite.remarks, ...equal] };
}

/** Tells what the user should know before anything is started. */
function announce({ listen, header }: Setting): void {
  if (listen !== LOOPBACK)
    printToStderr(
      `Warning: the servers listen on ${listen}, so they are open to its network while they run.`,
    );
  for (const note of environmentNotes(header.environment)) printToStderr(note);
}

/**
 * Has the scenario prove its claims. Returns undefined for one that claims nothing; that one starts
 * no server yet.
 */
async function proveScenario(
  setting: Setting,
  suite: Suite,
  scenario: Scenario,
  progress: Progress,
): Promise<Proof | undefined> {
  progress.step(`proof: ${scenario.name}`);
  const server = firstServerOf(suite, setting, scenario);
  checkProgram(server);
  // A scenario whose service does not start fails here, also if it claims nothing.
  await withServices(server, setting.pinning);
  return proofFor(setting, suite, scenario);
}

/**
 * Returns the scenario's server in the first task. Command and services are the same in all of
 * them.
 */
function firstServerOf(suite: Suite, { header }: Setting, scenario: Scenario): PlannedServer {
  const task = suite.tasks[0] as SuiteTask;
  return plannedServer(suite, task, scenario, header.configuration.export);
}

function settled(setting: Setting, suite: Suite, proofs: Proof[]): Settled {
  const { tool, pinning, listen, header } = setting;
  const rows = plannedRows(suite, header.configuration);
  const summary = summaryOf(suite, rows, setting);
  const runtimes = summary.scenarios.map(({ runtime }) => runtime?.name ?? null);
  const pacedTasks = suite.tasks.filter(isPaced).map(({ name }) => name);
  const pacedRows = rows.filter(({ task }) => pacedTasks.includes(task.name));
  const plan: Plan = {
    header: { ...header, proofs, suite: summary },
    rows,
    pinning,
    listen,
    expectedSeconds: expectedSeconds(
      header.configuration,
      rows.length,
      runtimes,
      pacedRows.length / rows.length,
    ),
  };
  return { plan: deepFrozen(plan), world: worldOf(tool, setting), tool };
}

/** Freezes every object and list in it, and returns it. */
function deepFrozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const each of Object.values(value)) deepFrozen(each);
  return value;
}
