import { expect, test } from 'bun:test';
import { coreTime } from './cores.ts';

// user nice system idle iowait irq softirq steal guest guest_nice, in 1/100 s (proc_stat(5)).
const STAT = `cpu  9 9 9 9 9 9 9 9 0 0
cpu0 100 20 300 5000 7 1 4 50 0 0
cpu1 1 0 0 0 0 0 0 2 0 0
cpu10 7 0 0 0 0 0 0 0 0 0
intr 1`;

test('ticks become ns; waiting is not busy, and steal is counted apart', () => {
  expect(coreTime(STAT, '0')).toEqual({ busyNs: 4.25e9, stealNs: 5e8 });
});

test('the cores of a list together, and no other that begins alike', () => {
  expect(coreTime(STAT, '0-1')).toEqual({ busyNs: 4.26e9, stealNs: 5.2e8 });
  expect(coreTime(STAT, '1')).toEqual({ busyNs: 1e7, stealNs: 2e7 });
});
