import { statSync } from 'node:fs';
import { findTool } from './load/find.ts';
import { openCpuClock } from './machine/cpu-time.ts';
import { environment } from './machine/environment.ts';
import { Host } from './machine/host.ts';
import { planPinning } from './machine/pinning.ts';
import { FULL, type MeasureOptions, QUICK } from './options.ts';
import { Problem } from './problem.ts';
import { type Configuration, type ExportMode, type Result, SCHEMA_VERSION, type Task } from './result/schema.ts';
import { installedBytes } from './server/packages.ts';
import { LOOPBACK } from './server/server.ts';
import { exportModeOf, needsSink } from './suite/exporting.ts';
import { type LoadedSuite, type LoadedTask, loadSuite, scenariosOf, select, withoutTasks } from './suite/load.ts';
import type { Request } from './suite/suite-schema.ts';

const NO_CLOCK = 'This system has no clock for the CPU time of another process';

/** Whether it is measured at a steady rate. */
const isPaced = ({ rate, rateShare }: LoadedTask) => rate !== undefined || rateShare !== undefined;

/** What a run needs to know before it begins. */
export type Plan = Awaited<ReturnType<typeof plan>>;

/** The plan for these options, of `other` or the suite that they name. @throws Problem for what is missing or unfit. */
export async function plan(options: MeasureOptions, other?: LoadedSuite) {
  const { precision, loadHost = [], listen = LOOPBACK, keepAwake } = options;
  const selected = atRate(other ?? select(await loadSuite(options.suite), options), options);
  if (selected.tasks.length === 0) {
    const reasons = selected.skipped.map(({ scenario, reason }) => `; ${scenario}: ${reason}`);
    throw new Problem(`Suite ${selected.name} has nothing to measure${reasons.join('')}`, 'Choose something else');
  }
  const configuration = configure(options, selected);
  const clock = openCpuClock();
  if (!clock && precision) throw new Problem(NO_CLOCK, 'Leave out --precision, which needs one');
  if (precision && (configuration.pairs === 1 || configuration.duetSlices === 0))
    throw new Problem('--precision needs intervals of CPU per request', 'Use --pairs 2 and --duet-slices 1, or more');
  const requests = selected.tasks.flatMap(({ exchanges }) => exchanges.map(({ request }) => request));
  const needs = {
    mix: selected.tasks.some(({ exchanges }) => exchanges.length > 1),
    head: requests.some(({ method }) => method === 'HEAD'),
    text: requests.some(({ body }) => body !== undefined),
    rate: selected.tasks.every(isPaced),
  };
  const hasSink = selected.tasks.some((task) => task.scenarios.some((each) => needsSink(task, each)));
  const pinningPlan = planPinning(options.pin, hasSink);
  const pinning = 'missing' in pinningPlan ? undefined : pinningPlan;
  if (loadHost.length > 0 && listen === LOOPBACK)
    throw new Problem(`Other hosts can't reach ${listen}`, 'Name an address of this machine with --listen');
  const hosts = loadHost.map((name) => new Host(name, pinning));
  await Promise.all(hosts.map((host) => host.connected()));
  const tool = findTool(options.tool, needs, hosts);
  const { name, latencyFrom } = tool.tool;
  const canPace = latencyFrom !== null;
  const suite = canPace ? selected : withoutTasks(selected, isPaced, `${name} can't send at a steady rate`);
  return { suite, tool, pinningPlan, pinning, clock, listen, keepAwake, configuration };
}

/** The suite with the rate that the user wants for all tasks. @throws Problem if the user sets what it has steps of. */
function atRate(suite: LoadedSuite, options: MeasureOptions): LoadedSuite {
  const { rate } = options;
  const own = suite.sweep?.load;
  if (own && options[own]) throw new Problem(`Suite ${suite.name} sets its own ${own}`, `Leave out --${own}`);
  return rate ? { ...suite, tasks: suite.tasks.map((task) => ({ ...task, rate: undefined, ...rate })) } : suite;
}

/** What the user says goes before what the suite says, and that before the defaults. */
function configure(options: MeasureOptions, suite: LoadedSuite): Configuration {
  const pace = options.quick ? { ...QUICK, ...suite.quick } : { ...FULL, ...suite.full };
  const { duration = pace.durationSeconds, slice: sliceSeconds = pace.sliceSeconds, pairs = pace.pairs } = options;
  const alternatingSlices = Math.max(1, Math.round(duration / pairs / sliceSeconds));
  return {
    connections: options.connections ?? pace.connections,
    durationSeconds: alternatingSlices * sliceSeconds * pairs,
    sliceSeconds,
    pairs,
    alternatingSlices,
    duetSlices: options.duetSlices ?? pace.duetSlices,
    warmupSeconds: options.warmup ?? pace.warmupSeconds,
    starts: pace.starts,
    precision: options.precision ?? null,
    export: options.export,
    quick: options.quick,
    seed: options.seed ?? Math.floor(Math.random() * 2 ** 31),
  };
}

/** The result of a plan before anything is measured. */
export function emptyResult(plan: Plan, keepAwake: Result['keepAwake']): Result {
  const { suite, configuration, pinningPlan, clock } = plan;
  const { tool, version, programs } = plan.tool;
  const { name, latencyFrom } = tool;
  const hosts = programs.flatMap(({ host }) => host?.name ?? []);
  return {
    schemaVersion: SCHEMA_VERSION,
    kind: 'tracetax',
    startedAt: new Date().toISOString(),
    endedAt: null,
    stoppedBy: null,
    suite: suiteSummary(suite, configuration.export),
    configuration,
    tool: { name, version, latencyFrom, ...(hosts.length > 0 && { hosts }) },
    pinning: pinningPlan,
    keepAwake,
    cpuClock: clock ? { name: clock.name } : { missing: NO_CLOCK },
    environment: environment(),
    proofs: [],
    startUps: [],
    pairs: [],
  };
}

/** What the result says of the suite. */
export function suiteSummary(suite: LoadedSuite, chosenExport: ExportMode): Result['suite'] {
  const { name, title, tasks, skipped, isInstrumentation, isLadder, remarks, sweep, points } = suite;
  return {
    ...{ name, title, skipped, isInstrumentation, isLadder, remarks },
    tasks: tasks.map(taskSummary),
    ...(sweep && { sweep: { parameter: String(sweep.load ?? sweep.env), unit: sweep.unit, points } }),
    scenarios: scenariosOf(tasks).map((scenario) => ({
      name: scenario.name,
      title: scenario.title,
      trueCostUs: scenario.trueCostUs ?? null,
      installedBytes: scenario.packages === undefined ? null : installedBytes(scenario.packages),
      export: exportModeOf(scenario, chosenExport),
    })),
  };
}

function taskSummary(task: LoadedTask): Task {
  const { exchanges, warmUp: _, rate = null, baseline, scenarios, ...same } = task;
  const [only, ...others] = exchanges.map(({ request }) => request);
  return {
    ...same,
    rate,
    baseline: baseline.name,
    scenarios: scenarios.map((scenario) => scenario.name),
    bodyBytes: only && others.length === 0 ? bodyBytes(only) : null,
  };
}

function bodyBytes({ body, bodyFile }: Request): number | null {
  if (bodyFile !== undefined) return statSync(bodyFile).size;
  return body === undefined ? null : Buffer.byteLength(body);
}
