/** The processes of a group, by number; empty where it has ended. */
export function groupMembers(groupId: number): number[] {
  return processes()
    .filter((process) => process.groupId === groupId)
    .map(({ pid }) => pid);
}

/** The group of a process; undefined where it has ended. */
export function groupOf(pid: number): number | undefined {
  return processes().find((process) => process.pid === pid)?.groupId;
}

function processes(): { pid: number; groupId: number }[] {
  const listing = Bun.spawnSync(['ps', '-A', '-o', 'pid=,pgid=']).stdout.toString();
  return listing.split('\n').map((line) => {
    const [pid = Number.NaN, groupId = Number.NaN] = line.trim().split(/\s+/).map(Number);
    return { pid, groupId };
  });
}
