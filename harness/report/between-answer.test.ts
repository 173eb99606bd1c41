import { expect, test } from 'bun:test';
import type { Between } from '../analysis/between.ts';
import { NOT_MISREAD } from '../analysis/misreading.ts';
import { betweenSections } from './between-answer.ts';
import { asMarkdown } from './formats/markdown.ts';

const around = (value: number, half: number) => ({ value, low: value - half, high: value + half });

const answer = (value: number, half: number, prefix = ''): Between => ({
  prefix,
  first: { scenario: 'sdk-3', title: 'SDK 3', pairs: 5 },
  second: { scenario: 'sdk-2', title: 'SDK 2', pairs: 5 },
  quantity: 'cpuUs',
  differenceUs: around(value, half),
  secondUs: 30,
  ...NOT_MISREAD,
});

test.each([
  [
    3,
    1,
    'Yes, SDK 3 takes 3.0 ±1.0 µs more CPU per request than SDK 2, which takes 30.0 µs: 10.0 ±3.3 % of that.',
  ],
  [
    -3,
    1,
    'No, SDK 3 takes 3.0 ±1.0 µs less CPU per request than SDK 2, which takes 30.0 µs: 10.0 ±3.3 % of that.',
  ],
  [
    0.5,
    1,
    'No difference was found. SDK 3 minus SDK 2 is +0.5 ±1.0 µs of CPU per request: at most 1.5 µs more, which is 5 %.',
  ],
  [
    0.5,
    4,
    'Not known. SDK 3 minus SDK 2 is +0.5 ±4.0 µs of CPU per request: anything from 3.50 µs less to 4.50 µs more.',
  ],
])('a difference of %d ±%d µs is answered in a sentence', (value, half, text) => {
  expect(asMarkdown(betweenSections([answer(value, half)])).split('\n')[0]).toBe(text);
});

test('what is not known has a remedy, once for all tasks', () => {
  const text = asMarkdown(betweenSections([answer(1, 9, 'Get: '), answer(1, 9, 'Post: ')]));
  expect(text).toContain('- Get: not known. ');
  expect(text.match(/--scenarios sdk-3,sdk-2 --within 5%/g)).toHaveLength(1);
  expect(asMarkdown(betweenSections([answer(3, 1)]))).not.toContain('--within');
});

test('a difference is not known in the direction in which it reads wrong', () => {
  const lossy = { ...answer(-3, 1), tooLowBecause: 'records-lost' } as const;
  const text = asMarkdown(betweenSections([lossy]));
  expect(text).toStartWith(
    'Not known. SDK 3 minus SDK 2 is -3.0 ±1.0 µs of CPU per request, which reads too low, ' +
      'since spans or log records were lost.',
  );
  expect(text).toContain('To know it, use a larger buffer, or an exporter that keeps up.');
  const dearer = { ...answer(3, 1), tooLowBecause: 'records-lost' } as const;
  expect(asMarkdown(betweenSections([dearer]))).toStartWith('Yes, SDK 3 takes 3.0');
  const beside = { ...answer(3, 1), tooHighBecause: 'work-put-off' } as const;
  expect(asMarkdown(betweenSections([beside]))).toContain(
    'which reads too high, since SDK 2 was still at work when its load had ended.',
  );
});

test('where nothing can be compared, the reason is said, and no method', () => {
  expect(asMarkdown(betweenSections([{ prefix: '', reason: 'SDK 3 has no figures: boom' }]))).toBe(
    'Not known: SDK 3 has no figures: boom.',
  );
});
