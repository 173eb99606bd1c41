import { readText } from '../words/files.ts';

/*
 * This room knows the machine: its cores, clocks and threads, what lets cores sleep, and what a reader must know of it.
 * Process numbers and cores go in; times and facts come out. Starting and ending processes belongs to `processes/`.
 */

/** Which core serves and which make the load. */
export interface Pinning {
  serverCore: string;
  toolCores: string;
  toolCoreCount: number;
  sinkCore: string | null;
}

/** Those that this process may use as it starts: it then moves itself off the server's core. */
const ALLOWED = parseCpuList(
  /^Cpus_allowed_list:\s*(\S+)/m.exec(readText('/proc/self/status') ?? '')?.[1] ?? '',
);

/**
 * One core for the server and the others for the load tool. SMT siblings of the server's core stay idle if there are
 * enough others. A sink, if there is one, takes one from a load tool that has several. All together keep to the quota of a
 * container, beyond which the kernel would stop them for most of a tenth of a second.
 */
export function planPinning(wanted: boolean, hasSink = false): Pinning | { missing: string } {
  if (!wanted) return { missing: 'switched off with --no-pin' };
  const lacking = ['taskset', 'chrt'].find((program) => !Bun.which(program));
  if (lacking) return { missing: `${lacking} (util-linux) is not installed` };
  const quota = quotaCores();
  if (quota < 2) return { missing: `the quota of this container is ${quota} cores` };
  const [server, ...others] = ALLOWED;
  if (server === undefined || others.length === 0) return { missing: 'there is one core only' };
  const siblings =
    readText(`/sys/devices/system/cpu/cpu${server}/topology/thread_siblings_list`) ?? '';
  const apart = others.filter((core) => !parseCpuList(siblings).includes(core));
  return {
    serverCore: String(server),
    ...shared((apart.length > 0 ? apart : others).slice(0, Math.floor(quota) - 1), hasSink),
  };
}

/** How many cores' time a container may use (kernel.org, cgroup-v2, `cpu.max`; of version 1 `cpu.cfs_quota_us`). */
export function quotaCores(read = (name: string) => readText(`/sys/fs/cgroup/${name}`)): number {
  const all = read('cpu.max') ?? `${read('cpu/cpu.cfs_quota_us')} ${read('cpu/cpu.cfs_period_us')}`;
  const [quota = 0, period = 0] = all.trim().split(/\s+/).map(Number);
  return quota > 0 && period > 0 ? quota / period : Number.POSITIVE_INFINITY;
}

/** These cores, for the load tool, and the last one for the sink if there are several. */
export function shared(cores: number[], hasSink: boolean): Omit<Pinning, 'serverCore'> {
  const hasCore = hasSink && cores.length > 1;
  const tool = hasCore ? cores.slice(0, -1) : cores;
  return {
    toolCores: tool.join(','),
    toolCoreCount: tool.length,
    sinkCore: hasCore ? String(cores.at(-1)) : null,
  };
}

/** How many cores the load tool may use on this machine. */
export function coresOf(pinning: Pinning | undefined): number {
  return pinning?.toolCoreCount ?? navigator.hardwareConcurrency;
}

/** The command, to run on those cores alone; unchanged if nothing is pinned. */
export function pinned(argv: string[], cores: string | null | undefined): string[] {
  return cores == null ? argv : ['taskset', '-c', cores, ...argv];
}

/** The same as a batch job (SCHED_BATCH, sched(7)): the two load tools of a duet slice don't interrupt each other. */
export function pinnedLoad(argv: string[], pinning: Pinning | undefined): string[] {
  return pinning ? pinned(['chrt', '-b', '0', ...argv], pinning.toolCores) : argv;
}

/** Moves the harness itself off the server's core. */
export function pinSelf(cores: string): void {
  Bun.spawnSync(['taskset', '-acp', cores, String(process.pid)]);
}

/** The numbers in a list such as `0-3,8`. */
export function parseCpuList(list: string): number[] {
  return [...list.matchAll(/(\d+)(?:-(\d+))?/g)].flatMap(([, first, last = first]) => {
    const count = Number(last) - Number(first) + 1;
    return Array.from({ length: count }, (_, index) => Number(first) + index);
  });
}
