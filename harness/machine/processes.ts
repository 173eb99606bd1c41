import { namesIn, readText } from './read.ts';

/** USER_HZ, in which Linux counts time for user space: 100 a second on every platform that Bun runs on. */
export const NS_PER_TICK = 1e7;

export type Process = ReturnType<typeof parseProcStat>;

/** All processes of this machine; none without /proc. */
export function processes(): Process[] {
  const pids = namesIn('/proc').map(Number).filter(Number.isInteger);
  return pids.flatMap((pid) => {
    const stat = readText(`/proc/${pid}/stat`);
    return stat === undefined ? [] : [parseProcStat(pid, stat)];
  });
}

/** The processes of a group; empty if it has ended. */
export function groupMembers(groupId: number): Process[] {
  return processes().filter((process) => process.groupId === groupId);
}

/** A process, its group, and the CPU time of its ended children, by a /proc/PID/stat line (proc_pid_stat(5)). */
export function parseProcStat(pid: number, stat: string) {
  // The second field, the name, may hold spaces and parentheses: the third field follows the last one.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[13]) + Number(fields[14]);
  // Of those that it waited for (cutime and cstime), in steps of 10 ms.
  const endedChildrenNs = ticks * NS_PER_TICK;
  return { pid, groupId: Number(fields[2]), endedChildrenNs };
}
