import { arch, cpus, networkInterfaces, release, totalmem, type } from 'node:os';
import { orUndefined } from '../words/errors.ts';
import { readText } from '../words/files.ts';

/** The machine: what a reader needs to judge whether a figure is theirs. `folder`: of the suite. */
export function environment(folder: string) {
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: navigator.hardwareConcurrency,
    memoryBytes: totalmem(),
    kernel: `${type()} ${release()} ${arch()}`,
    gitRevision: gitRevision(folder),
    frequencyGovernor:
      readText('/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor')?.trim() ?? null,
  };
}

/** The commit, with `-dirty` if a file of it was changed; null without git, or outside a repository. */
function gitRevision(folder: string): string | null {
  const argv = [
    'git',
    '-C',
    folder,
    'describe',
    '--always',
    '--dirty',
    '--exclude=*',
    '--abbrev=12',
  ];
  const run = orUndefined(() => Bun.spawnSync(argv));
  return run?.success ? run.stdout.toString().trim() : null;
}

/** The addresses of this machine, without those of IPv6. */
export function ownAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((each = []) => each);
  return all.filter(({ family }) => family === 'IPv4').map(({ address }) => address);
}
