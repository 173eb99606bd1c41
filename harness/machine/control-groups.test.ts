import { expect, test } from 'bun:test';
import { fakeGroups } from '../testing/control-groups.ts';
import { groupFolders, groupFoldersOfAll } from './control-groups.ts';

const { version1, version2 } = fakeGroups();

const V1_MOUNTS = (rootGroup: string) => [
  '30 23 0:27 / /proc rw - proc proc rw',
  `32 31 0:29 ${rootGroup} /sys/fs/cgroup/cpu,cpuacct ro,relatime - cgroup cgroup rw,cpu,cpuacct`,
  `35 31 0:32 ${rootGroup} /sys/fs/cgroup/memory ro,relatime - cgroup cgroup rw,memory`,
  '41 31 0:38 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw',
];
const V2_MOUNT = (rootGroup: string) => [
  `40 30 0:26 ${rootGroup} /sys/fs/cgroup ro,nosuid - cgroup2 cgroup rw,nsdelegate`,
];

const folders = (root: string, controller: 'cpu' | 'memory' = 'cpu') =>
  groupFolders(controller, 'self', root).map((folder) => folder.slice(root.length));

test.each([
  ['on a machine', '/a/b', V2_MOUNT('/'), ['/a/b', '/a', '/']],
  ['in a container that sees its group as the root', '/', V2_MOUNT('/'), ['/']],
  ['in a container that is told its path', '/docker/1', V2_MOUNT('/docker/1'), ['/']],
  ['in a group within such a container', '/docker/1/in', V2_MOUNT('/docker/1'), ['/in', '/']],
  ['in a group outside of what is seen', '/../other', V2_MOUNT('/'), ['/']],
  ['of a neighbour whose name begins alike', '/docker/12', V2_MOUNT('/docker/1'), ['/']],
])('version 2: the groups of a process %s, its own first', (_, group, mounts, expected) => {
  const root = version2(group, {}, { mounts });
  expect(folders(root)).toEqual(
    expected.map((name) => `/sys/fs/cgroup${name === '/' ? '' : name}`),
  );
});

test.each([
  ['on a machine', '/', ['/a', '']],
  ['in a container that is told its path', '/a', ['']],
])('version 1: each controller has its own mount, %s', (_, rootGroup, expected) => {
  const root = version1('/a', {}, { mounts: V1_MOUNTS(rootGroup) });
  const below = (folder: string) => expected.map((name) => `/sys/fs/cgroup/${folder}${name}`);
  expect(folders(root, 'cpu')).toEqual(below('cpu,cpuacct'));
  expect(folders(root, 'memory')).toEqual(below('memory'));
});

test('where mounts are hidden, the usual layout is looked at', () => {
  expect(folders(version1('/a', {}))).toEqual(['/sys/fs/cgroup/cpu/a', '/sys/fs/cgroup/cpu']);
  expect(folders(version2('/a', {}))).toEqual(['/sys/fs/cgroup/a', '/sys/fs/cgroup']);
});

test('a server may have been put into a group of its own, and one that is gone has none', () => {
  const root = version2('/', {}, { mounts: V2_MOUNT('/'), others: { 7: '0::/server' } });
  const found = groupFoldersOfAll('cpu', ['self', 7, 8], root);
  expect(found.map((folder) => folder.slice(root.length))).toEqual([
    '/sys/fs/cgroup',
    '/sys/fs/cgroup/server',
  ]);
});
