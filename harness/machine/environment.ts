import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { arch, cpus, release, totalmem, type } from 'node:os';
import { join, resolve } from 'node:path';
import type { Environment } from '../result/schema.ts';

const ROOT = resolve(import.meta.dir, '../..');

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
    frequencyGovernor: frequencyGovernor(),
  };
}

function virtualization(): string | null {
  if (existsSync('/.dockerenv') || existsSync('/run/.containerenv')) return 'container';
  const isVirtual =
    existsSync('/proc/cpuinfo') && /^flags\b.*\bhypervisor\b/m.test(readFileSync('/proc/cpuinfo', 'utf8'));
  return isVirtual ? 'virtual machine' : null;
}

function frequencyGovernor(): string | null {
  const file = '/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor';
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : null;
}

/** Of Hono and of what the inspector is made of. */
function packageVersions(): Record<string, string> {
  const instrumentation = join(ROOT, 'inspector/node_modules/@opentelemetry');
  const folders = [join(ROOT, 'node_modules/hono')];
  if (existsSync(instrumentation))
    folders.push(...readdirSync(instrumentation).map((name) => join(instrumentation, name)));
  return Object.fromEntries(
    folders
      .map((folder) => join(folder, 'package.json'))
      .filter(existsSync)
      .map(nameAndVersion),
  );
}

function nameAndVersion(file: string): [string, string] {
  const { name, version } = JSON.parse(readFileSync(file, 'utf8')) as { name: string; version: string };
  return [name, version];
}

function gitRevision(): string | null {
  const git = (...argv: string[]) => Bun.spawnSync(['git', '-C', ROOT, ...argv], { stderr: 'ignore' });
  const revision = git('rev-parse', '--short=12', 'HEAD');
  if (revision.exitCode !== 0) return null;
  const isDirty = git('status', '--porcelain').stdout.length > 0;
  return `${revision.stdout.toString().trim()}${isDirty ? '-dirty' : ''}`;
}
