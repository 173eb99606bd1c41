import { findTool } from './load/find.ts';
import type { LoadTool } from './load/tool.ts';
import type { Bench } from './measure/solo.ts';
import { FULL, QUICK, type RunOptions, statedLoad } from './options.ts';
import { Problem } from './problem.ts';
import { type CpuClock, openCpuClock } from './process/cpu-clock.ts';
import { type PinningPlan, planPinning } from './process/pinning.ts';
import type { Configuration, Result } from './results/schema.ts';
import {
  type LoadedSuite,
  loadSuite,
  type SuiteOptions,
  selectScenarios,
  selectTasks,
} from './suite/load.ts';

/** What a run needs to know before it begins. */
export interface Plan extends Omit<Bench, 'suite' | 'task'> {
  suite: LoadedSuite;
  pinningPlan: PinningPlan;
  cpuClock: Result['cpuClock'];
}

/**
 * Turns options into a plan.
 * @throws Problem for anything in them that is not there, or does not go together.
 */
export async function plan(options: RunOptions): Promise<Plan> {
  if (options.duetOnly && !options.duet)
    throw new Problem('--no-duet and --duet-only leave nothing to measure', 'Use one of them');
  const chosen = selectTasks(await loadSuite(options.suite, suiteOptions(options)), options.endpoints);
  const suite = selectScenarios(chosen, options.scenarios);
  const pinningPlan = planPinning(options.pin);
  const clock = findClock();
  if (options.duetOnly && clock instanceof Problem) throw clock;
  const hasClock = !(clock instanceof Problem);
  const tool = findTool(options.tool, { mix: suite.tasks.some(({ exchanges }) => exchanges.length > 1) });
  return {
    suite,
    tool,
    pinningPlan,
    pinning: 'pinning' in pinningPlan ? pinningPlan.pinning : undefined,
    clock: hasClock ? clock : undefined,
    cpuClock: hasClock ? { name: clock.name } : { missing: clock.message },
    configuration: configure(options, suite, tool.tool, hasClock),
  };
}

function suiteOptions({ bodySize, exporter, compressible }: RunOptions): SuiteOptions {
  return {
    compressible,
    ...(bodySize !== undefined && { bodySizeBytes: bodySize }),
    ...(exporter !== undefined && { exporter }),
  };
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
  options: RunOptions,
  suite: LoadedSuite,
  { can }: LoadTool,
  hasClock: boolean,
): Configuration {
  const stated = { ...statedLoad(), ...(options.quick ? QUICK : FULL) };
  const pace = options.quick ? suite.quick : suite.full;
  const hasDuets = options.duet && hasClock;
  return {
    connections: options.connections ?? pace.connections ?? stated.connections,
    durationSeconds: options.duration ?? pace.durationSeconds ?? stated.durationSeconds,
    // A tool that can't stop after so many is given the time instead.
    requestCount:
      can.count && options.duration === undefined ? (options.requests ?? pace.requests ?? null) : null,
    warmupSeconds: options.warmup ?? pace.warmupSeconds ?? stated.warmupSeconds,
    rounds: options.duetOnly ? 0 : (options.rounds ?? pace.rounds ?? stated.rounds),
    forks: hasDuets ? (options.forks ?? pace.forks ?? stated.forks) : 0,
    slices: options.slices ?? pace.slices ?? stated.slices,
    sliceSeconds: pace.sliceSeconds ?? stated.sliceSeconds,
    precision: options.precision ? { ...options.precision, maxSeconds: options.maxTime } : null,
    quick: options.quick,
    seed: options.seed ?? Math.floor(Math.random() * 2 ** 31),
  };
}
