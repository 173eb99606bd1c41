import { mean } from 'simple-statistics';
import type { CpuTimes, Side, Usage } from '../result/schema.ts';
import type { RunningPair } from './arms.ts';
import { type Both, forBoth, SIDES } from './sides.ts';

/** Reads what both servers of a pair use over all slices. */
export class UsageMeter {
  private probes: Both<Usage['probe']> = { baseline: null, scenario: null };
  private readonly memoryBytes: Both<number[]> = { baseline: [], scenario: [] };

  private constructor(
    private readonly running: RunningPair,
    private readonly cpuBefore: Both<CpuTimes | null>,
  ) {}

  /** Resolves once the probes in both servers count anew. */
  static async start(running: RunningPair): Promise<UsageMeter> {
    const { world, arms } = running;
    for (const side of SIDES) await arms[side].server.probe.begin();
    const cpuBefore = forBoth((side) => world.cpuTimesUs(arms[side].server.child.pid));
    return new UsageMeter(running, cpuBefore);
  }

  /** Reads the memory of both. This takes time of the core, so it is called once both are idle. */
  readMemory(): void {
    const { world, arms } = this.running;
    for (const side of SIDES) {
      const bytes = world.memoryBytes(arms[side].server.child.pid);
      if (bytes !== null) this.memoryBytes[side].push(bytes);
    }
  }

  /**
   * Ends what the probes count. A server that does not answer keeps its probe waiting, so that one
   * is not asked.
   */
  async readProbes(): Promise<void> {
    const { arms } = this.running;
    for (const side of SIDES) this.probes[side] = await arms[side].server.probe.end();
  }

  /** Returns what was used since the start. */
  read(): Both<Usage> {
    const { world, arms } = this.running;
    return forBoth((side) => ({
      memoryBytes: this.meanMemory(side),
      cpuUs: world.cpuTimesUs(arms[side].server.child.pid, this.cpuBefore[side]),
      probe: this.probes[side],
    }));
  }

  private meanMemory(side: Side): Usage['memoryBytes'] {
    const bytes = this.memoryBytes[side];
    return bytes.length > 0 ? { mean: mean(bytes) } : null;
  }
}
