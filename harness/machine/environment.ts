import { existsSync } from 'node:fs';
import { arch, cpus, networkInterfaces, release, totalmem, type } from 'node:os';
import { join, resolve } from 'node:path';
import type { Environment } from '../result/schema.ts';
import { ifThere, namesIn, readText } from './read.ts';

const CLONE = resolve(import.meta.dir, '../..');
const INSPECTOR = join(CLONE, 'inspector');
/** The kit's own clone; if it is installed as a package, the project that it is called in. */
const [PROJECT, INSTRUMENTED] = existsSync(INSPECTOR) ? [CLONE, INSPECTOR] : [process.cwd(), process.cwd()];

/** The machine and the versions: what a reader needs to judge whether a figure is theirs. */
export function environment(): Environment {
  return {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: navigator.hardwareConcurrency,
    memoryBytes: totalmem(),
    kernel: `${type()} ${release()} ${arch()}`,
    virtualization: virtualization(),
    runtime: { name: 'bun', version: Bun.version, revision: Bun.revision },
    packages: packageVersions(),
    gitRevision: gitRevision(),
    frequencyGovernor: readText('/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor')?.trim() ?? null,
  };
}

function virtualization(): string | null {
  if (existsSync('/.dockerenv') || existsSync('/run/.containerenv')) return 'container';
  return /^flags\b.*\bhypervisor\b/m.test(readText('/proc/cpuinfo') ?? '') ? 'virtual machine' : null;
}

/** Of Hono and of OpenTelemetry. */
function packageVersions(): Record<string, string> {
  const instrumentation = join(INSTRUMENTED, 'node_modules/@opentelemetry');
  const folders = namesIn(instrumentation).map((name) => join(instrumentation, name));
  const files = [join(PROJECT, 'node_modules/hono'), ...folders].map((folder) => join(folder, 'package.json'));
  const packages = files.map((file) => JSON.parse(readText(file) ?? '{}'));
  return Object.fromEntries(packages.flatMap(({ name, version }) => (name ? [[name, version]] : [])));
}

/** The commit, with `-dirty` if a file of it was changed; null without git, or outside a repository. */
function gitRevision(): string | null {
  const argv = ['git', '-C', PROJECT, 'describe', '--always', '--dirty', '--exclude=*', '--abbrev=12'];
  const run = ifThere(() => Bun.spawnSync(argv));
  return run?.success ? run.stdout.toString().trim() : null;
}

/** The addresses of this machine, without those of IPv6. */
export function ownAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((each = []) => each);
  return all.filter(({ family }) => family === 'IPv4').map(({ address }) => address);
}
