import { arch, cpus, networkInterfaces, release, totalmem, type } from 'node:os';
import { orUndefined } from '../words/errors.ts';
import { readText } from '../words/files.ts';

/** What a reader must know of the machine to judge whether a figure holds on theirs. */
export interface MachineFacts {
  /** The model of the processor. */
  cpu: string;
  cores: number;
  memoryBytes: number;
  /** Its name, release and architecture. */
  kernel: string;
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
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: navigator.hardwareConcurrency,
    memoryBytes: totalmem(),
    kernel: `${type()} ${release()} ${arch()}`,
    gitRevision: gitRevision(folder),
    frequencyGovernor: readText(governorFile)?.trim() ?? null,
  };
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
