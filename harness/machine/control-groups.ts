import { join } from 'node:path';
import { readText } from '../words/files.ts';

/*
 * Where the kernel keeps what it allows a container, and what came of that: the folders of its
 * control groups (cgroups(7)), of version 1 and 2.
 */

/** What a control group limits. */
export type Controller = 'cpu' | 'memory';

/** A file system of control groups. */
interface Mount {
  version: 1 | 2;
  /** The group that is seen at the mount point: that of a container, or the root of all. */
  rootGroup: string;
  point: string;
}

/**
 * Returns the folder of the control group that a process is in, and those of its ancestors up to
 * the outermost that can be seen. None without control groups.
 * @param root the folder in which /proc and /sys are looked for
 */
export function groupFolders(
  controller: Controller,
  pid: number | 'self' = 'self',
  root = '/',
): string[] {
  const mount = mountOf(controller, root);
  const group = mount && groupOf(controller, mount.version, pid, root);
  if (mount === undefined || group === undefined) return [];
  const names = groupBelow(group, mount.rootGroup);
  const top = join(root, mount.point);
  return names.map((_, depth) => join(top, ...names.slice(0, names.length - depth))).concat(top);
}

/** Returns the folders of the groups of all these processes, each once. */
export function groupFoldersOfAll(
  controller: Controller,
  pids: readonly (number | 'self')[],
  root = '/',
): string[] {
  return [...new Set(pids.flatMap((pid) => groupFolders(controller, pid, root)))];
}

/** Returns the numbers of a file such as `cpu.stat`, whose lines are a name and a number. */
export function readCounts(file: string): Partial<Record<string, number>> {
  const lines = (readText(file) ?? '').split('\n').map((line) => line.split(' '));
  return Object.fromEntries(lines.map(([name = '', value]) => [name, Number(value)]));
}

/** Returns where the controller is mounted: each is in one version alone. */
function mountOf(controller: Controller, root: string): Mount | undefined {
  const mounts = readText(join(root, 'proc/self/mountinfo'));
  if (mounts === undefined) return usualMount(controller, root);
  const all = mounts.split('\n').flatMap((line) => parseMount(line, controller) ?? []);
  return all.find(({ version }) => version === 1) ?? all.find(({ version }) => version === 2);
}

/** Where the usual layout has it, for a system that hides its mounts. */
function usualMount(controller: Controller, root: string): Mount {
  const isFirst = lineOf(controller, 1, 'self', root) !== undefined;
  return isFirst
    ? { version: 1, rootGroup: '/', point: `/sys/fs/cgroup/${controller}` }
    : { version: 2, rootGroup: '/', point: '/sys/fs/cgroup' };
}

/** Undefined for a mount without this controller (proc_pid_mountinfo(5)). */
function parseMount(line: string, controller: Controller): Mount | undefined {
  const [own = '', fileSystem = ''] = line.split(' - ');
  const [, , , rootGroup = '/', point = ''] = own.split(' ');
  const [type, , options = ''] = fileSystem.split(' ');
  if (type === 'cgroup2') return { version: 2, rootGroup, point };
  const isOfController = type === 'cgroup' && options.split(',').includes(controller);
  return isOfController ? { version: 1, rootGroup, point } : undefined;
}

/** Returns the path of a process's group; undefined if the process is gone. */
function groupOf(
  controller: Controller,
  version: Mount['version'],
  pid: number | 'self',
  root: string,
): string | undefined {
  return lineOf(controller, version, pid, root)?.replace(/^\d+:[^:]*:/, '');
}

/** Returns a line such as `1:cpu,cpuacct:/group`, or `0::/group` of version 2. */
function lineOf(
  controller: Controller,
  version: Mount['version'],
  pid: number | 'self',
  root: string,
): string | undefined {
  const lines = (readText(join(root, `proc/${pid}/cgroup`)) ?? '').split('\n');
  return lines.find((line) => {
    const [hierarchy, controllers = ''] = line.split(':');
    return version === 2 ? hierarchy === '0' : controllers.split(',').includes(controller);
  });
}

/**
 * Returns the names of the groups from the mount's own down to this one. None for a group that
 * stands outside of it, as where a container sees its group as the root, but not its path.
 */
function groupBelow(group: string, rootGroup: string): string[] {
  const isInside = rootGroup === '/' || `${group}/`.startsWith(`${rootGroup}/`);
  const below = isInside ? group.slice(rootGroup === '/' ? 0 : rootGroup.length) : '';
  const names = below.split('/').filter((name) => name !== '');
  return names.includes('..') ? [] : names;
}
