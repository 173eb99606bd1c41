import { expect, test } from 'bun:test';
import { fakePairs, fakeResult } from '../testing/fakes.ts';
import { analyse } from './analysis.ts';
import { calibrationRows } from './calibration.ts';

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

test('true against measured cost, of the rows whose cost is known, the noise floor last', () => {
  const found = calibrationRows(analyse(rows()));
  expect(found.map(({ title, trueUs, isCovered }) => [title, trueUs, isCovered])).toEqual([
    ['Two', 2, true],
    ['Five', 5, false],
    ['Baseline against itself', 0, true],
  ]);
  expect(found[1]?.measured?.value).toBeCloseTo(6, 9);
  expect(found[1]?.error?.value).toBeCloseTo(1, 9);
});

test('the error is the mean of the errors of the pairs, each against what its own servers measured', () => {
  const result = fakeResult([...fakePairs('base', [9.9, 10, 10.1]), ...fakePairs('two', [12.1, 14, 17.1])]);
  for (const scenario of result.suite.scenarios) scenario.trueCostUs = 2;
  for (const { scenario, usage, duets } of result.pairs) {
    const { cpuNs, requests } = duets[0]?.scenario ?? {};
    if (usage.baseline) usage.baseline.trueCostUs = 0;
    if (usage.scenario)
      usage.scenario.trueCostUs = scenario === 'base' ? 0 : Number(cpuNs) / 1e3 / Number(requests) - 10.1;
  }
  const [two] = calibrationRows(analyse(result)).filter(({ title }) => title === 'Two');
  expect(two?.error).toMatchObject({ n: 3 });
  expect(two?.error?.value).toBeCloseTo(0.1, 9);
  expect(two?.error?.standardError).toBeCloseTo(0, 9);
});

test('an invalid row has no error, and a suite without known costs no rows', () => {
  const result = rows();
  for (const { scenario, invalid } of result.pairs) if (scenario === 'two') invalid.push('a server ended');
  expect(calibrationRows(analyse(result))[0]).toMatchObject({
    measured: null,
    error: null,
    isCovered: null,
  });
  expect(calibrationRows(analyse(fakeResult()))).toEqual([]);
});
