import { expect, test } from 'bun:test';
import type { Run } from '../../harness/analysis/analysis.ts';
import { matrixTable, scenarioTable } from '../../harness/report/tables.ts';
import type { Result } from '../../harness/result/schema.ts';
import { fakeAnalysis, severalTasks } from '../../harness/testing/fake-analysis.ts';
import {
  cleanPairs,
  fakeExported,
  fakeFault,
  fakePairs,
  fakeSweep,
} from '../../harness/testing/fakes.ts';
import { figureOf } from './figure-text.ts';
import { type FigureMark, marksOf } from './marks.ts';

/** Returns what stands in a sentence for `ROWS WHAT FORM`. */
function told(run: Run, name: string): string {
  const [placed] = marksOf(`x <!--= fake ${name} --><!--/-->`);
  return figureOf(run, placed?.mark as FigureMark);
}

/** `nothing` may cost nothing, `dear` 30 µs. */
const pairs = () => [
  ...cleanPairs(),
  ...fakePairs('nothing', [10.3, 9.8, 10.2, 9.9, 9.7]),
  ...fakePairs('less', [7.9, 8.1, 8, 8.05, 7.95]),
  ...fakePairs('dear', [39, 41, 40, 40.5, 39.5]),
];

function losingSpans(result: Result): void {
  for (const proof of result.proofs) if (proof.scenario === 'dear') proof.spans = 200;
  for (const pair of result.pairs)
    if (pair.scenario === 'dear') pair.exported.scenario = fakeExported(100_000, 60_000);
}

/** Returns the cell of a table without its sign. */
function cellOf(run: Run, scenario: string, heading: string): string {
  const table = scenarioTable(run, 'costs');
  const at = table.figures.findIndex((figure) => figure.heading === heading);
  const row = table.rows.find(([name]) => name?.text === scenario) ?? [];
  return row[table.names.length + at]?.text.replace(/^\+/, '') ?? '';
}

test('a figure in a sentence is that of the table', () => {
  const run = fakeAnalysis(() => {}, pairs());
  expect(told(run, 'other cpu')).toBe(cellOf(run, 'Other', 'Server CPU per request'));
  expect(told(run, 'other latency-change')).toBe(
    cellOf(run, 'Other', 'Change per request (latency)'),
  );
  expect(told(run, 'other cpu-multiple')).toBe(
    cellOf(run, 'Other', "Times the baseline's CPU").replace(' x', ' times'),
  );
  expect(told(run, 'less cpu')).toBe(cellOf(run, 'Less', 'Server CPU per request'));
  expect(told(run, 'less cpu')).toStartWith('-2.');
});

test('of the baseline it is what a request takes', () => {
  const run = fakeAnalysis(() => {}, pairs());
  expect(told(run, 'base cpu')).toBe('10.0 µs');
});

test('of a difference that may be none only the bound is told', () => {
  const run = fakeAnalysis(() => {}, pairs());
  expect(told(run, 'nothing cpu')).toMatch(/^at most 0\.\d+ µs$/);
  expect(told(run, 'nothing cpu-multiple')).toMatch(/^at most 1\.\d+ times$/);
  expect(told(run, 'other cpu most')).toMatch(/^at most 2\.\d µs$/);
  expect(told(run, 'other cpu least')).toMatch(/^at least 1\.\d µs$/);
});

test('of a row that lost spans only the lower bound is told', () => {
  const run = fakeAnalysis(losingSpans, pairs());
  expect(told(run, 'dear cpu')).toMatch(/^at least 2\d µs$/);
  expect(told(run, 'dear cpu-multiple')).toMatch(/^at least 3\.\d times$/);
  expect(told(run, 'dear cpu most')).toBe('an unknown amount');
  expect(told(run, 'dear minus other cpu')).toMatch(/^at least 2\d µs$/);
  expect(() => told(run, 'other minus dear cpu')).toThrow('Row "dear" reads too low');
  expect(told(run, 'other cpu')).toBe(cellOf(run, 'Other', 'Server CPU per request'));
});

test('a cost beside a baseline that lost spans is not told', () => {
  const run = fakeAnalysis(({ pairs }) => {
    for (const { exported, scenario } of pairs)
      if (scenario === 'dear') exported.baseline = fakeExported(1_000, 600);
  }, pairs());
  expect(() => told(run, 'dear cpu')).toThrow('The baseline of "dear" lost spans');
  expect(told(run, 'other cpu')).toMatch(/^2\./);
});

test('several rows are told from the least to the most', () => {
  const run = fakeAnalysis(() => {}, pairs());
  expect(told(run, 'dear,other cpu')).toBe('2.00 to 30.0 µs');
  expect(told(run, 'dear,nothing cpu')).toBe('up to 30.0 µs');
  expect(told(run, '* cpu')).toBe('up to 30.0 µs');
  expect(() => told(run, 'dear,other cpu most')).toThrow('This figure has no "most"');
  expect(told(fakeAnalysis(losingSpans, pairs()), 'dear,other cpu')).toBe(
    '2.00 to at least 30.0 µs',
  );
});

test('two rows are compared by the pairs of both', () => {
  const run = fakeAnalysis(() => {}, pairs());
  expect(told(run, 'dear minus other cpu')).toMatch(/^28\.\d+ ±\d\.\d+ µs$/);
  expect(told(run, 'nothing minus base cpu')).toMatch(/^at most /);
  expect(() => told(run, 'dear minus other p99')).toThrow('not compared by "p99"');
});

test('where CPU was not measured, two rows are not compared by something else', () => {
  const unknown = (result: Result) => {
    for (const pair of result.pairs) for (const slice of pair.duets) slice.scenario.cpuNs = null;
  };
  expect(() => told(fakeAnalysis(unknown, pairs()), 'dear minus other cpu')).toThrow(
    'CPU was not measured of "dear" and "other"',
  );
});

test('of what two rows differ by, each of so many takes its part', () => {
  const run = fakeAnalysis(() => {}, pairs());
  expect(told(run, 'dear minus other cpu per 10')).toMatch(/^2\.8\d+ ±0\.\d+ µs$/);
  expect(told(run, 'nothing minus base cpu per 10')).toMatch(/^at most 0\.0\d+ µs$/);
  expect(() => told(run, 'dear cpu per 10')).toThrow('Only a difference');
  expect(() => told(run, 'dear minus other cpu per ten')).toThrow('names no figure');
});

test('of a sweep, what one more costs', () => {
  const swept = [0, 1, 2, 4].flatMap((spans) =>
    fakePairs(
      `spans-${spans}`,
      [12, 12.1, 11.9].map((us) => us + 3 * spans),
    ),
  );
  const run = fakeAnalysis(fakeSweep('spans', [0, 1, 2, 4]), swept);
  expect(told(run, 'line slope')).toMatch(/^3\.0\d+ ±0\.\d+ µs$/);
  expect(() => told(run, 'line cpu')).toThrow('A line has no "cpu"');
  expect(() => told(fakeAnalysis(), 'line slope')).toThrow('The result has no line');
});

test('of a calibration, how many intervals hold the true cost', () => {
  const run = fakeAnalysis(({ suite }) => {
    for (const each of suite.scenarios) each.trueCostUs = each.name === 'other' ? 2 : 0;
  });
  expect(told(run, '* covered')).toBe('2 of 2');
  expect(() => told(fakeAnalysis(), '* covered')).toThrow('No cost in the result is known');
});

test('a row of several tasks names its own', () => {
  const run = fakeAnalysis(severalTasks('one', 'two'));
  expect(told(run, 'two/other cpu')).toBe(
    matrixTable(run).rows[1]?.[2]?.text.replace(/^\+/, '') ?? '',
  );
  expect(() => told(run, 'other cpu')).toThrow('2 tasks have a row "other"');
  expect(told(run, 'one/other minus base cpu')).toMatch(/^2\.0\d+ ±/);
});

test('what a result does not have is a problem that says what it has', () => {
  const run = fakeAnalysis(({ suite }) => {
    suite.skipped = [
      {
        scenario: 'A title',
        fault: fakeFault({ what: 'no program', scenario: 'gone' }),
        tasks: ['default'],
      },
    ];
  }, pairs());
  expect(() => told(run, 'othr cpu')).toThrow('There is no row "othr"');
  expect(() => told(run, 'other cpus')).toThrow('There is no column "cpus"');
  expect(() => told(run, 'gone cpu')).toThrow('Row "gone" was skipped: no program');
  expect(() => told(run, 'other start-up')).toThrow('"Start-up" was not measured of row "other"');
});

test('an invalid row has no figure', () => {
  const broken = (result: Result) => {
    for (const pair of result.pairs)
      if (pair.scenario === 'dear') pair.faults = [fakeFault({ what: 'no answers' })];
  };
  expect(() => told(fakeAnalysis(broken, pairs()), 'dear cpu')).toThrow(
    'Row "dear" is invalid: no answers',
  );
});
