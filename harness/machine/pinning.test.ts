import { expect, test } from 'bun:test';
import { parseCpuList, pinned, pinnedLoad, planPinning, shared } from './pinning.ts';

test('lists of cores as the kernel prints them', () => {
  expect(parseCpuList('0-3,8')).toEqual([0, 1, 2, 3, 8]);
  expect(parseCpuList('5')).toEqual([5]);
  expect(parseCpuList('')).toEqual([]);
});

test('a pinned command goes through taskset, an unpinned one is as it was', () => {
  expect(pinned(['bun', 'x.ts'], '0')).toEqual(['taskset', '-c', '0', 'bun', 'x.ts']);
  expect(pinned(['bun', 'x.ts'], undefined)).toEqual(['bun', 'x.ts']);
});

test('load tools run as batch jobs, so that they do not interrupt each other', () => {
  const pinning = { serverCore: '0', toolCores: '1-3', toolCoreCount: 3, sinkCore: null };
  expect(pinnedLoad(['wrk', '-c', '50'], pinning).join(' ')).toBe('taskset -c 1-3 chrt -b 0 wrk -c 50');
  expect(pinnedLoad(['wrk'], undefined)).toEqual(['wrk']);
});

test('switched off is said, and server and load tool never share a core', () => {
  expect(planPinning(false)).toEqual({ missing: 'switched off with --no-pin' });
  const plan = planPinning(true);
  if ('missing' in plan) return;
  expect(parseCpuList(plan.toolCores)).not.toContain(Number(plan.serverCore));
  expect(parseCpuList(plan.toolCores).length).toBe(plan.toolCoreCount);
});

test('a sink has a core of its own if the load tool keeps one', () => {
  expect(shared([1], true)).toEqual({ toolCores: '1', toolCoreCount: 1, sinkCore: null });
  expect(shared([1, 2], true)).toEqual({ toolCores: '1', toolCoreCount: 1, sinkCore: '2' });
  expect(shared([1, 2, 3], true)).toEqual({ toolCores: '1,2', toolCoreCount: 2, sinkCore: '3' });
  expect(shared([1, 2, 3], false)).toEqual({ toolCores: '1,2,3', toolCoreCount: 3, sinkCore: null });
});
