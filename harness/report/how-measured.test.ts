import { expect, test } from 'bun:test';
import { fakeAnalysis } from '../testing/fake-analysis.ts';
import { withWhat } from './how-measured.ts';

test('the line under a table says what a container may use of its machine', () => {
  const limits = { quotaCores: 0.6, cores: null, memoryBytes: null };
  expect(withWhat(fakeAnalysis())).toContain('Test CPU, 2 cores, 2026');
  const limited = fakeAnalysis(({ environment }) => Object.assign(environment, { limits }));
  expect(withWhat(limited)).toContain('Test CPU, 0.6 of 2 cores by its container, 2026');
});
