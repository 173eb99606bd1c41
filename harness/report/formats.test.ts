import { expect, test } from 'bun:test';
import type { Analysis } from '../analysis/analysis.ts';
import type { Verdict } from '../analysis/finding.ts';
import { fakeAnalysis, HOSTILE, makeHostile, severalTasks } from '../testing/fake-analysis.ts';
import { fakePair, fakePairs, fakeSweep } from '../testing/fakes.ts';
import { RENDERERS } from './formats.ts';
import { printable } from './text.ts';

test('JSON: the analysis itself; what is infinite is null', () => {
  const analysis = fakeAnalysis();
  expect(JSON.parse(RENDERERS.json(analysis))).toEqual(JSON.parse(JSON.stringify(analysis)));
  const single = JSON.parse(RENDERERS.json(fakeAnalysis(undefined, [fakePair()])));
  expect(single.tasks[0].rows[0].change.cpuUs.estimate).toMatchObject({ value: 2, low: null, high: null });
});

test.each(Object.entries(RENDERERS))(
  '%s: nothing that a terminal obeys, and no text is lost from JSON',
  (format, render) => {
    const text = render(fakeAnalysis(makeHostile));
    expect(printable(text)).toBe(text);
    if (format === 'json') expect(JSON.parse(text).suite.title).toBe(HOSTILE);
  },
);

test.each(Object.entries(RENDERERS))('%s: what the suite says of its table', (_, render) => {
  expect(render(fakeAnalysis(({ suite }) => void suite.remarks.push('One is larger.')))).toContain('One is larger.');
});

test('docs: at a steady rate CPU is the headline; a sweep has its line in a table and in words', () => {
  const paced = RENDERERS.docs(
    fakeAnalysis(({ suite }) => {
      for (const task of suite.tasks) task.rate = 500;
    }),
  );
  expect(paced).toMatch(/^\| Test +\| Server CPU per request \| +p50 \| +p90 \| +p99 \|\n/);
  const pairs = [0, 1, 2].flatMap((value) => fakePairs(`spans-${value}`, [11.9 + value, 12 + value, 12.1 + value]));
  const swept = RENDERERS.docs(fakeAnalysis(fakeSweep('spans', [0, 1, 2]), pairs));
  expect(swept).toMatch(/\| Spans, server CPU per request \| +\+2\.00 µs ±0\.\d\d \| +\+1\.00 µs ±0\.\d\d \| +yes \|/);
  expect(swept).toMatch(
    /^Spans adds 2\.00 µs ±0\.\d\d of server CPU to each request, and 1\.00 µs ±0\.\d\d for each span\. Fitted/m,
  );
});

test('github-action-benchmark: a smaller-is-better entry for each change', () => {
  const entries = JSON.parse(RENDERERS['github-action-benchmark'](fakeAnalysis()));
  expect(entries).toEqual([
    expect.objectContaining({ name: 'Other, change per request', unit: 'ms' }),
    expect.objectContaining({ name: 'Other, server CPU per request', unit: 'µs' }),
  ]);
  expect(entries[1].value).toBeCloseTo(2);
  expect(entries[1].range).toMatch(/^± 0\.0\d+$/);
  expect(entries[1].extra).toContain('bombardier');
});

test('github-action-benchmark: no range for a single pair; the task in the name if there are several', () => {
  const entries = JSON.parse(RENDERERS['github-action-benchmark'](fakeAnalysis(severalTasks('a', 'b'), [fakePair()])));
  expect(entries[0]).toMatchObject({ name: 'A: Other, change per request' });
  expect(entries[0]).not.toHaveProperty('range');
});

const verdict = (message: string, changesReading = true, scenario: string | null = null): Verdict => ({
  kind: 'fake',
  task: null,
  scenario,
  message,
  remedy: 'Fix it',
  changesReading,
  quantity: null,
});

function withVerdicts(...verdicts: Verdict[]): Analysis {
  return { ...fakeAnalysis(), verdicts };
}

test('docs: a table and one line, if nothing is wrong', () => {
  expect(RENDERERS.docs(fakeAnalysis())).toMatchSnapshot();
});

test('full: details, what was proved, and how it was measured', () => {
  expect(RENDERERS.full(fakeAnalysis())).toMatchSnapshot();
});

test('docs: two remarks at most, and how many more there are', () => {
  const remarks = (...verdicts: Verdict[]) =>
    RENDERERS.docs(withVerdicts(...verdicts))
      .split('\n')
      .filter((line) => line.startsWith('- '));
  expect(remarks(verdict('A', false))).toEqual([]);
  expect(remarks(verdict('A', true, 'other'), verdict('B', false))).toEqual(['- † A. Fix it.']);
  expect(remarks(verdict('A'), verdict('B'))).toEqual(['- A. Fix it.', '- B. Fix it.']);
  expect(remarks(verdict('A'), verdict('B'), verdict('C'), verdict('D'))).toEqual([
    '- A. Fix it.',
    '- B. Fix it. 2 more warnings with --format full.',
  ]);
});

test('docs: a table of CPU time alone says nothing about latency', () => {
  const steady = fakeAnalysis((result) => {
    for (const task of result.suite.tasks) task.rate = 1_000;
  });
  const verdicts: Verdict[] = [
    { ...verdict('The change in ms is wrong', true, 'other'), quantity: 'latencyUs' },
    { ...verdict('CPU per request is wrong'), quantity: 'cpuUs' },
  ];
  const docs = RENDERERS.docs({ ...steady, verdicts });
  expect(docs).not.toContain('The change in ms is wrong');
  expect(docs).not.toContain('†');
  expect(docs).toContain('CPU per request is wrong');
  expect(RENDERERS.full({ ...steady, verdicts })).toContain('The change in ms is wrong');
});

test('full: every verdict', () => {
  const report = RENDERERS.full(withVerdicts(verdict('A'), verdict('B', false), verdict('C')));
  expect(report).toContain('### Warnings\n\n- A. Fix it.\n- B. Fix it.\n- C. Fix it.\n');
});

test('a calibration says how many intervals hold the true cost', () => {
  const report = RENDERERS.docs(
    fakeAnalysis((result) => {
      for (const scenario of result.suite.scenarios) scenario.trueCostUs = scenario.name === 'base' ? 0 : 3;
    }),
  );
  expect(report).toContain('\n\n1 of 2 intervals hold the true cost.\n\nEach test minus the baseline: server CPU.');
});

test.each([
  ['docs', RENDERERS.docs, []],
  ['full', RENDERERS.full, []],
  ['docs of several tasks', RENDERERS.docs, ['a', 'b']],
  ['full of several tasks', RENDERERS.full, ['a', 'b']],
] as const)('%s: hostile text shows as text', (_, render, tasks) => {
  const report = render(
    fakeAnalysis((result) => {
      if (tasks.length > 0) severalTasks(...tasks)(result);
      makeHostile(result);
    }),
  );
  expect(report).not.toMatch(/<\w|(?<!\\)\]\(|(?<!\\)\*\*b/);
  expect(report).toContain('&lt;script&gt;');
  expect(report).not.toContain('<!--');
  expect(report).not.toContain('\n# h');
  expect(printable(report)).toBe(report);
  for (const table of report.split('\n\n').filter((part) => part.startsWith('|'))) {
    const widths = table.split('\n').map((row) => row.split(/(?<!\\)\|/).length);
    expect(new Set(widths).size).toBe(1);
  }
});
