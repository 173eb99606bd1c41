import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** USER_HZ, in which Linux counts time for user space on every platform that Bun runs on. */
const NS_PER_TICK = 1e7;

export interface Process {
  pid: number;
  groupId: number;
  /** CPU time of its children that have ended and that it waited for, in steps of 10 ms; null if nothing tells. */
  endedChildrenNs: number | null;
}

/** The processes of a group; empty if it has ended. */
export function groupMembers(groupId: number): Process[] {
  return processes().filter((process) => process.groupId === groupId);
}

/** The group of a process; undefined if it has ended. */
export function groupOf(pid: number): number | undefined {
  return processes().find((process) => process.pid === pid)?.groupId;
}

function processes(): Process[] {
  return existsSync('/proc/self/stat') ? fromProc() : fromPs();
}

function fromProc(): Process[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => {
    try {
      return [parseProcStat(Number(pid), readFileSync(`/proc/${pid}/stat`, 'utf8'))];
    } catch {
      // It has ended meanwhile.
      return [];
    }
  });
}

/** Group, and cutime and cstime, of a /proc/PID/stat line (proc_pid_stat(5)). */
export function parseProcStat(pid: number, stat: string): Process {
  // The second field, the name, may hold spaces and parentheses: the third field follows the last one.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[13]) + Number(fields[14]);
  return { pid, groupId: Number(fields[2]), endedChildrenNs: ticks * NS_PER_TICK };
}

function fromPs(): Process[] {
  if (!Bun.which('ps')) return [];
  const listing = Bun.spawnSync(['ps', '-A', '-o', 'pid=,pgid=']).stdout.toString();
  return listing
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [pid = Number.NaN, groupId = Number.NaN] = line.trim().split(/\s+/).map(Number);
      return { pid, groupId, endedChildrenNs: null };
    });
}
