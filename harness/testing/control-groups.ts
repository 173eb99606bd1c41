// Folders that look like /proc and /sys of a container, of either version of control groups.
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { testFolder, type WriteFile, writerOf } from './folder.ts';

/** The files of control groups, by the path of a group and the name of a file. */
export type GroupFiles = Record<string, Record<string, string>>;

/** What a process sees in place of the usual layout. */
export interface FakeView {
  /** The lines of /proc/self/mountinfo; without the file if left out. */
  mounts?: string[];
  /** The lines of /proc/PID/cgroup of other processes. */
  others?: Record<number, string>;
}

/**
 * Returns what makes a new folder with control groups of version 2, and a process in one of them.
 */
export function fakeGroups(): {
  version1: (group: string, files: GroupFiles, view?: FakeView) => string;
  version2: (group: string, files: GroupFiles, view?: FakeView) => string;
} {
  const parent = testFolder('tracetax-groups-');
  const newRoot = () => mkdtempSync(join(parent.folder, 'root-'));
  return {
    version1(group, files, view = {}) {
      const root = newRoot();
      const write = writerOf(root);
      writeProcess(write, `5:cpu,cpuacct:${group}\n4:memory:${group}\n0::/\n`, view);
      for (const controller of ['cpu', 'memory'])
        writeFiles(write, `sys/fs/cgroup/${controller}`, files);
      return root;
    },
    version2(group, files, view = {}) {
      const root = newRoot();
      const write = writerOf(root);
      writeProcess(write, `0::${group}\n`, view);
      writeFiles(write, 'sys/fs/cgroup', files);
      return root;
    },
  };
}

function writeProcess(write: WriteFile, lines: string, { mounts, others = {} }: FakeView): void {
  write('proc/self/cgroup', lines);
  if (mounts) write('proc/self/mountinfo', `${mounts.join('\n')}\n`);
  for (const [pid, line] of Object.entries(others)) write(`proc/${pid}/cgroup`, `${line}\n`);
}

function writeFiles(write: WriteFile, folder: string, files: GroupFiles): void {
  for (const [group, ofGroup] of Object.entries(files))
    for (const [name, content] of Object.entries(ofGroup))
      write(join(folder, group, name), `${content}\n`);
}
