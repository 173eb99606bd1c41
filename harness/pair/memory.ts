import { sum } from 'simple-statistics';
import { groupMembers } from '../machine/processes.ts';
import { readText } from '../machine/read.ts';

/**
 * Memory of all processes of a group, in bytes; null if nothing tells. Pages that several processes share count once: the
 * proportional set size of each (kernel.org, filesystems/proc, smaps_rollup).
 */
export function memoryBytes(groupId: number): number | null {
  const sizes = groupMembers(groupId).flatMap(({ pid }) => {
    const kibibytes = /^Pss:\s+(\d+) kB/m.exec(readText(`/proc/${pid}/smaps_rollup`) ?? '')?.[1];
    return kibibytes === undefined ? [] : [Number(kibibytes) * 1024];
  });
  return sizes.length > 0 ? sum(sizes) : null;
}
