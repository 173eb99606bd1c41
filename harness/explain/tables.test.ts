import { expect, test } from 'bun:test';
import { asMarkdown } from '../report/formats/markdown.ts';
import { fakeAnalysis } from '../testing/fake-analysis.ts';
import { fakeProfile, frame } from '../testing/fake-profiles.ts';
import { cleanPairs, fakeFault, fakePairs } from '../testing/fakes.ts';
import { explain } from './explanation.ts';
import { details, ladderTable, summary } from './tables.ts';

test('a ladder has the difference from row to row, and its interval comes from both', () => {
  const pairs = [...cleanPairs(), ...fakePairs('third', [15.1, 14.9, 15, 15.05, 14.95])];
  const [task] = fakeAnalysis(undefined, pairs).tasks;
  if (!task) throw new Error('no task');
  expect(asMarkdown([{ tables: [ladderTable(task)] }])).toMatchSnapshot();
});

test('a row that is invalid has no step, and its cost is not booked to the next one', () => {
  const pairs = [
    ...cleanPairs(),
    ...fakePairs('third', [15.1, 14.9, 15]),
    ...fakePairs('fourth', [16, 16.1, 15.9]),
  ];
  const [task] = fakeAnalysis((result) => {
    for (const pair of result.pairs) if (pair.scenario === 'third') pair.faults.push(fakeFault());
  }, pairs).tasks;
  if (!task) throw new Error('no task');
  const steps = ladderTable(task).rows.map(([title, step]) => [title?.text, step?.text === '-']);
  expect(steps).toEqual([
    ['Other', false],
    ['Third', true],
    ['Fourth', true],
  ]);
});

test('an explanation shows parts, functions and system calls, or what would show those', () => {
  const [row] = fakeAnalysis().tasks[0]?.rows ?? [];
  if (!row) throw new Error('no row');
  const text = (kernel: Record<string, number> | null) => {
    const profile = (samples: number) =>
      fakeProfile([[[frame('run', 'hono')], samples]], { kernel });
    const pair = { baseline: profile(2), scenario: profile(4) };
    const explanation = explain(row, 'Base', [pair, pair]);
    return asMarkdown([summary(explanation), ...details(explanation)]);
  };
  expect(text({ sendto: 3 })).toMatchSnapshot();
  expect(text(null)).toContain('with perf installed (Debian: linux-perf)');
});
