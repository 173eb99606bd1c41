import type { FoundTool } from '../load/find.ts';
import type { Load } from '../load/tool.ts';
import type { CpuClock } from '../machine/cpu-time.ts';
import type { Pinning } from '../machine/pinning.ts';
import type { Configuration, Side } from '../result/schema.ts';
import type { LoadedSuite, LoadedTask } from '../suite/load.ts';

/** What a measurement needs to know and does not change. */
export interface Bench {
  suite: Pick<LoadedSuite, 'cwd'>;
  tool: FoundTool;
  pinning: Pinning | undefined;
  /** Undefined if no clock reads the CPU time of another process. */
  clock: CpuClock | undefined;
  configuration: Configuration;
}

export const SIDES = ['baseline', 'scenario'] as const satisfies Side[];

export function otherSide(side: Side): Side {
  return side === 'baseline' ? 'scenario' : 'baseline';
}

/** Baseline and scenario, or anything else that each of the two has. */
export type Both<T> = Record<Side, T>;

/** The same for both, at the same time. */
export async function both<T, R>(pair: Both<T>, work: (each: T) => Promise<R>): Promise<Both<R>> {
  const [baseline, scenario] = await Promise.all([work(pair.baseline), work(pair.scenario)]);
  return { baseline, scenario };
}

/** The load of a task on the server at this port. */
export function loadOf(
  { exchanges, rate }: Pick<LoadedTask, 'exchanges' | 'rate'>,
  port: number,
  connections: number,
  durationSeconds: number,
): Load {
  const requests = exchanges.map(({ request, weight }) => ({ ...request, weight }));
  return { origin: `http://127.0.0.1:${port}`, requests, connections, durationSeconds, rate };
}
