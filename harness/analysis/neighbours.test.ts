import { expect, test } from 'bun:test';
import type { Result } from '../result/schema.ts';
import { fakeAnalysis, severalTasks } from '../testing/fake-analysis.ts';
import { costsAround, fakePairs, fakeTask } from '../testing/fakes.ts';
import { neighboursOf } from './neighbours.ts';

/** The same pairs for each of these tasks, which have all three scenarios. */
const ofThree =
  (...names: string[]) =>
  (result: Result) => {
    severalTasks(...names)(result);
    result.suite.tasks = names.map((name) => fakeTask(name, ['base', 'other', 'third']));
  };

const BASE = fakePairs('base', costsAround(10));

function neighbours(...pairs: ReturnType<typeof fakePairs>[]) {
  return neighboursOf(fakeAnalysis(undefined, [...BASE, ...pairs.flat()]).tasks, () => true);
}

test('rows are apart, alike within a tenth of what they take, or neither is known', () => {
  const other = fakePairs('other', costsAround(20));
  const kindBeside = (costsUs: number[]) =>
    neighbours(other, fakePairs('third', costsUs)).map(({ kind }) => kind);
  expect(kindBeside(costsAround(23))).toEqual(['apart']);
  expect(kindBeside(costsAround(20.01))).toEqual(['alike']);
  expect(kindBeside(costsAround(20.5, 4))).toEqual(['unclear']);
});

test('the cheaper of two stands first, and the difference is a share of what it takes', () => {
  const [only] = neighbours(
    fakePairs('other', costsAround(25)),
    fakePairs('third', costsAround(20)),
  );
  expect([only?.first.scenario, only?.second.scenario]).toEqual(['third', 'other']);
  expect(only?.difference.value).toBeCloseTo(0.25, 2);
});

test('each has a neighbour in its own task alone, and more rows make intervals wider', () => {
  const pairs = [
    ...BASE,
    ...fakePairs('other', costsAround(20)),
    ...fakePairs('third', costsAround(21)),
  ];
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

test('a row of fewer than three pairs is compared with no other', () => {
  const ofTwo = fakePairs('third', costsAround(23).slice(0, 2));
  expect(neighbours(fakePairs('other', costsAround(20)), ofTwo)).toEqual([]);
});

test('a row that does not count stands between no others', () => {
  const pairs = [20, 21, 22].flatMap((us) => fakePairs(`row-${us}`, costsAround(us)));
  const { tasks } = fakeAnalysis(undefined, [...BASE, ...pairs]);
  const found = neighboursOf(
    tasks,
    ({ scenario }) => scenario === 'row-20' || scenario === 'row-22',
  );
  expect(found.map(({ first, second }) => [first.scenario, second.scenario])).toEqual([
    ['row-20', 'row-22'],
  ]);
});
