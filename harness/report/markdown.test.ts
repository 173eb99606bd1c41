import { expect, test } from 'bun:test';
import type { Analysis, Verdict } from '../analysis/model.ts';
import { fakeAnalysis, makeHostile, severalTasks } from '../testing/fake-analysis.ts';
import { docsReport, fullReport } from './markdown.ts';
import { printable } from './text.ts';

const verdict = (message: string, changesReading = true, scenario: string | null = null): Verdict => ({
  kind: 'fake',
  task: null,
  scenario,
  message,
  remedy: 'Fix it',
  changesReading,
});

function withVerdicts(...verdicts: Verdict[]): Analysis {
  return { ...fakeAnalysis(), verdicts };
}

test('docs: a table and one line, if nothing is wrong', () => {
  expect(docsReport(fakeAnalysis())).toMatchSnapshot();
});

test('full: details, what was proved, and the commands', () => {
  expect(fullReport(fakeAnalysis())).toMatchSnapshot();
});

test('docs: two remarks at most, and how many more there are', () => {
  const remarks = (...verdicts: Verdict[]) =>
    docsReport(withVerdicts(...verdicts))
      .split('\n')
      .filter((line) => line.startsWith('- '));
  expect(remarks(verdict('A', false))).toEqual([]);
  expect(remarks(verdict('A', true, 'other'), verdict('B', false))).toEqual(['- † A. Fix it.']);
  expect(remarks(verdict('A'), verdict('B'))).toEqual(['- A. Fix it.', '- B. Fix it.']);
  expect(remarks(verdict('A'), verdict('B'), verdict('C'), verdict('D'))).toEqual([
    '- A. Fix it.',
    '- B. Fix it. 2 more: --format full.',
  ]);
});

test('full: every verdict', () => {
  const report = fullReport(withVerdicts(verdict('A'), verdict('B', false), verdict('C')));
  expect(report).toContain('### Remarks\n\n- A. Fix it.\n- B. Fix it.\n- C. Fix it.\n');
});

test('a calibration says how many intervals cover the truth', () => {
  const report = docsReport(
    fakeAnalysis((result) => {
      for (const scenario of result.suite.scenarios) scenario.trueCostUs = scenario.name === 'base' ? 0 : 3;
    }),
  );
  expect(report).toContain('\n\n1 of 2 intervals cover the truth.\n\nScenario minus baseline, CPU time of');
});

/** The text without its code spans. */
const prose = (markdown: string) => markdown.replace(/(`+)(?!`).*?(?<!`)\1(?!`)/g, '');

test.each([
  ['docs', docsReport, []],
  ['full', fullReport, []],
  ['docs of several tasks', docsReport, ['a', 'b']],
  ['full of several tasks', fullReport, ['a', 'b']],
] as const)('%s: hostile text shows as text', (_, render, tasks) => {
  const report = render(
    fakeAnalysis((result) => {
      if (tasks.length > 0) severalTasks(...tasks)(result);
      makeHostile(result);
    }),
  );
  expect(prose(report)).not.toMatch(/<\w|(?<!\\)\]\(|(?<!\\)\*\*b/);
  expect(report).toContain('&lt;script&gt;');
  expect(report).not.toContain('<!--');
  expect(prose(report)).not.toContain('\n# h');
  expect(printable(report)).toBe(report);
  for (const table of report.split('\n\n').filter((part) => part.startsWith('|'))) {
    const widths = table.split('\n').map((row) => row.split(/(?<!\\)\|/).length);
    expect(new Set(widths).size).toBe(1);
  }
});
