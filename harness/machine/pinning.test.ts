import { expect, test } from 'bun:test';
import { parseCpuList, pinned, planPinning } from './pinning.ts';

test('lists of cores as the kernel prints them', () => {
  expect(parseCpuList('0-3,8')).toEqual([0, 1, 2, 3, 8]);
  expect(parseCpuList('5')).toEqual([5]);
  expect(parseCpuList('')).toEqual([]);
});

test('a pinned command goes through taskset, an unpinned one is as it was', () => {
  expect(pinned(['bun', 'x.ts'], '0')).toEqual(['taskset', '-c', '0', 'bun', 'x.ts']);
  expect(pinned(['bun', 'x.ts'], undefined)).toEqual(['bun', 'x.ts']);
});

test('switched off is said, and server and load tool never share a core', () => {
  expect(planPinning(false)).toEqual({ missing: 'switched off with --no-pin' });
  const plan = planPinning(true);
  if ('missing' in plan) return;
  expect(parseCpuList(plan.toolCores)).not.toContain(Number(plan.serverCore));
  expect(parseCpuList(plan.toolCores).length).toBe(plan.toolCoreCount);
});
