import { expect, test } from 'bun:test';
import type { Result } from '../result/schema.ts';
import { fakePairs, fakeResult } from '../testing/fakes.ts';
import { analyse } from './analysis.ts';
import { calibrationError } from './calibration.ts';
import { holdsZero } from './estimate.ts';
import { rowsOf } from './task.ts';

/** Rows of the baseline and of servers that are known to cost 2 and 5 µs more, of which the second reads 6. */
function rows() {
  const result = fakeResult([
    ...fakePairs('base', [9.9, 10, 10.1]),
    ...fakePairs('two', [11.9, 12, 12.1]),
    ...fakePairs('five', [15.9, 16, 16.1]),
    ...fakePairs('other', [15]),
  ]);
  const known: Record<string, number> = { base: 0, two: 2, five: 5 };
  for (const scenario of result.suite.scenarios) scenario.trueCostUs = known[scenario.name] ?? null;
  return result;
}

/** The error of each row, by its title. */
function errors(result: Result) {
  const rows = analyse(result).tasks.flatMap((task) => rowsOf(task).map((row) => ({ row, task })));
  return Object.fromEntries(rows.map(({ row, task }) => [row.title, calibrationError(row, task)]));
}

test('measured minus true cost, of the rows whose cost is known, the noise floor among them', () => {
  const found = errors(rows());
  expect(found.Five?.value).toBeCloseTo(1, 9);
  const covered = Object.entries(found).map(([title, error]) => [title, error && holdsZero(error)]);
  expect(covered).toEqual([
    ['Other', null],
    ['Two', true],
    ['Five', false],
    ['Baseline against itself', true],
  ]);
});

test('it is the mean of the errors of the pairs, each against what its own servers measured', () => {
  const result = fakeResult([...fakePairs('base', [9.9, 10, 10.1]), ...fakePairs('two', [12.1, 14, 17.1])]);
  for (const scenario of result.suite.scenarios) scenario.trueCostUs = 2;
  for (const { scenario, usage, duets } of result.pairs) {
    const { cpuNs, requests } = duets[0]?.scenario ?? {};
    if (usage.baseline) usage.baseline.trueCostUs = 0;
    if (usage.scenario)
      usage.scenario.trueCostUs = scenario === 'base' ? 0 : Number(cpuNs) / 1e3 / Number(requests) - 10.1;
  }
  const { Two } = errors(result);
  expect(Two?.value).toBeCloseTo(0.1, 9);
  expect(Number(Two?.high) - Number(Two?.low)).toBeCloseTo(0, 9);
});

test('an invalid row has none', () => {
  const result = rows();
  for (const { scenario, invalid } of result.pairs) if (scenario === 'two') invalid.push('a server ended');
  expect(errors(result).Two).toBeNull();
});
