// What is told of several results: the sentence, the tables, the picture and the page.
import { describe, expect, test } from 'bun:test';
import type { Run } from '../../analysis/analysis.ts';
import { historyOf } from '../../analysis/history.ts';
import type { Result } from '../../result/schema.ts';
import { makeHostile } from '../../testing/fake-analysis.ts';
import { fakeExported, fakePairs } from '../../testing/fakes.ts';
import { fakeRunAt } from '../../testing/histories.ts';
import { historyPicture } from '../picture/history-picture.ts';
import { WIDE } from '../picture/layout.ts';
import { historyAnswer } from './answer.ts';
import { historyPage } from './page.ts';
import { historyText } from './text.ts';

const onOtherMachine = ({ environment }: Result) => Object.assign(environment, { cpu: 'Other' });
const withUpgrade = ({ suite }: Result) => {
  for (const scenario of suite.scenarios) scenario.packages = { hono: '5.0.0' };
};

/** A run that has a second scenario, `more`, with this cost. */
const withMore = (day: number, otherUs: number, moreUs: number): Run =>
  fakeRunAt(day, otherUs, 10, (result) => {
    const more = [0.99, 1, 1.01, 1].flatMap((factor) => fakePairs('more', [moreUs * factor]));
    const [scenario] = result.suite.scenarios;
    if (scenario) result.suite.scenarios.push({ ...scenario, name: 'more', title: 'More' });
    result.suite.tasks[0]?.scenarios.push('more');
    result.pairs.push(...more);
  });

const answerOf = (...runs: Run[]) => historyAnswer(historyOf(runs));

describe('the answer', () => {
  test('says that nothing changed, and since when', () => {
    expect(answerOf(fakeRunAt(2, 28), fakeRunAt(5, 28.2))).toBe(
      "Other: 2.80 to 2.82 times the baseline's CPU, no significant difference since 2026-11-02 2a1b2c3.",
    );
  });

  test.each([
    [31, 'more'],
    [25, 'less'],
  ])('says how much dearer or cheaper a row got: %d µs', (otherUs, than) => {
    expect(answerOf(fakeRunAt(2, 28), fakeRunAt(5, otherUs))).toMatch(
      new RegExp(
        `times the baseline's CPU, [\\d.]+ ±[\\d.]+ % ${than} since 2026-11-02 2a1b2c3\\.$`,
      ),
    );
  });

  test('says why nobody knows whether a row got dearer', () => {
    const lossy = fakeRunAt(2, 28, 10, ({ pairs }) => {
      for (const { exported } of pairs) exported.scenario = fakeExported(1_000, 700);
    });
    expect(answerOf(lossy, fakeRunAt(5, 31))).toMatch(
      /; it is not known whether it changed since 2026-11-02 2a1b2c3 \(\+[\d.]+ ±[\d.]+ %, which reads too high, since the old server lost spans or log records\)\.$/,
    );
    expect(historyText(historyOf([lossy, fakeRunAt(5, 31)]), { format: 'docs' })).toContain(
      '| not known: reads too high, since the old server lost spans or log records |',
    );
  });

  test('names the row that got dearest, and counts the others', () => {
    expect(answerOf(withMore(1, 20, 30), withMore(2, 20, 40))).toMatch(
      /^More: 3\.00 to 4\.00 times .* Other rows: 1 without a significant difference\.$/,
    );
  });

  test('says why nothing can be compared with the last result', () => {
    expect(answerOf(fakeRunAt(1, 20), fakeRunAt(2, 20, 10, onOtherMachine))).toBe(
      'Nothing can be compared with the last result, 2026-11-02 2a1b2c3: machine.cpu was "Test CPU", and is "Other".',
    );
  });

  test('does not blame an older difference if the last result has too few pairs', () => {
    const fewPairs = fakeRunAt(3, 20, 10, (result) => {
      onOtherMachine(result);
      result.pairs = result.pairs.filter(
        ({ scenario }, at) => scenario === 'base' || at === result.pairs.length - 1,
      );
    });
    expect(answerOf(fakeRunAt(1, 20), fakeRunAt(2, 20, 10, onOtherMachine), fewPairs)).toMatch(
      /: no row has \d pairs of one kind there and before\.$/,
    );
  });

  test('says that nobody knows, if no result tells of CPU', () => {
    const without = (day: number) => fakeRunAt(day, 20, 10, (result) => result.pairs.splice(0));
    expect(answerOf(without(1), without(2))).toBe('No result knows what a request takes of CPU.');
  });
});

describe('the text', () => {
  const runs = [
    fakeRunAt(1, 20),
    fakeRunAt(2, 25, 10, onOtherMachine),
    fakeRunAt(3, 25, 10, (result) => {
      onOtherMachine(result);
      withUpgrade(result);
    }),
  ];

  test('has a row for each result, its marks, and why they stand there', () => {
    const text = historyText(historyOf(runs), { format: 'docs' });
    expect(text).toContain("| Times the baseline's CPU |");
    expect(text).toMatch(/^\| 2026-11-01 1a1b2c3 +\| +2\.000 ±\d/m);
    expect(text).toMatch(/^\| 2026-11-02 2a1b2c3 \(1\) \| +\+15\.00 ±[\d.]+ µs \|$/m);
    expect(text).toContain(
      '- (1) 2026-11-02 2a1b2c3: the line breaks: machine.cpu was "Test CPU", and is "Other".',
    );
    expect(text).toContain(
      '- (2) 2026-11-03 3a1b2c3: other software: package.hono was "4.13.19", and is "5.0.0".',
    );
    expect(text).toMatch(/^\| Other +\| 2026-11-02 2a1b2c3 \|.*no significant difference \|$/m);
  });

  test('ends in a terminal with the answer', () => {
    const text = historyText(historyOf(runs), { format: 'terminal', color: false });
    expect(text.replace(/\s+/g, ' ')).toEndWith(
      'no significant difference since 2026-11-02 2a1b2c3.',
    );
  });

  test('tells results of one commit and day apart by their time', () => {
    const later = fakeRunAt(1, 20, 10, (result) => {
      result.startedAt = '2026-11-01T09:30:00.000Z';
    });
    const text = historyText(historyOf([fakeRunAt(1, 20), later]), {});
    expect(text).toContain('| 2026-11-01 08:00 1a1b2c3 |');
    expect(text).toContain('| 2026-11-01 09:30 1a1b2c3 |');
  });

  test('as JSON has the multiples of each line, and the marks', () => {
    const data = JSON.parse(historyText(historyOf(runs), { format: 'json' }));
    expect(data).toMatchObject({
      suite: 'fake',
      lines: [{ label: 'Other', scenario: 'other', change: { first: 1, last: 2 } }],
      marks: [{ number: 1, lines: [{ label: 'Other', isBroken: true }] }, { number: 2 }],
    });
    expect(data.lines[0].points[0].multiple.value).toBeCloseTo(2);
  });

  test('as JSON calls a change what tables call it', () => {
    const data = JSON.parse(
      historyText(historyOf([fakeRunAt(1, 20), fakeRunAt(2, 25)]), { format: 'json' }),
    );
    expect(data.lines).toMatchObject([{ change: { first: 0, last: 1, direction: 'dearer' } }]);
  });
});

describe('the picture', () => {
  const paths = (svg: string | undefined) =>
    [...String(svg).matchAll(/<path d="([^"]*)" stroke="#2f7fc1" stroke-width/g)].map(
      ([, path = '']) => path.replace(/[^ML]/g, ''),
    );

  test('has a line for each row, with a gap where it breaks', () => {
    const history = historyOf([
      fakeRunAt(1, 20),
      fakeRunAt(2, 21),
      fakeRunAt(3, 22, 10, onOtherMachine),
    ]);
    const svg = historyPicture(history, WIDE);
    expect(paths(svg)).toEqual(['MLM']);
    expect(svg?.match(/stroke-dasharray/g)).toHaveLength(1);
    expect(svg).toContain('<title>Other, 2026-11-02 2a1b2c3: 2.1');
  });

  test('goes on at an upgrade, which has a number and no dashes', () => {
    const svg = historyPicture(
      historyOf([fakeRunAt(1, 20), fakeRunAt(2, 21, 10, withUpgrade)]),
      WIDE,
    );
    expect(paths(svg)).toEqual(['ML']);
    expect(svg).not.toContain('stroke-dasharray');
    expect(svg).toMatch(/text-anchor="middle">1<\/text>/);
  });

  test.each([
    ['single pairs', (result: Result) => result.pairs.splice(1)],
    ['nothing measured', (result: Result) => result.pairs.splice(0)],
    ['no git', (result: Result) => Object.assign(result.environment, { gitRevision: null })],
  ])('of %s has no broken number', (_, edit) => {
    const history = historyOf([1, 2].map((day) => fakeRunAt(day, 20, 10, edit)));
    const html = historyPage(history).replace(/<script>.*?<\/script>/s, '');
    expect(html).not.toMatch(/NaN|Infinity|undefined|null/);
  });
});

test('the page keeps many marks folded', () => {
  const runs = [1, 2, 3, 4, 5, 6, 7, 8].map((day) =>
    fakeRunAt(day, 20, 10, ({ environment }) => {
      environment.cpu = `Machine ${day}`;
    }),
  );
  expect(historyPage(historyOf(runs))).not.toContain('<details open>');
  expect(historyPage(historyOf(runs.slice(0, 3)))).toContain('<details open>');
});

test('the page begins with its answer, explains breaks, and shows hostile text as text', () => {
  const html = historyPage(
    historyOf([
      fakeRunAt(1, 20),
      fakeRunAt(2, 20),
      fakeRunAt(3, 20, 10, (result) => {
        makeHostile(result);
        for (const pair of result.pairs) pair.faults = [];
      }),
    ]),
  );
  for (const part of ['Where lines break, or software changed', 'All results'])
    expect(html).toContain(`<summary><h2>${part}</h2></summary>`);
  expect(html).toContain('3 results of 1 row. Test CPU, 2 cores; &lt;script&gt;');
  expect(html.match(/<script/g)).toHaveLength(1);
  expect(html).not.toMatch(/(?![\r\n])\p{Cc}|\p{Bidi_Control}/u);
});
