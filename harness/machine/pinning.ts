import { cpus } from 'node:os';
import type { UnpinnedReason } from '../result/schema.ts';
import { readText } from '../words/files.ts';
import { quotaCores } from './cpu-quota.ts';

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

/** Why nothing is pinned. */
export interface NoPinning {
  /** What is missing, as a message says it. */
  missing: string;
  reason: NonNullable<UnpinnedReason>;
}

/**
 * The cores that this process may use as it starts. They are read at once, because the harness then
 * moves itself off the server's core.
 */
const ALLOWED_CORES = allowedCores();

function allowedCores(): string {
  const status = readText('/proc/self/status') ?? '';
  return /^Cpus_allowed_list:\s*(\S+)/m.exec(status)?.[1] ?? '';
}

/**
 * Returns the cores that this process may use, such as `0-3,8`, if they are fewer than the machine
 * has; else null.
 */
export function coresIfFewer(allowed = ALLOWED_CORES, coreCount = cpus().length): string | null {
  const count = parseCpuList(allowed).length;
  return count > 0 && count < coreCount ? allowed : null;
}

/** What pinning depends on: tests put another machine in its place. */
interface PinnableMachine {
  /** The cores that may be used, as a list. */
  allowed: string;
  coreCount: number;
  quotaCores: number;
  hasProgram: (name: string) => boolean;
}

function thisMachine(): PinnableMachine {
  return {
    allowed: ALLOWED_CORES,
    coreCount: cpus().length,
    quotaCores: quotaCores(),
    hasProgram: (name) => Bun.which(name) !== null,
  };
}

/**
 * Plans one core for the server and the others for the load tool. SMT siblings of the server's core
 * stay idle if there are enough others. A sink, if there is one, takes a core of a load tool that
 * has several. All together keep to the quota of a container, beyond which the kernel would stop
 * them for most of a tenth of a second. A quota of less than two cores can't be kept to: then it is
 * better that at least nobody disturbs the server on its core.
 */
export function planPinning(
  isWanted: boolean,
  hasSink = false,
  machine = thisMachine(),
): Pinning | NoPinning {
  if (!isWanted) return { missing: 'switched off with --no-pin', reason: 'switched-off' };
  const lacking = ['taskset', 'chrt'].find((program) => !machine.hasProgram(program));
  if (lacking)
    return { missing: `${lacking} (util-linux) is not installed`, reason: 'not-installed' };
  const [server, ...others] = parseCpuList(machine.allowed);
  if (server === undefined || others.length === 0) return withoutSecondCore(machine);
  const mostToolCores = Math.max(1, Math.floor(machine.quotaCores) - 1);
  const free = withoutSiblings(server, others).slice(0, mostToolCores);
  return { serverCore: String(server), ...shareCores(free, hasSink) };
}

function withoutSecondCore({ allowed, coreCount }: PinnableMachine): NoPinning {
  return coreCount > 1
    ? { missing: `of ${coreCount} cores only core ${allowed} may be used`, reason: 'cpuset' }
    : { missing: 'there is one core only', reason: 'one-core' };
}

/** Returns the cores that are no SMT siblings of the server's; all of them if every one is. */
function withoutSiblings(server: number, others: number[]): number[] {
  const file = `/sys/devices/system/cpu/cpu${server}/topology/thread_siblings_list`;
  const siblings = parseCpuList(readText(file) ?? '');
  const independent = others.filter((core) => !siblings.includes(core));
  return independent.length > 0 ? independent : others;
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
