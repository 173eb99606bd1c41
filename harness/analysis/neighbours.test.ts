import { expect, test } from 'bun:test';
import type { Result } from '../result/schema.ts';
import { fakeAnalysis, severalTasks } from '../testing/fake-analysis.ts';
import { fakePairs, fakeTask } from '../testing/fakes.ts';
import { neighboursOf } from './neighbours.ts';

/** What a request takes in five pairs, in µs. */
const around = (us: number, spread = 0.02) => [
  us,
  us + spread,
  us - spread,
  us + spread / 2,
  us - spread / 2,
];

/** The same pairs for each of these tasks, which have all three scenarios. */
const ofThree =
  (...names: string[]) =>
  (result: Result) => {
    severalTasks(...names)(result);
    result.suite.tasks = names.map((name) => fakeTask(name, ['base', 'other', 'third']));
  };

const BASE = fakePairs('base', around(10));

function neighbours(...pairs: ReturnType<typeof fakePairs>[]) {
  return neighboursOf(fakeAnalysis(undefined, [...BASE, ...pairs.flat()]).tasks, () => true);
}

test('rows are apart, alike within a tenth of what they take, or neither is known', () => {
  const other = fakePairs('other', around(20));
  const kindBeside = (costsUs: number[]) =>
    neighbours(other, fakePairs('third', costsUs)).map(({ kind }) => kind);
  expect(kindBeside(around(23))).toEqual(['apart']);
  expect(kindBeside(around(20.01))).toEqual(['alike']);
  expect(kindBeside(around(20.5, 4))).toEqual(['unclear']);
});

test('the cheaper of two stands first, and the difference is a share of what it takes', () => {
  const [only] = neighbours(fakePairs('other', around(25)), fakePairs('third', around(20)));
  expect([only?.first.scenario, only?.second.scenario]).toEqual(['third', 'other']);
  expect(only?.difference.value).toBeCloseTo(0.25, 2);
});

test('each has a neighbour in its own task alone, and more rows make intervals wider', () => {
  const pairs = [...BASE, ...fakePairs('other', around(20)), ...fakePairs('third', around(21))];
  const one = neighboursOf(fakeAnalysis(ofThree('Get'), pairs).tasks, () => true);
  const two = neighboursOf(fakeAnalysis(ofThree('Get', 'Post'), pairs).tasks, () => true);
  expect(two.map(({ first, second }) => [first.task, second.task])).toEqual([
    ['Get', 'Get'],
    ['Post', 'Post'],
  ]);
  const [width, wider] = [one, two].map(([first]) =>
    first ? first.difference.high - first.difference.low : Number.NaN,
  );
  expect(wider).toBeGreaterThan(width as number);
});

test('a row that does not count stands between no others', () => {
  const pairs = [20, 21, 22].flatMap((us) => fakePairs(`row-${us}`, around(us)));
  const { tasks } = fakeAnalysis(undefined, [...BASE, ...pairs]);
  const found = neighboursOf(
    tasks,
    ({ scenario }) => scenario === 'row-20' || scenario === 'row-22',
  );
  expect(found.map(({ first, second }) => [first.scenario, second.scenario])).toEqual([
    ['row-20', 'row-22'],
  ]);
});
