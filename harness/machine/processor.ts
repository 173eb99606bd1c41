import { cpus } from 'node:os';
import { orUndefined } from '../words/errors.ts';
import { readText } from '../words/files.ts';

/** What tells one processor from another of the same name. */
export interface Processor {
  /** Its name, family, model and stepping, and whose virtual machine it is: what never changes. */
  name: string;
  /** Its clock rate at this moment; null if nothing tells. */
  mhz: number | null;
}

/**
 * Returns the processor of this machine. Hypervisors often hide its name: two machines that are
 * called "Intel(R) Xeon(R) Processor" may be twice apart.
 */
export function processor(
  cpuInfo = readText('/proc/cpuinfo') ?? '',
  hypervisor: string | null = hypervisorVendor(),
): Processor {
  const fieldOf = (field: string) =>
    new RegExp(`^${field}\\s*: (.*)$`, 'm').exec(cpuInfo)?.[1]?.trim();
  const details = ['cpu family', 'model', 'stepping'].flatMap((field) => {
    const value = fieldOf(field);
    return value ? `${field.replace('cpu ', '')} ${value}` : [];
  });
  const host = hypervisor ? [`virtual by ${hypervisor}`] : [];
  const facts = [...details, ...host].join(', ');
  const name = fieldOf('model name') ?? cpus()[0]?.model ?? 'unknown';
  const mhz = Number(fieldOf('cpu MHz'));
  return {
    name: facts === '' ? name : `${name} (${facts})`,
    mhz: mhz > 0 ? Math.round(mhz) : null,
  };
}

/** Returns the name of a processor without its details: family, model, stepping and hypervisor. */
export function withoutDetails(name: string): string {
  return name.replace(/ \((family|virtual by) .*\)$/, '');
}

/** Returns who made the hypervisor, as `lscpu` of util-linux knows it; null without one. */
function hypervisorVendor(): string | null {
  const run = orUndefined(() =>
    Bun.spawnSync(['lscpu'], { env: { ...process.env, LC_ALL: 'C' }, stderr: 'ignore' }),
  );
  return /^Hypervisor vendor:\s*(.*)$/m.exec(run?.stdout.toString() ?? '')?.[1]?.trim() ?? null;
}
