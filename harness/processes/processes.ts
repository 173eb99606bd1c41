import { dlopen } from 'bun:ffi';
import { sum } from 'simple-statistics';
import { orUndefined } from '../words/errors.ts';
import { namesIn, readText } from '../words/files.ts';

/** USER_HZ, in which Linux counts time for user space: 100 a second on every platform that Bun runs on. */
export const NS_PER_TICK = 1e7;

/** Of prctl(2) and waitpid(2). */
const PR_SET_CHILD_SUBREAPER = 36;
const WNOHANG = 1;
export const libc = orUndefined(() =>
  dlopen('libc.so.6', {
    prctl: { args: ['i32', 'u64'], returns: 'i32' },
    waitpid: { args: ['i32', 'ptr', 'i32'], returns: 'i32' },
    clock_getcpuclockid: { args: ['i32', 'ptr'], returns: 'i32' },
    clock_gettime: { args: ['i32', 'ptr'], returns: 'i32' },
  }),
)?.symbols;

export type Process = ReturnType<typeof parseProcStat>;

/** A process by a /proc/PID/stat line (proc_pid_stat(5)). CPU times are in ns, in steps of 10 ms. */
export function parseProcStat(pid: number, stat: string) {
  // The second field, the name, may hold spaces and parentheses: the third field follows the last one.
  const end = stat.lastIndexOf(')');
  const fields = stat.slice(end + 2).split(' ');
  const ns = (field: number) => Number(fields[field]) * NS_PER_TICK;
  return {
    pid,
    name: stat.slice(stat.indexOf('(') + 1, end),
    /** Whether it has ended, and nobody has waited for it yet. */
    hasEnded: fields[0] === 'Z' || fields[0] === 'X',
    parent: Number(fields[1]),
    session: Number(fields[3]),
    /** With the times of its ended children that it waited for. */
    userNs: ns(11) + ns(13),
    systemNs: ns(12) + ns(14),
    endedChildrenNs: ns(13) + ns(14),
    /** By its start, too: numbers are used again. */
    key: `${pid} ${fields[19]}`,
  };
}

/** All processes of this machine by number; none without /proc. */
export function processes(): Map<number, Process> {
  const pids = namesIn('/proc').map(Number).filter(Number.isInteger);
  const stats = pids.map((pid) => [pid, readText(`/proc/${pid}/stat`)] as const);
  return new Map(
    stats.flatMap(([pid, stat]) => (stat === undefined ? [] : [[pid, parseProcStat(pid, stat)]])),
  );
}

/** Children of the harness by number: what the environment of all that they start holds, and which processes are theirs. */
const followed = new Map<number, { marker: string; seen: Set<string> }>();

/** Keeps account of a child's processes. Orphans among them come to the harness from now on (prctl(2)). */
export function follow(child: number, marker: string): void {
  libc?.prctl(PR_SET_CHILD_SUBREAPER, 1);
  followed.set(child, { marker, seen: new Set() });
}

export function unfollow(child: number): void {
  followed.delete(child);
}

/** All processes of a child, also those that left its session. Ended ones are among them until somebody waits for them. */
export function membersOf(child: number): Process[] {
  return byChild().get(child) ?? [];
}

/** The members that run. Those that ended, and came to the harness, are gone then. */
export function livingOf(child: number): Process[] {
  return membersOf(child).filter(({ pid, parent, hasEnded }) => {
    const isOurs = parent === process.pid && pid !== child;
    // While threads of a process that ends still run, nobody can wait for it.
    return !hasEnded || (isOurs && libc?.waitpid(pid, null, WNOHANG) === 0);
  });
}

/**
 * Makes those orphans members of the child that nothing ties to any: they left its session, and have another environment.
 * Returns them, without those that ended and used no time.
 */
export function adopt(child: number): Process[] {
  const all = byChild().get(undefined) ?? [];
  const ownSession = all.find(({ pid }) => pid === process.pid)?.session;
  const orphans = all.filter(
    ({ parent, session }) => parent === process.pid && session !== ownSession,
  );
  for (const { key } of orphans) followed.get(child)?.seen.add(key);
  return orphans.filter(({ hasEnded, userNs, systemNs }) => !hasEnded || userNs + systemNs > 0);
}

/** By the number of the child whose they are, undefined for those of none. */
function byChild(): Map<number | undefined, Process[]> {
  const all = processes();
  const owners = new Map<number, number | undefined>([[process.pid, undefined]]);
  const ownerOf = ({ pid, parent, session, key }: Process): number | undefined => {
    if (owners.has(pid)) return owners.get(pid);
    const above = all.get(parent);
    const owner = followed.has(session)
      ? session
      : ((above && ownerOf(above)) ?? ownerByName(pid, key));
    owners.set(pid, owner);
    if (owner !== undefined) followed.get(owner)?.seen.add(key);
    return owner;
  };
  return Map.groupBy(all.values(), ownerOf);
}

/** The child that it belonged to before, or that its environment names. */
function ownerByName(pid: number, key: string): number | undefined {
  const environ = readText(`/proc/${pid}/environ`) ?? '';
  return [...followed].find(
    ([, { marker, seen }]) => seen.has(key) || environ.includes(marker),
  )?.[0];
}

/**
 * Memory of all processes of a child, in bytes; null if one of them does not tell. Pages that several share count once: the
 * proportional set size of each (kernel.org, filesystems/proc, smaps_rollup).
 */
export function memoryBytes(child: number): number | null {
  const running = membersOf(child).filter(({ hasEnded }) => !hasEnded);
  const texts = running.map(({ pid }) => readText(`/proc/${pid}/smaps_rollup`) ?? '');
  const bytes = sum(texts.map((text) => Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1]))) * 1024;
  return bytes > 0 ? bytes : null;
}

type CpuTimesUs = { user: number; system: number };

/**
 * User and system time in µs of all processes of a child, those that ended among them, since an earlier reading; in steps
 * of 10 ms. Null if nothing tells.
 */
export function cpuTimesUs(child: number, before: CpuTimesUs | null = null): CpuTimesUs | null {
  const members = membersOf(child);
  if (members.length === 0) return null;
  const used = (of: 'userNs' | 'systemNs') => sum(members.map((member) => member[of])) / 1e3;
  return {
    user: used('userNs') - (before?.user ?? 0),
    system: used('systemNs') - (before?.system ?? 0),
  };
}
