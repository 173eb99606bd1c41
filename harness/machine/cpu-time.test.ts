import { describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Child } from '../processes/child.ts';
import { temporaryFolder } from '../processes/watchdog.ts';
import {
  compilerNsBetween,
  cpuTimeBetween,
  processNs,
  readGroup,
  readThreads,
  timeOf,
} from './cpu-time.ts';

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
    expect(cpuTimeBetween(before, after)).toEqual({ ns });
  });

  test('that is lost; who had it is named', () => {
    expect(cpuTimeBetween(at({ 1: 100, 2: 500e6 }), at({ 1: 150 }))).toEqual({
      lost: 'node (process 2)',
    });
  });

  test('of a real shell whose helper burns CPU time and ends', async () => {
    const burn = 'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done';
    await using shell = new Child(['sh', '-c', `sleep 0.2; (${burn}); echo done; read x`], {
      stdin: 'pipe',
    });
    const before = readGroup(shell.pid);
    while (!shell.stdout().includes('done')) await Bun.sleep(5);
    expect(cpuTimeBetween(before, readGroup(shell.pid)).ns).toBeGreaterThan(20e6);
  });
});

test('a process that compiles shows it, and one that is not there tells nothing', async () => {
  const script = join(temporaryFolder(), 'hot.js');
  writeFileSync(
    script,
    `const make = (n) => new Function('x', 'let s = x; for (let i = 0; i < 99; i++) s = (s * 31 + i + ' + n + ') | 0; return s');
     setInterval(() => { const f = make(Math.random()); for (let i = 0; i < 20000; i++) f(i); }, 1);`,
  );
  await using child = new Child([process.execPath, script]);
  const deadline = performance.now() + 4_000;
  const usedNs = () => compilerNsBetween(new Map(), readThreads(child.pid)) ?? 0;
  while (usedNs() < 1e6 && performance.now() < deadline) await Bun.sleep(50);
  expect(usedNs()).toBeGreaterThanOrEqual(1e6);
  expect(readThreads(2 ** 22 + 1).size).toBe(0);
});

test('a thread that is new counts from zero; one that ended is left out, and so are those that do not compile', () => {
  const times = (...of: [number, string, number][]) =>
    new Map(of.map(([thread, name, ns]) => [thread, { name, ns, waitedNs: 0 }]));
  const before = times([1, 'JITWorker', 5], [2, 'JITWorker', 7]);
  const after = times(
    [1, 'JITWorker', 8],
    [3, 'V8Worker', 2],
    [4, 'bun', 9],
    [5, 'JSCWarmUp', 9],
    [6, 'C2 CompilerThre', 4],
  );
  expect(compilerNsBetween(before, after)).toBe(7);
});

// user nice system idle iowait irq softirq steal guest guest_nice, in 1/100 s (proc_stat(5)).
const STAT = `cpu  9 9 9 9 9 9 9 9 0 0
cpu0 100 20 300 5000 7 1 4 50 0 0
cpu1 1 0 0 0 0 0 0 2 0 0
cpu10 7 0 0 0 0 0 0 0 0 0
intr 1`;

test('ticks become ns; waiting is not busy, and steal is counted apart', () => {
  expect(timeOf(STAT, '0')).toEqual({ busyNs: 4.25e9, stealNs: 5e8 });
});

test('the cores of a list together, and no other that begins alike', () => {
  expect(timeOf(STAT, '0-1')).toEqual({ busyNs: 4.26e9, stealNs: 5.2e8 });
  expect(timeOf(STAT, '1')).toEqual({ busyNs: 1e7, stealNs: 2e7 });
});
