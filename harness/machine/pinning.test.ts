import { expect, test } from 'bun:test';
import {
  type Pinning,
  parseCpuList,
  pinned,
  pinnedLoad,
  planPinning,
  quotaCores,
  shareCores,
} from './pinning.ts';

test.each([
  ['0-3,8', [0, 1, 2, 3, 8]],
  ['5', [5]],
  ['', []],
])('cores as the kernel lists them: "%s"', (list, cores) => {
  expect(parseCpuList(list)).toEqual(cores);
});

test('a pinned command goes through taskset, and a load tool is a batch job', () => {
  const pinning: Pinning = {
    serverCore: '0',
    toolCores: '1-3',
    toolCoreCount: 3,
    sinkCore: null,
  };
  expect(pinned(['bun', 'x.ts'], '0').join(' ')).toBe('taskset -c 0 bun x.ts');
  expect(pinnedLoad(['wrk', '-c', '50'], pinning).join(' ')).toBe(
    'taskset -c 1-3 chrt -b 0 wrk -c 50',
  );
  for (const argv of [pinned(['wrk'], undefined), pinnedLoad(['wrk'], undefined)])
    expect(argv).toEqual(['wrk']);
});

test('who switches pinning off is told so', () => {
  expect(planPinning(false)).toEqual({ missing: 'switched off with --no-pin' });
});

const planned = planPinning(true);
test.skipIf('missing' in planned)('server and load tool never share a core', () => {
  const { serverCore, toolCores, toolCoreCount } = planned as Pinning;
  expect(parseCpuList(toolCores)).not.toContain(Number(serverCore));
  expect(parseCpuList(toolCores).length).toBe(toolCoreCount);
});

test.each([
  [[1], true, '1', null],
  [[1, 2], true, '1', '2'],
  [[1, 2, 3], true, '1,2', '3'],
  [[1, 2, 3], false, '1,2,3', null],
])(
  'a sink has a core of its own if the load tool keeps one: %p, %p',
  (cores, hasSink, toolCores, sinkCore) => {
    expect(shareCores(cores, hasSink)).toMatchObject({ toolCores, sinkCore });
  },
);

test.each([
  [{ 'cpu.max': '250000 100000\n' }, 2.5],
  [{ 'cpu.max': 'max 100000\n' }, Number.POSITIVE_INFINITY],
  [{ 'cpu/cpu.cfs_quota_us': '150000\n', 'cpu/cpu.cfs_period_us': '100000\n' }, 1.5],
  [
    { 'cpu/cpu.cfs_quota_us': '-1\n', 'cpu/cpu.cfs_period_us': '100000\n' },
    Number.POSITIVE_INFINITY,
  ],
  [{}, Number.POSITIVE_INFINITY],
])('the quota of a container, in cores: %p', (files: Record<string, string>, cores) => {
  expect(quotaCores((name) => files[name])).toBe(cores);
});
