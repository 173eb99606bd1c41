// What a history makes of several results: which can be compared, and what became of each line.
import { describe, expect, test } from 'bun:test';
import type { Result } from '../result/schema.ts';
import { asRevisions, fakeExported, fakeTask } from '../testing/fakes.ts';
import { fakeRunAt } from '../testing/histories.ts';
import type { Run } from './analysis.ts';
import { historyOf, obstacleOf } from './history.ts';

/** The line of `Other`, and what became of it. */
function otherOf(history: ReturnType<typeof historyOf>) {
  const line = history.lines.find(({ label }) => label === 'Other');
  return { points: line?.points ?? [], change: line?.change.missing === null ? line.change : null };
}

const onOtherMachine = ({ environment }: Result) => Object.assign(environment, { cpu: 'Other' });
const withPackage = (version: string) => (result: Result) => {
  for (const scenario of result.suite.scenarios) scenario.packages = { sdk: version };
};

describe('a line', () => {
  test('goes through all results in the order of time, in whatever order they are given', () => {
    const history = historyOf([fakeRunAt(3, 30), fakeRunAt(1, 20), fakeRunAt(2, 25)]);
    const { points } = otherOf(history);
    expect(points.map(({ multiple }) => multiple.value.toFixed(1))).toEqual(['2.0', '2.5', '3.0']);
    expect(points.map(({ isStart }) => isStart)).toEqual([true, false, false]);
    expect(history.marks).toEqual([]);
  });

  test('is dearer if the last result lies surely above the first', () => {
    const { change } = otherOf(historyOf([fakeRunAt(1, 20), fakeRunAt(2, 25)]));
    expect(change?.direction).toBe('worse');
    expect(change?.multiple.value).toBeCloseTo(0.5);
    expect(change?.relative.value).toBeCloseTo(0.25);
  });

  test('is not known to have changed if a slower hour made both servers slower', () => {
    const { change } = otherOf(historyOf([fakeRunAt(1, 20), fakeRunAt(2, 30, 15)]));
    expect(change?.direction).toBe('unclear');
    const nearlyAsFast = otherOf(historyOf([fakeRunAt(1, 20), fakeRunAt(2, 21, 10.5)]));
    expect(nearlyAsFast.change?.direction).toBe('insignificant');
  });

  test('is not called cheaper if its cost stayed in a slower hour', () => {
    const { change } = otherOf(historyOf([fakeRunAt(1, 20), fakeRunAt(2, 25, 15)]));
    expect(change?.direction).toBe('unclear');
  });

  test('is not known if a large change may be hidden', () => {
    const noisy = fakeRunAt(2, 21, 10, ({ pairs }) => {
      for (const [index, pair] of pairs.entries())
        for (const slice of pair.duets)
          if (slice.scenario.cpuNs) slice.scenario.cpuNs *= 1 + (index % 3);
    });
    const { change } = otherOf(historyOf([fakeRunAt(1, 20), noisy]));
    expect(change?.direction).toBe('unclear');
  });
});

test('a line may not be dearer than what read too low, nor cheaper if it does so itself', () => {
  const withLoss = ({ pairs }: Result) => {
    for (const { exported } of pairs) exported.scenario = fakeExported(1_000, 700);
  };
  const directionFrom = (...runs: Run[]) => otherOf(historyOf(runs)).change?.direction;
  expect(directionFrom(fakeRunAt(1, 20, 10, withLoss), fakeRunAt(2, 25))).toBe('unclear');
  expect(directionFrom(fakeRunAt(1, 25, 10, withLoss), fakeRunAt(2, 20))).toBe('better');
  expect(directionFrom(fakeRunAt(1, 25), fakeRunAt(2, 20, 10, withLoss))).toBe('unclear');
  expect(directionFrom(fakeRunAt(1, 20), fakeRunAt(2, 25, 10, withLoss))).toBe('worse');
});

describe('a line breaks', () => {
  test('where its CPU is of slices of another kind', () => {
    const alternating = ({ pairs }: Result) => {
      for (const pair of pairs) if (pair.scenario === 'other') pair.cpuFrom = 'alternating';
    };
    const history = historyOf([fakeRunAt(1, 20), fakeRunAt(2, 20, 10, alternating)]);
    const { points, change } = otherOf(history);
    expect(points.map(({ isStart }) => isStart)).toEqual([true, true]);
    expect(change).toBeNull();
    expect(history.marks.map(({ breaks }) => breaks)).toEqual([
      ['CPU of Other was of duets, and is of alternating slices'],
    ]);
  });

  test('where the machine changes, and its change begins after that', () => {
    const history = historyOf([
      fakeRunAt(1, 40),
      fakeRunAt(2, 20, 10, onOtherMachine),
      fakeRunAt(3, 20, 10, onOtherMachine),
    ]);
    const { points, change } = otherOf(history);
    expect(points.map(({ isStart }) => isStart)).toEqual([true, true, false]);
    expect(change).toMatchObject({ first: { at: 1 }, last: { at: 2 } });
    expect(history.marks).toMatchObject([
      { number: 1, at: 1, breaks: ['machine.cpu was "Test CPU", and is "Other"'], software: [] },
    ]);
  });

  test('where its own request changes, and lines of other tasks go on', () => {
    const twoTasks = (path: string) => (result: Result) => {
      const { pairs, suite } = result;
      const tasks = [fakeTask('first'), fakeTask('second')];
      Object.assign(tasks[1]?.exchanges[0] ?? {}, { path });
      suite.tasks = tasks;
      result.pairs = tasks.flatMap(({ name }) => pairs.map((pair) => ({ ...pair, task: name })));
    };
    const { lines, marks } = historyOf([
      fakeRunAt(1, 20, 10, twoTasks('/old')),
      fakeRunAt(2, 20, 10, twoTasks('/new')),
    ]);
    const starts = lines.map(({ label, points }) => [label, points[1]?.isStart]);
    expect(starts).toEqual([
      ['First: Other', false],
      ['Second: Other', true],
    ]);
    expect([...(marks[0]?.lines ?? [])].map(([{ label }]) => label)).toEqual(['Second: Other']);
  });

  test('but not at an upgrade, which is marked', () => {
    const history = historyOf([
      fakeRunAt(1, 20, 10, withPackage('1')),
      fakeRunAt(2, 30, 10, withPackage('2')),
    ]);
    const { marks } = history;
    expect(otherOf(history).change?.direction).toBe('worse');
    expect(marks).toMatchObject([
      { at: 1, breaks: [], software: ['package.sdk was "1", and is "2"'] },
    ]);
    expect([...(marks[0]?.lines.values() ?? [])]).toEqual([false]);
  });

  test('also across a result that does not know the row', () => {
    const withoutOther = (result: Result) => {
      result.pairs = result.pairs.filter(({ scenario }) => scenario === 'base');
    };
    const { lines } = historyOf([
      fakeRunAt(1, 20),
      fakeRunAt(2, 20, 10, withoutOther),
      fakeRunAt(3, 20, 10, onOtherMachine),
    ]);
    expect(lines[0]?.points.map(({ at, isStart }) => [at, isStart])).toEqual([
      [0, true],
      [2, true],
    ]);
    expect(lines[0]?.change).toEqual({ missing: 'nothing-before' });
  });
});

test('a line that the last result does not have, or too few pairs of, has no change', () => {
  const without = (result: Result) => {
    result.pairs = [];
  };
  const short = (result: Result) => {
    result.pairs = result.pairs.slice(0, 2);
  };
  const changeAfter = (edit: (result: Result) => void) =>
    historyOf([fakeRunAt(1, 20), fakeRunAt(2, 20, 10, edit)]).lines[0]?.change;
  expect(changeAfter(without)).toEqual({ missing: 'not-in-last' });
  expect(changeAfter(short)).toEqual({ missing: 'few-pairs' });
});

test('results of a machine are compared although another one came between them', () => {
  const { lines } = historyOf([
    fakeRunAt(1, 20),
    fakeRunAt(2, 40, 10, onOtherMachine),
    fakeRunAt(3, 30),
  ]);
  expect(lines[0]?.change).toMatchObject({ first: { at: 0 }, last: { at: 2 } });
});

test('no history is made of two suites, of revisions, or of a result and its copy', () => {
  const other = fakeRunAt(2, 20, 10, ({ suite }) => Object.assign(suite, { name: 'another' }));
  expect(obstacleOf([fakeRunAt(1, 20), fakeRunAt(2, 20)])).toBeNull();
  expect(obstacleOf([fakeRunAt(1, 20), other])).toEqual({
    kind: 'other-suite',
    suites: ['fake', 'another'],
  });
  expect(obstacleOf([1, 2].map((day) => fakeRunAt(day, 20, 10, asRevisions)))).toEqual({
    kind: 'revisions',
  });
  expect(obstacleOf([fakeRunAt(1, 20), fakeRunAt(1, 20)])).toMatchObject({ kind: 'same-result' });
});
