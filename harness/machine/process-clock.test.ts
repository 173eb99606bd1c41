import { describe, expect, test } from 'bun:test';
import { Child } from '../processes/child.ts';
import { cpuBetween, processNs, readTree } from './process-clock.ts';

const ownNs = () => Number(processNs(process.pid));

test('the time that this process burns is what its clock advances by, in ns', () => {
  const before = ownNs();
  const usageBefore = process.cpuUsage();
  while (process.cpuUsage(usageBefore).user + process.cpuUsage(usageBefore).system < 200_000)
    Math.sqrt(2);
  expect((ownNs() - before) / 1e6).toBeWithin(180, 400);
  const reads = Array.from({ length: 10 }, () => ownNs());
  expect(new Set(reads).size).toBe(10);
  expect(processNs(2 ** 22 + 1)).toBeUndefined();
});

test('goes on telling the time after many reads, when the reading is compiled', () => {
  for (let reads = 0; reads < 100_000; reads++) ownNs();
  const before = ownNs();
  for (let reads = 0; reads < 10_000; reads++) ownNs();
  expect(ownNs()).toBeGreaterThan(before);
});

describe('CPU time of a group', () => {
  const at = (times: Record<number, number>, firstEndedNs = 0) =>
    new Map(
      Object.entries(times).map(([pid, ns]) => [
        Number(pid),
        { name: 'node', ns, endedChildrenNs: pid === '1' ? firstEndedNs : 0 },
      ]),
    );

  test.each([
    [
      'of its processes; one that started in between counts from zero',
      at({ 1: 100 }),
      at({ 1: 150, 2: 30 }),
      80,
    ],
    [
      'of a helper that ended, through its parent',
      at({ 1: 100, 2: 500e6 }),
      at({ 1: 150 }, 700e6),
      50 + 200e6,
    ],
    ['never negative by rounding to ticks', at({ 1: 100, 2: 509e6 }), at({ 1: 150 }, 500e6), 50],
  ])('%s', (_, before, after, ns) => {
    expect(cpuBetween(before, after)).toEqual({ ns });
  });

  test('that is lost; who had it is named', () => {
    expect(cpuBetween(at({ 1: 100, 2: 500e6 }), at({ 1: 150 }))).toEqual({
      lost: 'node (process 2)',
    });
  });

  test('of a real shell whose helper burns CPU time and ends', async () => {
    const burn = 'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done';
    await using shell = new Child(['sh', '-c', `sleep 0.2; (${burn}); echo done; read x`], {
      stdin: 'pipe',
    });
    const before = readTree(shell.pid);
    while (!shell.output.stdout().includes('done')) await Bun.sleep(5);
    expect(cpuBetween(before, readTree(shell.pid)).ns).toBeGreaterThan(20e6);
  });
});
