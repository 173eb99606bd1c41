import { expect, test } from 'bun:test';
import {
  coresIfFewer,
  type Pinning,
  parseCpuList,
  pinned,
  pinnedLoad,
  planPinning,
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
  expect(planPinning(false)).toEqual({
    missing: 'switched off with --no-pin',
    reason: 'switched-off',
  });
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

const MACHINE = {
  allowed: '0-7',
  coreCount: 8,
  quotaCores: Number.POSITIVE_INFINITY,
  hasProgram: () => true,
};

test.each([
  [{ allowed: '2,5-6' }, '2', '5,6'],
  [{ allowed: '2,5-6', quotaCores: 2 }, '2', '5'],
  [{ allowed: '2,5-6', quotaCores: 3.5 }, '2', '5,6'],
  // The two have a core each, though the kernel stops them.
  [{ allowed: '2,5-6', quotaCores: 0.6 }, '2', '5'],
])(
  'only cores that a container may use are pinned to, and no more than its quota: %j',
  (limits, serverCore, toolCores) => {
    expect(planPinning(true, false, { ...MACHINE, ...limits })).toMatchObject({
      serverCore,
      toolCores,
    });
  },
);

test.each([
  [{ allowed: '3' }, { missing: 'of 8 cores only core 3 may be used', reason: 'cpuset' }],
  [
    { allowed: '0', coreCount: 1 },
    { missing: 'there is one core only', reason: 'one-core' },
  ],
  [
    { hasProgram: (name: string) => name !== 'chrt' },
    { missing: 'chrt (util-linux) is not installed', reason: 'not-installed' },
  ],
] as const)('why nothing can be pinned: %j', (machine, expected) => {
  expect(planPinning(true, false, { ...MACHINE, ...machine })).toEqual(expected);
});

test.each([
  ['0-1', 2, null],
  ['0-1', 8, '0-1'],
  ['', 8, null],
])(
  'cores are named if they are fewer than the machine has: "%s" of %i',
  (allowed, count, cores) => {
    expect(coresIfFewer(allowed, count)).toBe(cores);
  },
);
