import { describe, expect, test } from 'bun:test';
import { Child } from './child.ts';
import { type CpuClock, cpuTimeBetween, endedBetween, openCpuClock, readGroup } from './cpu-time.ts';

/** Every system on which the tests run has one. */
const open = () => openCpuClock() as CpuClock;

test('the time that this process burns is what its clock advances by', () => {
  const clock = open();
  const before = clock.readNs(process.pid);
  const usageBefore = process.cpuUsage();
  while (process.cpuUsage(usageBefore).user + process.cpuUsage(usageBefore).system < 200_000) Math.sqrt(2);
  const usedNs = clock.readNs(process.pid) - before;
  expect(usedNs / 1e6).toBeGreaterThan(180);
  expect(usedNs / 1e6).toBeLessThan(400);
});

test('on Linux the clock has ns', () => {
  if (process.platform !== 'linux') return;
  const clock = open();
  expect(clock.name).toContain('ns');
  const reads = Array.from({ length: 10 }, () => clock.readNs(process.pid));
  expect(new Set(reads).size).toBe(10);
});

test('a process that is not there has no CPU time', () => {
  expect(() => open().readNs(2 ** 22 + 1)).toThrow();
});

test('goes on telling the time after many reads, when the reading is compiled', () => {
  const clock = open();
  const start = clock.readNs(process.pid);
  let reads = 0;
  for (; reads < 200_000 && (reads < 100_000 || clock.readNs(process.pid) === start); reads++)
    clock.readNs(process.pid);
  const before = clock.readNs(process.pid);
  for (let index = 0; index < 10_000; index++) clock.readNs(process.pid);
  expect(clock.readNs(process.pid)).toBeGreaterThan(before);
});

test('the first clock that works is taken, if there is one', () => {
  const broken = () => {
    throw new Error('not here');
  };
  const stuck = () => ({ name: 'stuck', readNs: () => 0 });
  const good = () => ({ name: 'good', readNs: () => 1 });
  expect(openCpuClock([broken, stuck, good])?.name).toBe('good');
  expect(openCpuClock([broken, stuck])).toBeUndefined();
});

describe('CPU time of a group', () => {
  const at = (ns: Record<number, number>, endedChildrenNs = 0) => ({
    ns: new Map(Object.entries(ns).map(([pid, each]) => [Number(pid), each])),
    names: new Map(Object.keys(ns).map((pid) => [Number(pid), 'node'])),
    endedChildrenNs,
  });

  test('adds up its processes; one that started in between counts from zero', () => {
    expect(cpuTimeBetween(at({ 1: 100 }), at({ 1: 150, 2: 30 }))).toBe(80);
  });

  test('a helper that ended is counted through its parent', () => {
    const before = at({ 1: 100, 2: 500e6 });
    expect(cpuTimeBetween(before, at({ 1: 150 }, 700e6))).toBe(50 + 200e6);
  });

  test('rounding to ticks never makes it negative', () => {
    expect(cpuTimeBetween(at({ 1: 100, 2: 509e6 }), at({ 1: 150 }, 500e6))).toBe(50);
  });

  test('lost time is told', () => {
    expect(cpuTimeBetween(at({ 1: 100, 2: 500e6 }), at({ 1: 150 }, 0))).toBeUndefined();
    expect(endedBetween(at({ 1: 100, 2: 500e6 }), at({ 1: 150 }, 0))).toEqual(['node (process 2)']);
    expect(cpuTimeBetween(at({ 1: 100, 2: 5 }, Number.NaN), at({ 1: 150 }, Number.NaN))).toBeUndefined();
    expect(cpuTimeBetween(at({ 1: 100 }, Number.NaN), at({ 1: 150 }, Number.NaN))).toBe(50);
  });

  test('of a real shell whose helper burns CPU time and ends', async () => {
    const burn = 'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done';
    const script = `sleep 0.2; (${burn}); echo done; read x`;
    await using shell = new Child(['sh', '-c', script], { stdin: 'pipe' });
    const clock = open();
    const before = readGroup(clock, shell.pid);
    while (!shell.stdout().includes('done')) await Bun.sleep(5);
    const usedNs = cpuTimeBetween(before, readGroup(clock, shell.pid)) ?? 0;
    expect(usedNs).toBeGreaterThan(20e6);
  });
});
