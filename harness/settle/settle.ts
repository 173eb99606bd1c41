import type { Request } from '../exchange/request-schema.ts';
import { findTool } from '../load/find.ts';
import { Host } from '../load/host.ts';
import type { LoadTool } from '../load/tool.ts';
import { environment } from '../machine/environment.ts';
import { tryKeepAwake } from '../machine/keep-awake.ts';
import { pinSelf, planPinning } from '../machine/pinning.ts';
import { capacityOf } from '../pair/pair.ts';
import { RIG } from '../pair/world.ts';
import { type Plan, rowsOf, secondsOf } from '../plan/plan.ts';
import { plannedServer } from '../plan/planned-server.ts';
import { prove } from '../proof/proof.ts';
import { environmentNotes } from '../result/environment-notes.ts';
import { reasonOf } from '../result/faults.ts';
import { type Configuration, METHOD, type Proof, type Result } from '../result/schema.ts';
import { variablesOf } from '../server/environment.ts';
import { checkProgram, LOOPBACK } from '../server/server.ts';
import { withServices } from '../server/services.ts';
import { installFor, prepare } from '../software/install.ts';
import { scenariosOf, sentIn, withoutScenario, withoutTasks } from '../suite/select.ts';
import type { Exchange, LoadedSuite, LoadedTask, Scenario } from '../suite/suite-schema.ts';
import { Problem, ScenarioProblem } from '../words/errors.ts';
import { complain } from '../words/output.ts';
import { createProgress, type Progress } from '../words/progress.ts';
import { asSent } from './as-sent.ts';
import type { MeasureOptions } from './options.ts';
import { FULL, QUICK } from './pace.ts';
import { summaryOf } from './summary.ts';

/**
 * Decides all that a run of the suite needs to know: the tool and the cores, what is started for each row, what is
 * proven, and the rate, which is that of `earlier` if that run goes on. Optional scenarios that can't be measured here are skipped.
 * @throws Problem for what is missing or unfit; ScenarioProblem for a scenario that does not what it should.
 */
export async function settle(
  options: MeasureOptions,
  suite: LoadedSuite,
  earlier?: Result,
): Promise<Plan> {
  using progress = createProgress();
  const asked = atRate(suite, options);
  const setting = await settingFor(options, asked);
  const { listen, header } = setting;
  const reachable = withinReach(asked, setting.tool.tool);
  const planned = (scenario: Scenario) =>
    plannedServer(asked, asked.tasks[0] as LoadedTask, scenario, header.configuration.export);
  const check = (scenario: Scenario) => checkProgram(planned(scenario));
  if (options.dryRun) {
    // Its program may be one of its packages, or made by a command.
    const needsNothing = ({ packages }: Scenario) => asked.prepare.length + packages.length === 0;
    return planOf(
      setting,
      await withoutFailing(reachable, async (each) => needsNothing(each) && check(each)),
      [],
    );
  }
  if (listen !== LOOPBACK)
    complain(
      `Warning: the servers listen on ${listen}, so they are open to its network while they run.`,
    );
  for (const note of environmentNotes(header.environment)) complain(note);
  const sent = await withHeadersSent(reachable, setting);
  const installed = await withoutFailing(sent, (each) => installFor(each, progress.step));
  await prepare(installed, progress.step);
  const proofs: Proof[] = [];
  const proven = await withoutFailing(installed, async (scenario) => {
    progress.step(`proof: ${scenario.name}`);
    check(scenario);
    // One that claims nothing starts no server before its first pair.
    await withServices(planned(scenario), setting.pinning);
    const proof = await prove(setting, sent, scenario);
    if (proof) proofs.push(proof);
  });
  return planOf(setting, await withRates(proven, setting, progress, earlier), proofs);
}

/** The suite with the rate that the user wants for all tasks. @throws Problem if the user sets what it has steps of. */
function atRate(suite: LoadedSuite, options: MeasureOptions): LoadedSuite {
  const { rate } = options;
  const own = suite.sweep?.load;
  if (own && options[own])
    throw new Problem(`Suite ${suite.name} sets its own ${own}`, `Leave out --${own}`);
  return rate
    ? { ...suite, tasks: suite.tasks.map((task) => ({ ...task, rate: undefined, ...rate })) }
    : suite;
}

type Setting = Awaited<ReturnType<typeof settingFor>>;

/** How a suite is measured: the load tool, the cores and the configuration. @throws Problem for what is missing or unfit. */
async function settingFor(options: MeasureOptions, suite: LoadedSuite) {
  const { listen = LOOPBACK, loadHost } = options;
  const configuration = configure(options, suite);
  if (loadHost !== undefined && listen === LOOPBACK)
    throw new Problem(
      `Other hosts can't reach ${listen}`,
      'Name an address of this machine with --listen',
    );
  const rows = rowsOf(suite, configuration);
  const hasSink = rows.some(({ baseline, scenario }) => baseline.sink || scenario.sink);
  const pinningOrReason = planPinning(options.pin, hasSink);
  const pinning = 'missing' in pinningOrReason ? undefined : pinningOrReason;
  if (pinning) pinSelf(pinning.toolCores);
  const host = loadHost === undefined ? undefined : new Host(loadHost);
  await host?.connected();
  const tool = findTool(options.tool, needsOf(suite), host);
  const { keepAwake, ...idleCores } = await tryKeepAwake(
    options.keepAwake,
    options.dryRun ? undefined : pinning,
  );
  const header = {
    method: METHOD,
    startedAt: new Date().toISOString(),
    configuration,
    tool: {
      name: tool.tool.name,
      version: tool.version,
      host: host?.name ?? null,
      latencyFrom: tool.tool.latencyFrom,
    },
    pinning: pinningOrReason,
    keepAwake,
    environment: { ...environment(suite.cwd), ...idleCores, variables: variablesOf(rows) },
  };
  return { header, tool, pinning, listen, rig: RIG };
}

/** What the user says goes before what the suite says, and that before the defaults. */
function configure(options: MeasureOptions, suite: LoadedSuite): Configuration {
  const pace = options.quick ? { ...QUICK, ...suite.quick } : { ...FULL, ...suite.full };
  const {
    pairs = pace.pairs,
    slice: sliceSeconds = pace.sliceSeconds,
    duration = pace.durationSeconds,
  } = options;
  const alternatingSlices = Math.max(1, Math.round(duration / pairs / sliceSeconds));
  return {
    ...{ ...pace, pairs, sliceSeconds, alternatingSlices, export: options.export },
    connections: options.connections ?? pace.connections,
    durationSeconds: alternatingSlices * sliceSeconds * pairs,
    duetSlices: options.duetSlices ?? pace.duetSlices,
    warmupSeconds: options.warmup ?? pace.warmupSeconds,
    idleSeconds: options.idle ?? pace.idleSeconds,
    isQuick: options.quick,
    seed: options.seed ?? Math.floor(Math.random() * 2 ** 31),
  };
}

/** What the load tool must be able to send. */
export function needsOf({ tasks }: LoadedSuite) {
  const requests = tasks.flatMap(({ exchanges }) => exchanges.map(({ request }) => request));
  return {
    'mix of requests': tasks.some(({ exchanges }) => exchanges.length > 1),
    'Host header': requests.some(({ headers }) =>
      Object.keys(headers).some((name) => /^host$/i.test(name)),
    ),
    'steady rate': tasks.every(isPaced),
  };
}

const isPaced = ({ rate, rateShare }: LoadedTask) => rate !== undefined || rateShare !== undefined;

/** The suite without the tasks that the tool can't send. @throws Problem if none are left */
function withinReach(suite: LoadedSuite, { name, latencyFrom }: LoadTool): LoadedSuite {
  const left = latencyFrom
    ? suite
    : withoutTasks(suite, isPaced, `${name} can't send at a steady rate`);
  if (left.tasks.length > 0) return left;
  const reasons = left.skipped.map(({ scenario, fault }) => `; ${scenario}: ${fault.what}`);
  throw new Problem(
    `Suite ${suite.name} has nothing to measure${reasons.join('')}`,
    'Choose something else',
  );
}

/** The suite with its requests as the load tool sends them. @throws Problem if it sends something else */
export async function withHeadersSent(
  suite: LoadedSuite,
  { tool, listen, pinning }: Pick<Setting, 'tool' | 'listen' | 'pinning'>,
): Promise<LoadedSuite> {
  const requests = suite.tasks.flatMap((task) => sentIn(task).map(({ request }) => request));
  const sent = new Map(requests.map((request) => [JSON.stringify(request), request]));
  const record = async ([key, request]: [string, Request]) =>
    sent.set(key, await asSent(tool, request, listen, pinning));
  await Promise.all([...sent].map(record));
  const changed = (all: Exchange[]) =>
    all.map((each) => ({
      ...each,
      request: sent.get(JSON.stringify(each.request)) ?? each.request,
    }));
  const tasks = suite.tasks.map((task) => {
    return { ...task, exchanges: changed(task.exchanges), warmUp: changed(task.warmUp) };
  });
  return { ...suite, tasks };
}

/** The suite without the optional scenarios that fail in this. @throws the error of any other, or if nothing is left */
async function withoutFailing(asked: LoadedSuite, ready: (scenario: Scenario) => Promise<unknown>) {
  let suite = asked;
  for (const scenario of scenariosOf(asked.tasks)) {
    // Its only tasks may have gone with their baseline.
    if (!scenariosOf(suite.tasks).includes(scenario)) continue;
    await ready(scenario).catch((error) => {
      if (!scenario.optional || !(error instanceof ScenarioProblem)) throw error;
      const { what, detail } = error;
      suite = withoutScenario(suite, scenario, reasonOf(what, detail, scenario.name));
      if (suite.tasks.length === 0) throw error;
    });
  }
  return suite;
}

/** The suite with a rate for each task that asks for a part of what its baseline can do. @throws Problem */
async function withRates(
  suite: LoadedSuite,
  setting: Setting,
  progress: Progress,
  earlier?: Result,
) {
  const plan = planOf(setting, suite, []);
  const rated = async (task: LoadedTask) => {
    const row = plan.rows.find((each) => each.task.name === task.name);
    if (task.rateShare === undefined || !row) return task;
    const known = earlier?.suite.tasks.find(({ name }) => name === task.name)?.rate;
    if (known) return { ...task, rate: known };
    progress.step(`rate: ${row.label}`);
    return {
      ...task,
      rate: Math.max(1, Math.round(task.rateShare * (await capacityOf(plan, row)))),
    };
  };
  // One after the other.
  return { ...suite, tasks: await Array.fromAsync(suite.tasks, rated) };
}

function planOf(setting: Setting, suite: LoadedSuite, proofs: Proof[]): Plan {
  const { configuration } = setting.header;
  const rows = rowsOf(suite, configuration);
  const header = { ...setting.header, proofs, suite: summaryOf(suite, rows, setting) };
  const seconds = secondsOf(configuration, rows.length);
  return frozen({ ...setting, rows, seconds, header });
}

/** Freezes every object and list of data in it; not the objects of classes, such as a connection. */
function frozen<T>(value: T): T {
  const isData =
    Array.isArray(value) || (value && Object.getPrototypeOf(value) === Object.prototype);
  if (isData && !Object.isFrozen(value))
    for (const each of Object.values(Object.freeze(value) as object)) frozen(each);
  return value;
}
