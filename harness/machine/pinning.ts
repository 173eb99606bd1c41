import { readFileSync } from 'node:fs';

/** Which core serves and which make the load: lists as `taskset -c` takes them. */
export interface Pinning {
  serverCore: string;
  toolCores: string;
  /** How many cores the load tool has. */
  toolCoreCount: number;
  /** The sink's own; left out if it shares the load tool's, or if there is none. */
  sinkCore?: string;
}

/** The cores, or why they can't be had. */
export type PinningPlan = Pinning | { missing: string };

/**
 * One core for the server and the others for the load tool. A sibling of the server's core (the same physical core, with
 * SMT) stays idle if there are enough cores. A sink, if there is one, takes one from a load tool that has several.
 */
export function planPinning(wanted: boolean, hasSink = false): PinningPlan {
  if (!wanted) return { missing: 'switched off with --no-pin' };
  if (process.platform !== 'linux') return { missing: `not supported on ${process.platform}` };
  if (!Bun.which('taskset')) return { missing: 'taskset (util-linux) is not installed' };
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

/** The command, to run on those cores alone; unchanged if nothing is pinned. */
export function pinned(argv: string[], cores: string | undefined): string[] {
  return cores === undefined ? argv : ['taskset', '-c', cores, ...argv];
}

/** Moves the harness itself off the server's core. */
export function pinSelf(cores: string): void {
  Bun.spawnSync(['taskset', '-acp', cores, String(process.pid)], { stdout: 'ignore', stderr: 'ignore' });
}

function allowedCores(): number[] {
  const list = /^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '';
  return parseCpuList(list);
}

function siblings(core: number): number[] {
  try {
    const file = `/sys/devices/system/cpu/cpu${core}/topology/thread_siblings_list`;
    return parseCpuList(readFileSync(file, 'utf8').trim());
  } catch {
    return [core];
  }
}

/** The numbers in a list such as `0-3,8`. */
export function parseCpuList(list: string): number[] {
  return list
    .split(',')
    .filter((range) => range !== '')
    .flatMap((range) => {
      const [first, last = first] = range.split('-').map(Number) as [number, number?];
      return Array.from({ length: last - first + 1 }, (_, index) => first + index);
    });
}
