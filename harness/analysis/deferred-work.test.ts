import { expect, test } from 'bun:test';
import type { Side } from '../result/schema.ts';
import { fakeAnalysis } from '../testing/fake-analysis.ts';
import { defersMoreThan, defersMoreThanOther, defersWork } from './deferred-work.ts';
import type { Row } from './rows.ts';

/** A row whose servers take these shares of a core after their load, and none before it. */
function rowAfter(afterLoad: Record<Side, number>): Row {
  const run = fakeAnalysis(({ pairs }) => {
    for (const pair of pairs)
      pair.restingShares = { beforeLoad: { baseline: 0, scenario: 0 }, afterLoad };
  });
  return run.tasks[0]?.rows[0] as Row;
}

test('a server defers work that takes a fiftieth of a core after its load', () => {
  const row = rowAfter({ baseline: 0.01, scenario: 0.02 });
  expect(defersWork(row, 'scenario')).toBe(true);
  expect(defersWork(row, 'baseline')).toBe(false);
});

test('and more of it than another by as much', () => {
  const row = rowAfter({ baseline: 0.3, scenario: 0.31 });
  expect(defersMoreThanOther(row, 'scenario')).toBe(false);
  expect(defersMoreThanOther(rowAfter({ baseline: 0.3, scenario: 0.4 }), 'scenario')).toBe(true);
  expect(defersMoreThanOther(rowAfter({ baseline: 0.3, scenario: 0 }), 'baseline')).toBe(true);
  expect(defersMoreThan(row, rowAfter({ baseline: 0, scenario: 0.2 }))).toBe(true);
  expect(defersMoreThan(rowAfter({ baseline: 0, scenario: 0.2 }), row)).toBe(false);
});
