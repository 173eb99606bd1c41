import { expect, test } from 'bun:test';
import { openCpuClock, parsePsTime } from './cpu-clock.ts';

test('the time that this process burns is what its clock advances by', () => {
  const clock = openCpuClock();
  const before = clock.readNs(process.pid);
  const usageBefore = process.cpuUsage();
  while (process.cpuUsage(usageBefore).user + process.cpuUsage(usageBefore).system < 200_000) Math.sqrt(2);
  const usedNs = clock.readNs(process.pid) - before;
  expect(usedNs / 1e6).toBeGreaterThan(180);
  expect(usedNs / 1e6).toBeLessThan(400);
});

test('on Linux the clock has ns', () => {
  if (process.platform !== 'linux') return;
  const clock = openCpuClock();
  expect(clock.name).toContain('ns');
  const reads = Array.from({ length: 10 }, () => clock.readNs(process.pid));
  expect(new Set(reads).size).toBe(10);
});

test('a process that is not there has no CPU time', () => {
  expect(() => openCpuClock().readNs(2 ** 22 + 1)).toThrow();
});

test('times of ps become ns', () => {
  expect(parsePsTime('0:01.50')).toBe(1.5e9);
  expect(parsePsTime('12:03.07')).toBe(723.07e9);
  expect(parsePsTime('01:00:00')).toBe(3_600e9);
  expect(parsePsTime('2-01:00:01')).toBe((49 * 3_600 + 1) * 1e9);
  expect(() => parsePsTime('')).toThrow('not a time of ps');
});

test('goes on telling the time after many reads, when the reading is compiled', () => {
  const clock = openCpuClock();
  const start = clock.readNs(process.pid);
  let reads = 0;
  for (; reads < 200_000 && (reads < 100_000 || clock.readNs(process.pid) === start); reads++)
    clock.readNs(process.pid);
  const before = clock.readNs(process.pid);
  for (let index = 0; index < 10_000; index++) clock.readNs(process.pid);
  expect(clock.readNs(process.pid)).toBeGreaterThan(before);
});

test('the first clock that works is taken; where none does, that is said, with what still can be measured', () => {
  const broken = () => {
    throw new Error('not here');
  };
  const stuck = () => ({ name: 'stuck', readNs: () => 0 });
  const good = () => ({ name: 'good', readNs: () => 1 });
  expect(openCpuClock([broken, stuck, good]).name).toBe('good');
  expect(() => openCpuClock([broken, stuck])).toThrow(
    'No clock of this system tells the CPU time of another process',
  );
});
