import { expect, test } from 'bun:test';
import { fakeGroups, type GroupFiles } from '../testing/control-groups.ts';
import { writerOf } from '../testing/folder.ts';
import { limitedMemory, memoryLimitBytes, watchOutOfMemory } from './memory-limit.ts';

const { version1, version2 } = fakeGroups();
const MACHINE = 1_000;

test.each([
  ['version 2', version2, { '/a': { 'memory.max': '300' } }, 300],
  ['version 2', version2, { '/a': { 'memory.max': 'max' } }, null],
  ['version 1', version1, { '/a': { 'memory.limit_in_bytes': '300' } }, 300],
  ['version 1', version1, { '/a': { 'memory.limit_in_bytes': '9223372036854771712' } }, null],
  ['around it', version2, { '/': { 'memory.max': '200' }, '/a': { 'memory.max': '300' } }, 200],
  ['none', version2, {}, null],
] as [string, typeof version1, GroupFiles, number | null][])(
  'the memory that a container may use, if it is less than all: %s %j',
  (_, groups, files, bytes) => {
    expect(memoryLimitBytes(['self'], groups('/a', files), MACHINE)).toBe(bytes);
  },
);

test.each([
  ['version 2', version2, { 'memory.max': '300', 'memory.stat': 'anon 200\nfile 90' }],
  [
    'version 1',
    version1,
    { 'memory.limit_in_bytes': '300', 'memory.stat': 'rss 1\ntotal_rss 200\ntotal_cache 90' },
  ],
])('what is taken does not count files that can be read again: %s', (_, groups, files) => {
  const root = groups('/a', { '/a': files });
  expect(limitedMemory(['self'], root, MACHINE)).toEqual({ limitBytes: 300, takenBytes: 200 });
});

test.each([
  ['version 2', version2, 'memory.events', 'sys/fs/cgroup/a'],
  ['version 1', version1, 'memory.oom_control', 'sys/fs/cgroup/memory/a'],
])('a kill for lack of memory is seen: %s', (_, groups, file, folder) => {
  const root = groups('/a', { '/a': { [file]: 'oom_kill 1' } });
  const isOutOfMemory = watchOutOfMemory(['self'], root);
  expect(isOutOfMemory()).toBe(false);
  writerOf(root)(`${folder}/${file}`, 'under_oom 0\noom_kill 2\n');
  expect(isOutOfMemory()).toBe(true);
});

test('without control groups nothing is limited', () => {
  expect(memoryLimitBytes(['self'], '/nowhere')).toBeNull();
  expect(limitedMemory(['self'], '/nowhere')).toBeNull();
  expect(watchOutOfMemory(['self'], '/nowhere')()).toBe(false);
});
