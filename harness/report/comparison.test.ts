import { expect, test } from 'bun:test';
import type { Comparison } from '../analysis/compare.ts';
import { HOSTILE } from '../testing/fake-analysis.ts';
import { printable } from '../words/text.ts';
import { annotations, type ComparisonReport, comparisonReport } from './comparison.ts';

const around = (value: number, halfWidth: number) => ({
  value,
  low: value - halfWidth,
  high: value + halfWidth,
});

function compared(title: string, changeUs: number, verdict: 'worse' | 'better' | '~'): Comparison {
  const cost: Comparison['cost'] = {
    by: 'cpuUs',
    oldUs: 2,
    newUs: 2 + changeUs,
    changeUs: around(changeUs, 0.25),
    relative: around(changeUs / 10, 0.025),
    verdict,
  };
  return { title, cost, missing: null };
}

const missing = (title: string): Comparison => ({
  ...compared(title, 0, '~'),
  cost: null,
  missing: 'not in the old result',
});

const comparisons = [
  compared('Far worse', 1.5, 'worse'),
  compared('Worse', 0.4, 'worse'),
  compared('Same', 0.1, '~'),
  compared('Better', -1, 'better'),
  missing('New'),
];

const whole: ComparisonReport = { comparisons, differences: [], limit: null, isPaired: false, remarks: [] };

test('a table, how it is to be read, and how many are above the limit', () => {
  expect(comparisonReport({ ...whole, limit: { value: 5, unit: '%' } })).toMatchSnapshot();
});

test('latency in ms, no claims if nothing was compared', () => {
  const latency = compared('Slow', 1_500, 'worse');
  if (latency.cost) latency.cost.by = 'latencyUs';
  const report = comparisonReport({
    ...whole,
    comparisons: [latency, missing('Other')],
    differences: ['kernel: 6.1 / 6.18'],
  });
  expect(report).toContain('| Slow  | Latency |');
  expect(report).toContain('+1.5000 ms ±0.0003');
  expect(report).toContain('these differences (old / new):\n\n- kernel: 6.1 / 6.18');
  expect(comparisonReport({ ...whole, comparisons: [missing('A')] })).not.toContain('Cost is');
});

test('of pairs: what a request takes with each revision, and the warnings', () => {
  const report = comparisonReport({ ...whole, isPaired: true, remarks: ['Idle cores could sleep'] });
  expect(report).toMatch(/\| Worse +\| Server CPU \| 2\.00 µs \| 2\.40 µs \| +\+0\.40 µs ±0\.25 \|/);
  expect(report).toContain('Cost is what a request takes with each revision');
  expect(report).toEndWith('- Idle cores could sleep');
});

test('annotations: errors above the limit, warnings for what is worse or not compared', () => {
  expect(annotations({ ...whole, differences: ['cpu: a / b'], limit: { value: 1, unit: 'us' } })).toEqual([
    '::error title=tracetax%3A Far worse::+1.50 µs ±0.25 per request, +15.0 %25 ±2.5: worse, above 1 µs',
    '::warning title=tracetax%3A Worse::+0.40 µs ±0.25 per request, +4.0 %25 ±2.5: worse',
    '::warning title=tracetax%3A New::Not compared: not in the old result',
    '::warning title=tracetax%3A not comparable::cpu: a / b',
  ]);
});

test('hostile titles stay within their cell and their annotation', () => {
  const report = {
    ...whole,
    comparisons: [compared(HOSTILE, 1, 'worse')],
    differences: [HOSTILE],
    remarks: [HOSTILE],
  };
  const table = comparisonReport(report);
  expect(table).not.toMatch(/<script|<!--/);
  expect(printable(table)).toBe(table);
  for (const line of annotations(report)) {
    expect(line).not.toMatch(/[\r\n]/);
    expect(printable(line)).toBe(line);
    expect(line.split('::')).toHaveLength(3);
  }
});
