import { statSync } from 'node:fs';
import { type FoundTool, findTool } from './load/find.ts';
import { coresOf } from './load/run-load.ts';
import { type CpuClock, openCpuClock } from './machine/cpu-time.ts';
import { environment } from './machine/environment.ts';
import { type PinningPlan, planPinning } from './machine/pinning.ts';
import type { Bench } from './measure/bench.ts';
import { FULL, QUICK, type RunOptions } from './options.ts';
import { Problem } from './problem.ts';
import { type Configuration, type Result, SCHEMA_VERSION } from './result/schema.ts';
import { type LoadedSuite, type LoadedTask, loadSuite, selectScenarios, selectTasks } from './suite/load.ts';
import { type Request, type Scenario, spansPerRequest, telemetryOf } from './suite/suite-schema.ts';

/** What a run needs to know before it begins. */
export interface Plan extends Omit<Bench, 'suite'> {
  suite: LoadedSuite;
  pinningPlan: PinningPlan;
  cpuClock: Result['cpuClock'];
  keepAwake: boolean;
}

/**
 * Turns options into a plan.
 * @throws Problem for anything in them that is not there, or does not go together.
 */
export async function plan(options: Omit<RunOptions, 'format' | 'dryRun'>): Promise<Plan> {
  const chosen = selectTasks(await loadSuite(options.suite), options.endpoints);
  const selected = selectScenarios(chosen, options.scenarios);
  const pinningPlan = planPinning(options.pin);
  const pinning = 'missing' in pinningPlan ? undefined : pinningPlan;
  const clock = findClock();
  if (clock instanceof Problem && options.precision) throw clock;
  const tool = findTool(options.tool, { mix: selected.tasks.some(({ exchanges }) => exchanges.length > 1) });
  const suite = tool.tool.canPace ? selected : withoutRates(selected, tool);
  const hasClock = !(clock instanceof Problem);
  return {
    suite,
    tool,
    pinningPlan,
    pinning,
    clock: hasClock ? clock : undefined,
    cpuClock: hasClock ? { name: clock.name } : { missing: clock.message },
    keepAwake: options.keepAwake,
    configuration: configure(options, suite, tool, coresOf(pinning)),
  };
}

/** @throws Problem if nothing is left. */
function withoutRates(suite: LoadedSuite, { tool }: FoundTool): LoadedSuite {
  const tasks = suite.tasks.filter(({ rate }) => rate === undefined);
  if (tasks.length === 0) throw new Problem(`${tool.name} can't send at a steady rate`, 'Use --tool bombardier');
  const skipped = suite.tasks
    .filter((task) => !tasks.includes(task))
    .map(({ name, title }) => ({ scenario: title ?? name, reason: `${tool.name} can't send at a steady rate` }));
  return { ...suite, tasks, skipped: [...suite.skipped, ...skipped] };
}

function findClock(): CpuClock | Problem {
  try {
    return openCpuClock();
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

/** What the user says goes before what the suite says, and that before the defaults. */
function configure(
  options: Parameters<typeof plan>[0],
  suite: LoadedSuite,
  { tool }: FoundTool,
  toolCores: number,
): Configuration {
  const pace = options.quick ? { ...QUICK, ...suite.quick } : { ...FULL, ...suite.full };
  const connections = tool.opened(options.connections ?? pace.connections, toolCores);
  const sliceSeconds = options.slice ?? pace.sliceSeconds;
  const pairs = options.pairs ?? pace.pairs;
  const durationSeconds = options.duration ?? pace.durationSeconds;
  const alternatingSlices = Math.max(1, Math.round(durationSeconds / pairs / sliceSeconds));
  return {
    connections,
    duetConnections: tool.opened(Math.max(1, Math.round(connections / 2)), toolCores),
    durationSeconds: alternatingSlices * sliceSeconds * pairs,
    sliceSeconds,
    pairs,
    alternatingSlices,
    duetSlices: options.duetSlices ?? pace.duetSlices,
    warmupSeconds: options.warmup ?? pace.warmupSeconds,
    precision: options.precision ?? null,
    quick: options.quick,
    seed: options.seed ?? Math.floor(Math.random() * 2 ** 31),
  };
}

/** The result of a plan before anything is measured. */
export function emptyResult(plan: Plan, startedAt: Date, keepAwake: Result['keepAwake']): Result {
  const { suite, configuration, tool, pinningPlan, cpuClock } = plan;
  return {
    schemaVersion: SCHEMA_VERSION,
    kind: 'tracetax',
    startedAt: startedAt.toISOString(),
    endedAt: null,
    stoppedBy: null,
    suite: suiteSummary(suite),
    configuration,
    tool: { name: tool.tool.name, version: tool.version },
    pinning: pinningPlan,
    keepAwake,
    cpuClock,
    environment: environment(),
    proofs: [],
    pairs: [],
  };
}

function suiteSummary({ name, title, tasks, skipped, isInstrumentation, isLadder }: LoadedSuite): Result['suite'] {
  const scenarios = [...new Set(tasks.flatMap((task) => task.scenarios))];
  return {
    name,
    title: title ?? name,
    tasks: tasks.map(taskSummary),
    skipped,
    isInstrumentation,
    isLadder,
    scenarios: scenarios.map((scenario) => ({
      name: scenario.name,
      title: scenario.title ?? scenario.name,
      command: scenario.command,
      spansPerRequest: claimedSpans(scenario, tasks),
      trueCostUs: scenario.trueCostUs ?? null,
    })),
  };
}

function taskSummary(task: LoadedTask): Result['suite']['tasks'][number] {
  const { name, title, exchanges, rate, baseline, scenarios } = task;
  const [only, ...others] = exchanges.map(({ request }) => request);
  return {
    name,
    title: title ?? name,
    baseline: baseline.name,
    scenarios: scenarios.map((scenario) => scenario.name),
    requests: exchanges.map(({ request: { method, path }, weight }) => ({ method, path, weight })),
    rate: rate ?? null,
    bodyBytes: only && others.length === 0 ? bodyBytes(only) : null,
  };
}

/** Null if nothing is claimed, or if requests differ in it. */
function claimedSpans(scenario: Scenario, tasks: LoadedTask[]): number | null {
  const exchanges = tasks.filter(({ scenarios }) => scenarios.includes(scenario)).flatMap((task) => task.exchanges);
  const counts = new Set(
    exchanges.map((exchange) => telemetryOf(exchange, scenario)).map((claim) => claim && spansPerRequest(claim)),
  );
  const [only] = counts;
  return counts.size === 1 && only !== undefined ? only : null;
}

function bodyBytes({ body, bodyFile }: Request): number | null {
  if (bodyFile !== undefined) return statSync(bodyFile).size;
  return body === undefined ? null : Buffer.byteLength(body);
}
