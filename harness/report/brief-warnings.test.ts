import { expect, test } from 'bun:test';
import type { Warning } from '../analysis/warnings/list.ts';
import { fakeAnalysis } from '../testing/fake-analysis.ts';
import { fakePairs } from '../testing/fakes.ts';
import { briefWarnings } from './brief-warnings.ts';

const run = fakeAnalysis(() => {}, [
  ...fakePairs('base', [10, 10]),
  ...fakePairs('other', [20, 20]),
  ...fakePairs('third', [30, 30]),
]);

const ofRun = (kind: Warning['kind']): Warning => ({
  kind,
  ...{ text: `Of the run: ${kind}`, remedy: '', sense: '', task: null, scenario: null },
});

const ofRow = (kind: Warning['kind'], scenario: string, sense = ''): Warning => ({
  kind,
  ...{ text: `${scenario}: ${kind}${sense}`, remedy: 'Do it', sense, task: 'default', scenario },
});

test('a brief has two warnings, and says how many there are besides', () => {
  const warnings = [ofRun('quick'), ofRun('unpinned'), ofRun('unpinned'), ofRun('busy-machine')];
  expect(briefWarnings(run, warnings)).toEqual([
    'Of the run: quick.',
    'Of the run: unpinned. 2 more warnings with --format full.',
  ]);
  expect(briefWarnings(run, [])).toEqual([]);
});

test('rows with warnings of one kind share a line', () => {
  const warnings = [ofRow('dropped-spans', 'other'), ofRow('dropped-spans', 'third')];
  expect(briefWarnings(run, warnings)).toEqual([
    '† other: dropped-spans. Do it. Of the same kind: Third.',
  ]);
});

test('warnings of one kind that say different things have lines of their own', () => {
  const warnings = [
    ofRow('dropped-spans', 'other', ' too low'),
    ofRow('dropped-spans', 'third', ' too high'),
    ofRow('dropped-spans', 'other', ' too high'),
  ];
  expect(briefWarnings(run, warnings)).toEqual([
    '† other: dropped-spans too low. Do it.',
    '† third: dropped-spans too high. Do it. Of the same kind: Other.',
  ]);
});

test('each marked row has a line, whatever else there is', () => {
  const warnings = [ofRun('quick'), ofRun('unpinned'), ofRow('bursts', 'other')];
  expect(briefWarnings(run, warnings)).toEqual([
    'Of the run: quick.',
    'Of the run: unpinned.',
    '† other: bursts. Do it.',
  ]);
  const both = [ofRow('grows', 'other'), ofRow('bursts', 'third'), ofRow('wake-ups', 'other')];
  expect(briefWarnings(run, both)).toEqual([
    '† other: grows. Do it.',
    '† third: bursts. Do it. 1 more warning with --format full.',
  ]);
});
