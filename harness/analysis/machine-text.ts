import type { Environment } from '../result/schema.ts';
import { counted } from '../words/text.ts';
import { asMemory } from '../words/units.ts';

/*
 * A machine in words, and what a container may use of it, for tables, pages, warnings and `doctor`.
 */

/** What a result, or `doctor`, knows of a machine and of what may be used of it. */
export type LimitedMachine = Pick<Environment, 'cores' | 'memoryBytes' | 'limits'>;

/**
 * Returns the cores of a machine, and what a container may use of them: `2 cores`,
 * `0.6 of 2 cores by its container`, `only cores 0-1 of 8`.
 */
export function coresText({ cores, limits }: LimitedMachine): string {
  const quota = limits?.quotaCores ?? null;
  const which = limits?.cores ?? null;
  const all = quota === null ? null : `${quotaText(quota, cores)} by its container`;
  const some = which === null ? null : `only ${coreNames(which)} of ${cores}`;
  const texts = [all, some].filter((text) => text !== null);
  return texts.length > 0 ? texts.join(', ') : counted(cores, 'core');
}

/** Returns a processor with its clock rate, if that is known: `AMD EPYC (...), 2.6 GHz`. */
export function processorText({ cpu, cpuMhz }: Pick<Environment, 'cpu' | 'cpuMhz'>): string {
  return cpuMhz === null ? cpu : `${cpu}, ${(cpuMhz / 1e3).toFixed(1)} GHz`;
}

/** Returns a quota beside what the machine has: `0.6 of 2 cores`. */
export function quotaText(quotaCores: number, cores: number): string {
  return `${Number(quotaCores.toFixed(2))} of ${counted(cores, 'core')}`;
}

/** Returns what lifts a quota: as many cores as do for a server, a load tool, and no less. */
export function quotaRemedy(quotaCores: number): string {
  const cores = Math.max(2, Math.floor(quotaCores) + 1);
  return `Let the container use ${cores} cores or more (docker run --cpus, or limits.cpu)`;
}

/** Returns the memory of a machine: `300 MiB of 24 GiB by its container`, or all of it. */
export function memoryText({ memoryBytes, limits }: LimitedMachine): string {
  const all = `${(memoryBytes / 2 ** 30).toFixed(0)} GiB`;
  const limit = limits?.memoryBytes ?? null;
  return limit === null ? all : `${asMemory(limit)} of ${all} by its container`;
}

function coreNames(list: string): string {
  return /^\d+$/.test(list) ? `core ${list}` : `cores ${list}`;
}
