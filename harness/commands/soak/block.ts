import { mean } from 'simple-statistics';
import type { Arm } from '../../pair/arms.ts';
import { rateShortfalls } from '../../pair/rate.ts';
import { loadUntilResting } from '../../pair/under-load.ts';
import type { World } from '../../pair/world.ts';
import type { TaskLoad } from '../../plan/task-load.ts';
import { throwIfEnding } from '../../processes/child.ts';
import { memoryBytes } from '../../processes/usage.ts';
import { type Fault, remedyOf } from '../../result/faults.ts';
import { Problem, ScenarioProblem } from '../../words/errors.ts';

/** What one stretch of load showed of a server. */
export interface Block {
  /** The middle of the stretch, in seconds from the start of the first one. */
  atSeconds: number;
  /** The memory of the server's processes: the mean of samples a second apart. */
  bytes: number;
  /** How late the event loop was, in µs; null for a server without a probe. */
  delayUs: { p50: number; p99: number; max: number } | null;
  /** CPU time of the server's processes; null if no clock reads it. */
  cpuNs: number | null;
  /** Requests that were answered. */
  requests: number;
  /** Requests that the load tool left at its end: the server worked on them, too. */
  underWay: number;
  /**
   * How long the load tool sent requests. The rest of the stretch, it was started, and the server
   * came to rest.
   */
  seconds: number;
  /** Why the rate was not held; empty if it was. */
  rateShortfalls: string[];
  faults: Fault[];
}

const SAMPLE_EVERY_MS = 1_000;

/** What a server took until then is on stderr, part by part. */
const MEMORY_REMEDY =
  'See by a shorter --for whether its memory grows, or give the container more memory';

/**
 * Loads a server once, and returns what that showed.
 * @param startMs when the first stretch began, by the clock of `performance.now`
 * @throws ScenarioProblem if the server ended, and Problem where memory can't be read
 */
export async function measureBlock(
  world: World,
  arm: Arm,
  load: TaskLoad,
  startMs: number,
): Promise<Block> {
  const { probe, child } = arm.server;
  const begunMs = performance.now();
  await probe.begin();
  const memory = sampleMemory(child.pid);
  const { loaded, faults } = await loadUntilResting(world, arm, load).finally(memory.stop);
  // Ctrl-C ends the load tool first: what fails then is no fault of the server.
  throwIfEnding();
  const { exitDescription } = child;
  if (exitDescription) throw endedProblem(arm.planned.name, exitDescription, faults);
  const bytes = memory.meanBytes();
  const endMs = performance.now();
  const usage = await probe.end();
  return {
    atSeconds: ((begunMs + endMs) / 2 - startMs) / 1e3,
    bytes,
    delayUs: usage?.eventLoopDelayUs ?? null,
    cpuNs: loaded.cpuNs,
    requests: loaded.requests,
    underWay: loaded.underWay,
    seconds: loaded.seconds,
    rateShortfalls: rateShortfalls(world, load, [loaded]),
    faults,
  };
}

/** Returns what is told of a server that ended: for lack of memory, or as its last words say. */
function endedProblem(name: string, exit: string, faults: readonly Fault[]): ScenarioProblem {
  const memory = faults.find(({ kind }) => kind === 'out-of-memory');
  return memory
    ? new ScenarioProblem(name, 'ran out of memory under load', memory.detail, MEMORY_REMEDY)
    : new ScenarioProblem(name, 'ended under load', exit, remedyOf('server-ended'));
}

/** Samples of the memory of a process and its children. */
interface MemorySamples {
  stop(): void;
  /** Returns the mean so far. @throws Problem if the memory can't be read */
  meanBytes(): number;
}

function sampleMemory(pid: number): MemorySamples {
  const samples: number[] = [];
  const sample = () => {
    const bytes = memoryBytes(pid);
    if (bytes !== null) samples.push(bytes);
  };
  const timer = setInterval(sample, SAMPLE_EVERY_MS);
  return {
    stop: () => clearInterval(timer),
    meanBytes: () => {
      // A short stretch may have ended before its first sample.
      if (samples.length === 0) sample();
      if (samples.length === 0)
        throw new Problem("The memory of the server can't be read", 'Run soak on Linux');
      return mean(samples);
    },
  };
}
