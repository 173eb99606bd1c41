import { readText } from '../words/files.ts';

/*
 * This room knows the machine: its cores, clocks and threads, what lets cores sleep, and what a
 * reader must know of it. Process numbers and cores go in; times and facts come out. Starting and
 * ending processes belongs to `processes/`.
 */

/** The core that serves, and the cores that make the load, as lists that `taskset -c` takes. */
export interface Pinning {
  serverCore: string;
  toolCores: string;
  toolCoreCount: number;
  /** Null if a sink shares the cores of the load tool, or if there is none. */
  sinkCore: string | null;
}

/** Why nothing is pinned, in words. */
export interface NoPinning {
  missing: string;
}

/**
 * The cores that this process may use as it starts. They are read at once, because the harness then
 * moves itself off the server's core.
 */
const ALLOWED_CORES = allowedCores();

function allowedCores(): number[] {
  const status = readText('/proc/self/status') ?? '';
  return parseCpuList(/^Cpus_allowed_list:\s*(\S+)/m.exec(status)?.[1] ?? '');
}

/**
 * Plans one core for the server and the others for the load tool. SMT siblings of the server's core
 * stay idle if there are enough others. A sink, if there is one, takes a core of a load tool that
 * has several. All together keep to the quota of a container, beyond which the kernel would stop
 * them for most of a tenth of a second.
 */
export function planPinning(isWanted: boolean, hasSink = false): Pinning | NoPinning {
  if (!isWanted) return { missing: 'switched off with --no-pin' };
  const lacking = ['taskset', 'chrt'].find((program) => !Bun.which(program));
  if (lacking) return { missing: `${lacking} (util-linux) is not installed` };
  const quota = quotaCores();
  if (quota < 2) return { missing: `the quota of this container is ${quota} cores` };
  const [server, ...others] = ALLOWED_CORES;
  if (server === undefined || others.length === 0) return { missing: 'there is one core only' };
  const free = withoutSiblings(server, others).slice(0, Math.floor(quota) - 1);
  return { serverCore: String(server), ...shareCores(free, hasSink) };
}

/** Returns the cores that are no SMT siblings of the server's; all of them if every one is. */
function withoutSiblings(server: number, others: number[]): number[] {
  const file = `/sys/devices/system/cpu/cpu${server}/topology/thread_siblings_list`;
  const siblings = parseCpuList(readText(file) ?? '');
  const independent = others.filter((core) => !siblings.includes(core));
  return independent.length > 0 ? independent : others;
}

/**
 * Returns how many cores' time a container may use; infinity without a limit (kernel.org,
 * cgroup-v2, `cpu.max`; of version 1 `cpu.cfs_quota_us`).
 * @param read reads a file of the control group
 */
export function quotaCores(read = readControlFile): number {
  const limit =
    read('cpu.max') ?? `${read('cpu/cpu.cfs_quota_us')} ${read('cpu/cpu.cfs_period_us')}`;
  const [quota = 0, period = 0] = limit.trim().split(/\s+/).map(Number);
  return quota > 0 && period > 0 ? quota / period : Number.POSITIVE_INFINITY;
}

function readControlFile(name: string): string | undefined {
  return readText(`/sys/fs/cgroup/${name}`);
}

/** Gives these cores to the load tool, and the last one to the sink if there are several. */
export function shareCores(cores: number[], hasSink: boolean): Omit<Pinning, 'serverCore'> {
  const sinkHasCore = hasSink && cores.length > 1;
  const toolCores = sinkHasCore ? cores.slice(0, -1) : cores;
  return {
    toolCores: toolCores.join(','),
    toolCoreCount: toolCores.length,
    sinkCore: sinkHasCore ? String(cores.at(-1)) : null,
  };
}

/** Returns how many cores the load tool may use on this machine. */
export function toolCoreCountOf(pinning: Pinning | undefined): number {
  return pinning?.toolCoreCount ?? navigator.hardwareConcurrency;
}

/** Returns the command that runs on these cores alone; the command itself if nothing is pinned. */
export function pinned(argv: string[], cores: string | null | undefined): string[] {
  return cores == null ? argv : ['taskset', '-c', cores, ...argv];
}

/**
 * Returns the command of a load tool on its cores, as a batch job (SCHED_BATCH, sched(7)): the two
 * load tools of a duet slice then don't interrupt each other.
 */
export function pinnedLoad(argv: string[], pinning: Pinning | undefined): string[] {
  return pinning ? pinned(['chrt', '-b', '0', ...argv], pinning.toolCores) : argv;
}

/** Moves this process itself, with all its threads, to these cores. */
export function moveSelfTo(cores: string): void {
  Bun.spawnSync(['taskset', '-acp', cores, String(process.pid)]);
}

/** Returns the numbers in a list such as `0-3,8`. */
export function parseCpuList(list: string): number[] {
  return [...list.matchAll(/(\d+)(?:-(\d+))?/g)].flatMap(([, first, last = first]) => {
    const count = Number(last) - Number(first) + 1;
    return Array.from({ length: count }, (_, index) => Number(first) + index);
  });
}
