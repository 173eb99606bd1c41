import { expect, test } from 'bun:test';
import { asMarkdown } from '../report/formats.ts';
import { fakeAnalysis } from '../testing/fake-analysis.ts';
import { fakeSide, frame } from '../testing/fake-profiles.ts';
import { cleanPairs, fakePairs } from '../testing/fakes.ts';
import { explain } from './explanation.ts';
import { details, ladderTable } from './explanation-tables.ts';

test('a ladder has the difference from row to row, and its interval comes from both', () => {
  const pairs = [...cleanPairs(), ...fakePairs('third', [15.1, 14.9, 15, 15.05, 14.95])];
  const [task] = fakeAnalysis(undefined, pairs).tasks;
  const rows = task ? ladderTable(task).rows : [];
  const third = [expect.stringMatching(/^\+3\.00 µs ±0\.1\d$/), expect.stringMatching(/^\+5\.00 µs ±0\.1\d$/)];
  expect(rows.map(([title]) => title)).toEqual(['Other', 'Third']);
  expect(rows[0]?.[1]).toBe(rows[0]?.[2] as string);
  expect(rows[1]?.slice(1)).toEqual(third);
});

test('functions and kernel; without perf a line says what would bring it', () => {
  const [row] = fakeAnalysis().tasks[0]?.rows ?? [];
  if (!row) throw new Error('no row');
  const side = (name: 'baseline' | 'scenario', kernel: Record<string, number> | null) =>
    fakeSide(name, [[[frame('run', 'hono')], name === 'baseline' ? 2 : 4]], { kernel });
  const text = (kernel: Record<string, number> | null) => {
    const pair = { baseline: side('baseline', kernel), scenario: side('scenario', kernel) };
    return asMarkdown(details(explain(row, 'Base', cleanPairs(), [pair, pair])));
  };
  expect(text({ sendto: 3 })).toMatch(
    /### What the kernel did\n\n\| System call .*\n.*\n\| sendto .*\n\| system time /,
  );
  expect(text({ sendto: 3 })).toContain('| run (index.js:2:2) of hono |');
  expect(text(null)).toContain('with perf installed (Debian: linux-perf)');
});
