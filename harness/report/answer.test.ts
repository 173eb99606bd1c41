import { expect, test } from 'bun:test';
import { fakeAnalysis } from '../testing/fake-analysis.ts';
import { cleanPairs, fakeFault, fakePair, fakePairs } from '../testing/fakes.ts';
import { answerOf } from './answer.ts';

test('the answer is what a request pays, as a multiple and in µs', () => {
  expect(answerOf(fakeAnalysis())).toBe(
    "With Other a request takes 1.20 times the baseline's CPU: 2.000 ±0.040 µs more.",
  );
});

test('the answer names the two dearest rows, the dearest first', () => {
  const pairs = [...cleanPairs(), ...fakePairs('large', [30, 30.1, 29.9, 30.05, 29.95])];
  const answer = answerOf(fakeAnalysis(undefined, pairs));
  expect(answer).toStartWith("With Large a request takes 3.00 times the baseline's CPU: 20.0");
  expect(answer).toEndWith('more; with Other 1.20 times.');
});

test('the answer to a cost of nothing is how large it may be', () => {
  const alike = fakePairs('other', [9.99, 10.02, 10, 9.98, 10.01]);
  expect(answerOf(fakeAnalysis(undefined, alike))).toMatch(
    /^No row takes more than 0\.\d+ µs of CPU above the baseline\.$/,
  );
  const noisy = fakePairs('other', [7, 14, 9, 12, 8]);
  expect(answerOf(fakeAnalysis(undefined, noisy))).toContain('nor is it known that none takes');
});

test('the answer invents nothing where nothing was measured', () => {
  expect(answerOf(fakeAnalysis(undefined, []))).toContain('was not measured');
  const invalid = fakeAnalysis((result) => {
    for (const pair of result.pairs) pair.faults.push(fakeFault());
  });
  expect(answerOf(invalid)).toContain('was not measured');
  expect(answerOf(fakeAnalysis(undefined, [fakePair()]))).not.toMatch(/NaN|Infinity/);
});
