// The questions of docs/tracers.md: each answer can be read in a list, and cited.
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { marksOf, withoutFigures } from '../../benchmarks/figures/marks.ts';
import { ROOT } from '../../benchmarks/tables.ts';

const MOST_CHARACTERS = 160;

/** What a number means if it is a figure: it takes that much, or that many times as much. */
const UNIT = 'µs|ms|s|seconds|minutes|%|x|times|bytes|KiB|MiB|GiB|KB|MB|GB|/s|requests a second';
const FIGURE = new RegExp(`\\d[\\d.,]*(?: ?±[\\d.,]+)? ?(?:${UNIT})(?![\\p{L}\\d])`, 'u');

/** The cells of each row in the table of questions. */
function questions(): { question: string; answer: string }[] {
  const document = readFileSync(join(ROOT, 'docs/tracers.md'), 'utf8');
  const [, section = ''] = document.split('## Questions that people ask\n');
  const [, table = ''] = /((?:^\|.*\n)+)/m.exec(section) ?? [];
  const rows = table.trimEnd().split('\n').slice(2);
  return rows.map((row) => {
    const [question = '', answer = ''] = row.split('|').slice(1);
    return { question: question.trim(), answer: answer.trim() };
  });
}

/** As a reader sees it: links without their targets, and no comments. */
function visible(text: string): string {
  return text
    .replace(/<!--.*?-->/g, '')
    .replace(/\]\([^)]*\)/g, ']')
    .replace(/[[\]`]/g, '');
}

test('there are questions', () => {
  expect(questions().length).toBeGreaterThan(15);
});

test.each(questions())('$question: one short sentence with a figure and a link', ({ answer }) => {
  const text = visible(answer);
  expect(text.length).toBeLessThanOrEqual(MOST_CHARACTERS);
  expect(text).toEndWith('.');
  expect(text).not.toMatch(/[.?!] \p{Lu}/u);
  expect(answer).toMatch(/\]\([^)]+\)/);
  expect(marksOf(answer).filter(({ mark }) => mark.kind !== 'setting')).not.toEqual([]);
});

test.each(questions())('$question: each figure is printed from a result', ({ answer }) => {
  expect(visible(withoutFigures(answer))).not.toMatch(FIGURE);
});

test('what is taken for a figure', () => {
  for (const text of ['43 ±4 µs', '1,000 requests a second', '0.6 %', '2.8 times', '11 s'])
    expect(text).toMatch(FIGURE);
  for (const text of ['SDK 3', 'Node 24 says', 'version 11', '64 slots'])
    expect(text).not.toMatch(FIGURE);
});
