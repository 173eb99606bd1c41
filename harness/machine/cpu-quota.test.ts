import { expect, test } from 'bun:test';
import { mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Child } from '../processes/child.ts';
import { fakeGroups, type GroupFiles } from '../testing/control-groups.ts';
import { writerOf } from '../testing/folder.ts';
import { orUndefined } from '../words/errors.ts';
import { quotaCores, watchThrottling } from './cpu-quota.ts';

const { version1, version2 } = fakeGroups();

test.each([
  ['version 2', version2, { '/a': { 'cpu.max': '250000 100000' } }, 2.5],
  ['version 2', version2, { '/a': { 'cpu.max': 'max 100000' } }, Number.POSITIVE_INFINITY],
  [
    'version 1',
    version1,
    { '/a': { 'cpu.cfs_quota_us': '75000', 'cpu.cfs_period_us': '50000' } },
    1.5,
  ],
  [
    'version 1',
    version1,
    { '/a': { 'cpu.cfs_quota_us': '-1', 'cpu.cfs_period_us': '100000' } },
    Number.POSITIVE_INFINITY,
  ],
  [
    'the smallest of the groups around it',
    version2,
    { '/': { 'cpu.max': '60000 100000' }, '/a': { 'cpu.max': '150000 100000' } },
    0.6,
  ],
  ['no files', version2, {}, Number.POSITIVE_INFINITY],
] as [string, typeof version1, GroupFiles, number][])(
  'the quota of a container, in cores: %s %j',
  (_, groups, files, cores) => {
    expect(quotaCores(groups('/a', files))).toBe(cores);
  },
);

test('without control groups there is no quota', () => {
  expect(quotaCores('/nowhere')).toBe(Number.POSITIVE_INFINITY);
  expect(watchThrottling(['self'], '/nowhere')()).toBeNull();
});

const STAT = (periods: number, stopped: number, time: string) =>
  `nr_periods ${periods}\nnr_throttled ${stopped}\n${time}`;

test.each([
  [
    'version 1, in ns',
    version1('/a', {
      '/a': {
        'cpu.cfs_quota_us': '60000',
        'cpu.cfs_period_us': '100000',
        'cpu.stat': STAT(10, 5, 'throttled_time 2000000'),
      },
    }),
    'sys/fs/cgroup/cpu/a/cpu.stat',
    'throttled_time 9000000',
  ],
  [
    'version 2, in µs',
    version2('/a', {
      '/a': { 'cpu.max': '60000 100000', 'cpu.stat': STAT(10, 5, 'throttled_usec 2000') },
    }),
    'sys/fs/cgroup/a/cpu.stat',
    'throttled_usec 9000',
  ],
])(
  'periods in which a container was stopped are counted from now on: %s',
  (_, root, file, time) => {
    const since = watchThrottling(['self'], root);
    const quota = { quotaCores: 0.6 };
    expect(since()).toEqual({ ...quota, periods: 0, stoppedPeriods: 0, stoppedNs: 0 });
    writerOf(root)(file, STAT(287, 263, time));
    expect(since()).toEqual({ ...quota, periods: 277, stoppedPeriods: 258, stoppedNs: 7e6 });
  },
);

test('of several quotas the one that stopped the processes is told', () => {
  const limited = (stopped: number) => ({
    'cpu.max': '100000 100000',
    'cpu.stat': STAT(10, stopped, `throttled_usec ${stopped * 1e3}`),
  });
  const outer = { ...limited(0), 'cpu.max': '150000 100000' };
  const root = version2('/out/in', { '/out': outer, '/out/in': limited(0) });
  const since = watchThrottling(['self'], root);
  expect(since()).toMatchObject({ quotaCores: 1, stoppedPeriods: 0 });
  writerOf(root)('sys/fs/cgroup/out/cpu.stat', STAT(20, 9, 'throttled_usec 9000'));
  expect(since()).toMatchObject({ quotaCores: 1.5, stoppedPeriods: 9, stoppedNs: 9e6 });
});

/** A control group of version 1 with a tenth of a core; undefined if this machine lets nobody. */
const group = orUndefined(() => {
  const folder = `/sys/fs/cgroup/cpu/tracetax-test-${process.pid}`;
  mkdirSync(folder);
  writeFileSync(join(folder, 'cpu.cfs_quota_us'), '10000');
  return folder;
});

test.skipIf(group === undefined)(
  'a process of this machine that has used up its quota',
  async () => {
    const folder = group as string;
    try {
      const burn = `echo $$ >${folder}/cgroup.procs; echo in; while :; do :; done`;
      await using child = new Child(['sh', '-c', burn]);
      while (!child.output.stdout().includes('in')) await Bun.sleep(5);
      const since = watchThrottling(['self', child.pid]);
      while ((since()?.stoppedPeriods ?? 0) < 2) await Bun.sleep(5);
      expect(since()).toMatchObject({ quotaCores: 0.1 });
      expect(since()?.stoppedNs).toBeGreaterThan(0);
    } finally {
      rmdirSync(folder);
    }
  },
);
