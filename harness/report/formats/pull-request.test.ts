import { describe, expect, test } from 'bun:test';
import type { Comparison, CostChange } from '../../analysis/compare.ts';
import { gateAnswer, type Judgement, judgeComparisons } from '../../analysis/gate.ts';
import { type Misreading, NOT_MISREAD } from '../../analysis/misreading.ts';
import type { Limit } from '../../result/schema.ts';
import { ACCEPT_MISSING } from '../comparison.ts';
import { asPullRequestComment } from './pull-request.ts';

const FIVE_PERCENT: Limit = { value: 5, unit: '%' };

/** A row whose request took 10 µs, and now takes so many % more, ± the half-width. */
function row(
  title: string,
  percent: number,
  halfWidth: number,
  misreading: Misreading = NOT_MISREAD,
): Comparison {
  const low = percent - halfWidth;
  const high = percent + halfWidth;
  const cost: CostChange = {
    oldUs: 10,
    newUs: 10 + percent / 10,
    changeUs: { value: percent / 10, low: low / 10, high: high / 10 },
    totalUs: 10,
    relative: { value: percent / 100, low: low / 100, high: high / 100 },
    pairs: 20,
    ...misreading,
  };
  return { title, cost, missing: null };
}

const TOO_HIGH: Misreading = { ...NOT_MISREAD, tooHighBecause: 'records-lost' };
const NEW: Comparison = { title: 'GET /new', cost: null, missing: 'not in main' };
const FEW: Comparison = { ...NEW, title: 'GET /few', tooFewPairs: 1 };

/** What differs from a comparison that was measured to its end, without a warning. */
interface Circumstances {
  limit?: Limit;
  stoppedBy?: string | null;
  failingWarnings?: number;
}

function commentOn(
  comparisons: Comparison[],
  { limit = FIVE_PERCENT, stoppedBy = null, failingWarnings = 0 }: Circumstances = {},
) {
  const [judgement] = judgeComparisons(comparisons, { failAbove: limit, allowMissing: false });
  const report = {
    comparisons,
    references: [],
    differences: [],
    isPaired: true,
    oldTitles: [],
    revisions: { old: 'main (abc1234)', current: 'HEAD (def5678)' },
    stoppedBy,
    remarks: { list: [], warnings: ['Something was busy.'] },
    remedies: { notJudged: ACCEPT_MISSING },
  };
  const text = asPullRequestComment({
    report,
    judgement: judgement as Judgement,
    failingWarnings,
  });
  const [headline = ''] = text.split('\n');
  return { text, headline, answer: gateAnswer([judgement as Judgement]) };
}

describe('the first line of a comment is the verdict', () => {
  test.each<[answer: string, headline: string, comparisons: Comparison[], more: Circumstances]>([
    [
      'passed',
      'main -&gt; this change: no request got dearer by more than 0.79 %',
      [row('GET /orders', 0.1, 0.69), row('GET /', -1, 0.5)],
      {},
    ],
    [
      'passed',
      'main -&gt; this change: no request got dearer by more than 0.079 µs',
      [row('GET /orders', 0.1, 0.69)],
      { limit: { value: 1, unit: 'us' } },
    ],
    ['passed', 'main -&gt; this change: every request got cheaper', [row('GET /', -3, 0.5)], {}],
    ['failed', 'GET /orders takes 6.2 ±1.1 % more CPU', [row('GET /orders', 6.2, 1.1)], {}],
    [
      'failed',
      'GET /b takes 9.0 ±1.1 % more CPU, and 1 more is above 5 %',
      [row('GET /a', 6.2, 1.1), row('GET /b', 9, 1.1), row('GET /c', 1, 1.1)],
      {},
    ],
    [
      'undecided',
      'Not decided: GET /orders, +4.4 ±1.9 % CPU after 20 pairs',
      [row('GET /orders', 4.4, 1.9), row('GET /', 0, 1)],
      {},
    ],
    [
      'undecided',
      'Not decided: GET /orders, +0.44 ±0.19 µs CPU after 20 pairs',
      [row('GET /orders', 4.4, 1.9)],
      { limit: { value: 0.5, unit: 'us' } },
    ],
    ['undecided', 'Not decided: GET /few has 1 pair', [row('GET /', 0, 1), FEW], {}],
    [
      'undecided',
      'Not decided: GET /orders reads too high, since the old server lost spans or log records',
      [row('GET /', 0, 1), row('GET /orders', 9, 1, TOO_HIGH)],
      {},
    ],
    // What can't be judged fails the gate.
    ['failed', 'Not compared: GET /new, not in main', [row('GET /orders', 4.4, 1.9), NEW], {}],
    ['failed', 'Nothing was compared', [], {}],
    [
      'passed',
      'Not finished: the machine was about to sleep',
      [row('GET /', 0, 1)],
      { stoppedBy: 'the machine was about to sleep' },
    ],
    ['passed', 'Failed: 2 warnings, see below', [row('GET /', 0, 1)], { failingWarnings: 2 }],
  ])('%s: %s', (answer, headline, comparisons, more) => {
    const comment = commentOn(comparisons, more);
    expect(comment.headline).toBe(`### ${headline}`);
    expect(comment.answer).toBe(answer as typeof comment.answer);
  });
});

test('a comment says what to do about a row that does not pass', () => {
  const { text } = commentOn([row('GET /orders', 4.4, 1.9), row('GET /', 0, 1)]);
  expect(text).toContain('perhaps more than 5 %: ');
  expect(text).toContain('main (abc1234) -&gt; HEAD (def5678). Limit: 5 % more CPU per request.');
});

test('a comment folds all but the verdict and the table, and counts the warnings', () => {
  const { text } = commentOn([row('GET /', 0, 1)]);
  const [shown = '', folded = ''] = text.split('<details>');
  expect(shown).toContain('| GET / ');
  expect(folded).toStartWith('<summary>How it was measured, and 1 warning</summary>\n\n');
  expect(folded).toContain('Something was busy.');
  expect(folded).toEndWith('\n\n</details>');
});

test('a comment calls nobody whose name a package has', () => {
  const { text } = commentOn([row('@hono/otel', 9, 1)]);
  expect(text).toContain('@<!-- -->hono/otel');
  expect(text).not.toContain('@hono');
});

test('what a server said is for the log alone', () => {
  const stoppedBy = 'the server ended; it said: hush-hush';
  const { text, headline } = commentOn([row('GET /', 0, 1)], { stoppedBy });
  expect(headline).toBe('### Not finished: the server ended; the log says more');
  expect(text).not.toContain('hush-hush');
});
