import { arch, cpus, networkInterfaces, release, totalmem, type } from 'node:os';
import type { ContainerLimits } from '../result/schema.ts';
import { orUndefined } from '../words/errors.ts';
import { readText } from '../words/files.ts';
import { quotaCores } from './cpu-quota.ts';
import { memoryLimitBytes } from './memory-limit.ts';
import { coresIfFewer } from './pinning.ts';
import { processor } from './processor.ts';

/** What a reader must know of the machine to judge whether a figure holds on theirs. */
export interface MachineFacts {
  /** The model of the processor: what never changes of it. */
  cpu: string;
  /** Its clock rate when the run began; null if nothing tells. */
  cpuMhz: number | null;
  /** All that it has: `limits` says what of it may be used. */
  cores: number;
  memoryBytes: number;
  /** Its name, release and architecture. */
  kernel: string;
  /** Left out if nothing is limited. */
  limits?: ContainerLimits;
  /**
   * The commit of the suite's folder, with `-dirty` if a file was changed; null if there is none.
   */
  gitRevision: string | null;
  /** Null if the kernel does not scale frequencies, or hides it. */
  frequencyGovernor: string | null;
}

/** Returns the facts of this machine. @param folder of the suite */
export function machineFacts(folder: string): MachineFacts {
  const governorFile = '/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor';
  const limits = containerLimits();
  const { name, mhz } = processor();
  return {
    cpu: name,
    cpuMhz: mhz,
    cores: cpus().length,
    memoryBytes: totalmem(),
    kernel: `${type()} ${release()} ${arch()}`,
    ...(limits && { limits }),
    gitRevision: gitRevision(folder),
    frequencyGovernor: readText(governorFile)?.trim() ?? null,
  };
}

/** Returns what a container may use of this machine; undefined if that is all of it. */
function containerLimits(): ContainerLimits | undefined {
  const quota = quotaCores();
  const limits: ContainerLimits = {
    quotaCores: Number.isFinite(quota) ? quota : null,
    cores: coresIfFewer(),
    memoryBytes: memoryLimitBytes(),
  };
  return Object.values(limits).some((limit) => limit !== null) ? limits : undefined;
}

/** Returns the commit; null without git, or outside a repository. */
function gitRevision(folder: string): string | null {
  const describe = ['describe', '--always', '--dirty', '--exclude=*', '--abbrev=12'];
  const run = orUndefined(() => Bun.spawnSync(['git', '-C', folder, ...describe]));
  return run?.success ? run.stdout.toString().trim() : null;
}

/** Returns the IPv4 addresses of this machine. */
export function ownAddresses(): string[] {
  const interfaces = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses);
  return interfaces.filter(({ family }) => family === 'IPv4').map(({ address }) => address);
}
