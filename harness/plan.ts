import { findTool } from './load/find.ts';
import type { Bench } from './measure/solo.ts';
import {
  FORKS,
  QUICK_DURATION_SECONDS,
  ROUNDS,
  type RunOptions,
  SLICES,
  statedLoad,
  WARMUP_SECONDS,
} from './options.ts';
import { Problem } from './problem.ts';
import { type CpuClock, openCpuClock } from './process/cpu-clock.ts';
import { type PinningPlan, planPinning } from './process/pinning.ts';
import type { Configuration, Result } from './results/schema.ts';
import { loadSuite, selectScenarios } from './suite/load.ts';

/** What a run needs to know before it begins. */
export interface Plan extends Bench {
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
  const suite = selectScenarios(await loadSuite(options.suite), options.scenarios);
  const pinningPlan = planPinning(options.pin);
  const clock = findClock();
  if (options.duetOnly && clock instanceof Problem) throw clock;
  const hasClock = !(clock instanceof Problem);
  return {
    suite,
    tool: findTool(options.tool),
    pinningPlan,
    pinning: 'pinning' in pinningPlan ? pinningPlan.pinning : undefined,
    clock: hasClock ? clock : undefined,
    cpuClock: hasClock ? { name: clock.name } : { missing: clock.message },
    configuration: configure(options, hasClock),
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

function configure(options: RunOptions, hasClock: boolean): Configuration {
  const stated = statedLoad();
  const pace = options.quick ? 'quick' : 'full';
  const durationSeconds = options.quick ? QUICK_DURATION_SECONDS : stated.durationSeconds;
  return {
    connections: options.connections ?? stated.connections,
    durationSeconds: options.duration ?? durationSeconds,
    warmupSeconds: options.warmup ?? WARMUP_SECONDS[pace],
    rounds: options.duetOnly ? 0 : (options.rounds ?? ROUNDS[pace]),
    forks: options.duet && hasClock ? (options.forks ?? FORKS[pace]) : 0,
    slices: options.slices ?? SLICES[pace],
    precision: options.precision ? { ...options.precision, maxSeconds: options.maxTime } : null,
    quick: options.quick,
    seed: options.seed ?? Math.floor(Math.random() * 2 ** 31),
  };
}
