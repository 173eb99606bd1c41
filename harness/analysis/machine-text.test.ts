import { expect, test } from 'bun:test';
import { coresText, memoryText, quotaRemedy } from './machine-text.ts';

const MACHINE = { cores: 8, memoryBytes: 24 * 2 ** 30 };
const NONE = { quotaCores: null, cores: null, memoryBytes: null };

test.each([
  [undefined, '8 cores'],
  [{ ...NONE, quotaCores: 0.6 }, '0.6 of 8 cores by its container'],
  [{ ...NONE, cores: '0-1' }, 'only cores 0-1 of 8'],
  [{ ...NONE, cores: '3' }, 'only core 3 of 8'],
  [
    { ...NONE, quotaCores: 1.5, cores: '0-1' },
    '1.5 of 8 cores by its container, only cores 0-1 of 8',
  ],
])('the cores of a machine stand beside what a container may use: %j', (limits, text) => {
  expect(coresText(limits ? { ...MACHINE, limits } : MACHINE)).toBe(text);
});

test('the memory of a machine stands beside what a container may use', () => {
  expect(memoryText(MACHINE)).toBe('24 GiB');
  const limits = { ...NONE, memoryBytes: 300 * 2 ** 20 };
  expect(memoryText({ ...MACHINE, limits })).toBe('300 MiB of 24 GiB by its container');
});

test('a server and a load tool need two cores, and a larger quota is lifted, too', () => {
  expect(quotaRemedy(0.6)).toStartWith('Let the container use 2 cores or more');
  expect(quotaRemedy(2)).toStartWith('Let the container use 3 cores or more');
});
