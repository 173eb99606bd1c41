import { dlopen } from 'bun:ffi';
import { orUndefined } from '../words/errors.ts';
import { namesIn, readText } from '../words/files.ts';

/**
 * USER_HZ, in which Linux counts time for user space: 100 a second on every platform that Bun runs
 * on.
 */
export const NS_PER_TICK = 1e7;

/** Options of prctl(2) and waitpid(2). */
const PR_SET_CHILD_SUBREAPER = 36;
const WNOHANG = 1;

/** What is called of the C library; undefined off Linux with glibc. */
export const libc = orUndefined(() =>
  dlopen('libc.so.6', {
    prctl: { args: ['i32', 'u64'], returns: 'i32' },
    waitpid: { args: ['i32', 'ptr', 'i32'], returns: 'i32' },
    clock_getcpuclockid: { args: ['i32', 'ptr'], returns: 'i32' },
    clock_gettime: { args: ['i32', 'ptr'], returns: 'i32' },
  }),
)?.symbols;

/**
 * It is in the environment of every watchdog, which ends by itself and must be adopted by no child.
 * A variable tells it, as a test file may meet the watchdog of the file that ran before it.
 */
export const WATCHDOG_VARIABLE = 'TRACETAX_WATCHDOG';

/** A process as the kernel shows it. CPU times are in steps of 10 ms. */
export interface Process {
  pid: number;
  name: string;
  /** Whether it has ended, and nobody has waited for it yet. */
  hasEnded: boolean;
  parent: number;
  /** The number of its process group. */
  group: number;
  session: number;
  /** User time, with that of its ended children for which it waited. */
  userNs: number;
  /** System time, with that of its ended children for which it waited. */
  systemNs: number;
  /** User and system time of its ended children for which it waited. */
  endedChildrenNs: number;
  /** Its number and its start: numbers are used again. */
  key: string;
}

/** Returns a process by its line of /proc/PID/stat (proc_pid_stat(5)). */
export function parseProcStat(pid: number, stat: string): Process {
  // The second field, the name, may hold spaces and parentheses: the third field follows the last
  // one.
  const nameEnd = stat.lastIndexOf(')');
  const fields = stat.slice(nameEnd + 2).split(' ');
  const ns = (field: number) => Number(fields[field]) * NS_PER_TICK;
  return {
    pid,
    name: stat.slice(stat.indexOf('(') + 1, nameEnd),
    hasEnded: fields[0] === 'Z' || fields[0] === 'X',
    parent: Number(fields[1]),
    group: Number(fields[2]),
    session: Number(fields[3]),
    userNs: ns(11) + ns(13),
    systemNs: ns(12) + ns(14),
    endedChildrenNs: ns(13) + ns(14),
    key: `${pid} ${fields[19]}`,
  };
}

/** Returns all processes of this machine by number; none without /proc. */
export function processes(): Map<number, Process> {
  const pids = namesIn('/proc').map(Number).filter(Number.isInteger);
  const all = new Map<number, Process>();
  for (const pid of pids) {
    const stat = readText(`/proc/${pid}/stat`);
    // A process may have ended just now.
    if (stat !== undefined) all.set(pid, parseProcStat(pid, stat));
  }
  return all;
}

/** What is known of a child of the harness, whose processes are followed. */
interface Followed {
  /** What the environment of all that it starts holds. */
  marker: string;
  /**
   * Keys of processes that were seen to be its own: a process may lose all else that ties it to the
   * child.
   */
  seen: Set<string>;
}

const followed = new Map<number, Followed>();

/**
 * Keeps account of a child's processes. Orphans among them come to the harness from now on
 * (prctl(2)).
 */
export function follow(child: number, marker: string): void {
  libc?.prctl(PR_SET_CHILD_SUBREAPER, 1);
  followed.set(child, { marker, seen: new Set() });
}

export function unfollow(child: number): void {
  followed.delete(child);
}

/**
 * Returns all processes of a child, also those that left its session. Ended ones are among them
 * until somebody waits for them.
 */
export function membersOf(child: number): Process[] {
  return processesByChild().get(child) ?? [];
}

/** Returns the members that run. Those that ended, and came to the harness, are gone then. */
export function livingOf(child: number): Process[] {
  return membersOf(child).filter((member) => {
    if (!member.hasEnded) return true;
    const isOurs = member.parent === process.pid && member.pid !== child;
    // While threads of a process that ends still run, nobody can wait for it.
    return isOurs && libc?.waitpid(member.pid, null, WNOHANG) === 0;
  });
}

/**
 * Makes those orphans members of the child that nothing ties to any child: they left its session,
 * and have another environment. Returns them, without those that ended and used no time.
 */
export function adopt(child: number): Process[] {
  const ownerless = processesByChild().get(undefined) ?? [];
  const harness = ownerless.find(({ pid }) => pid === process.pid);
  const orphans = ownerless.filter(
    ({ pid, parent, session }) =>
      parent === process.pid && session !== harness?.session && !isWatchdog(pid),
  );
  for (const { key } of orphans) followed.get(child)?.seen.add(key);
  return orphans.filter(({ hasEnded, userNs, systemNs }) => !hasEnded || userNs + systemNs > 0);
}

function isWatchdog(pid: number): boolean {
  const environ = readText(`/proc/${pid}/environ`) ?? '';
  return environ.split('\0').some((variable) => variable.startsWith(`${WATCHDOG_VARIABLE}=`));
}

/**
 * Returns all processes by the number of the child whose they are; undefined stands for those of no
 * child.
 */
function processesByChild(): Map<number | undefined, Process[]> {
  const all = processes();
  const owners = new Map<number, number | undefined>([[process.pid, undefined]]);

  /**
   * A process is of the child in whose session it is, else of its parent's, else of the one that
   * its environment names.
   */
  function ownerOf({ pid, parent, session, key }: Process): number | undefined {
    if (owners.has(pid)) return owners.get(pid);
    const above = all.get(parent);
    const ofParent = above && ownerOf(above);
    const owner = followed.has(session) ? session : (ofParent ?? rememberedOwner(pid, key));
    owners.set(pid, owner);
    if (owner !== undefined) followed.get(owner)?.seen.add(key);
    return owner;
  }

  return Map.groupBy(all.values(), ownerOf);
}

/** Returns the child to which a process belonged before, or that its environment names. */
function rememberedOwner(pid: number, key: string): number | undefined {
  const environ = readText(`/proc/${pid}/environ`) ?? '';
  for (const [child, { marker, seen }] of followed) {
    if (seen.has(key) || environ.includes(marker)) return child;
  }
  return undefined;
}
