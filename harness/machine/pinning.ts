import type { Result } from '../result/schema.ts';
import { readText } from './read.ts';

/** Which core serves and which make the load. */
export type Pinning = Exclude<Result['pinning'], { missing: string }>;

/**
 * One core for the server and the others for the load tool. A sibling of the server's core (the same physical core, with
 * SMT) stays idle if there are enough cores. A sink, if there is one, takes one from a load tool that has several.
 */
export function planPinning(wanted: boolean, hasSink = false): Result['pinning'] {
  if (!wanted) return { missing: 'switched off with --no-pin' };
  if (process.platform !== 'linux') return { missing: `not supported on ${process.platform}` };
  const lacking = ['taskset', 'chrt'].find((program) => !Bun.which(program));
  if (lacking) return { missing: `${lacking} (util-linux) is not installed` };
  const cores = allowedCores();
  const [server] = cores;
  if (server === undefined || cores.length < 2) return { missing: 'there is one core only' };
  const others = cores.filter((core) => core !== server);
  const apart = others.filter((core) => !siblings(server).includes(core));
  return { serverCore: String(server), ...shared(apart.length > 0 ? apart : others, hasSink) };
}

/** These cores, for the load tool, and the last one for the sink if there are several. */
export function shared(cores: number[], hasSink: boolean): Omit<Pinning, 'serverCore'> {
  const tool = hasSink && cores.length > 1 ? cores.slice(0, -1) : cores;
  const [sink] = cores.slice(tool.length);
  const toolPinning = { toolCores: tool.join(','), toolCoreCount: tool.length };
  return sink === undefined ? toolPinning : { ...toolPinning, sinkCore: String(sink) };
}

/** How many cores the load tool may use on this machine. */
export function coresOf(pinning: Pinning | undefined): number {
  return pinning?.toolCoreCount ?? navigator.hardwareConcurrency;
}

/** The command, to run on those cores alone; unchanged if nothing is pinned. */
export function pinned(argv: string[], cores: string | undefined): string[] {
  return cores === undefined ? argv : ['taskset', '-c', cores, ...argv];
}

/**
 * The command of a load tool, to run on its cores alone, as a batch job (SCHED_BATCH, sched(7)): then the two load tools of a
 * duet slice don't interrupt each other, and both servers get the same load. Unchanged if nothing is pinned.
 */
export function pinnedLoad(argv: string[], pinning: Pinning | undefined): string[] {
  return pinning ? pinned(['chrt', '-b', '0', ...argv], pinning.toolCores) : argv;
}

/** Moves the harness itself off the server's core. */
export function pinSelf(cores: string): void {
  Bun.spawnSync(['taskset', '-acp', cores, String(process.pid)], { stdout: 'ignore', stderr: 'ignore' });
}

function allowedCores(): number[] {
  const status = readText('/proc/self/status') ?? '';
  return parseCpuList(/^Cpus_allowed_list:\s*(\S+)/m.exec(status)?.[1] ?? '');
}

function siblings(core: number): number[] {
  return parseCpuList(readText(`/sys/devices/system/cpu/cpu${core}/topology/thread_siblings_list`) ?? '');
}

/** The numbers in a list such as `0-3,8`. */
export function parseCpuList(list: string): number[] {
  return [...list.matchAll(/(\d+)(?:-(\d+))?/g)].flatMap(([, first, last = first]) => {
    const count = Number(last) - Number(first) + 1;
    return Array.from({ length: count }, (_, index) => Number(first) + index);
  });
}
