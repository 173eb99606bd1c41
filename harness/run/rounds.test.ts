import { describe, expect, test } from 'bun:test';
import type { Plan } from '../plan/plan.ts';
import type { Pair, Result } from '../result/schema.ts';
import { fakePlan, fakeRows } from '../testing/fake-plan.ts';
import { fakeFault, fakePair, fakeResult } from '../testing/fakes.ts';
import { planRounds } from './order.ts';
import { endReasonOf, roundsOf, rowNeeds } from './rounds.ts';

const WITHIN = { pairs: 4, mostPairs: 12, within: { value: 10, unit: '%' } } as const;

/** What the n-th pair of each scenario costs, in µs: `base` is always alike, `other` is noisy. */
const NOISY = (scenario: string, pair: number) =>
  scenario === 'base' ? 10 + 0.01 * (pair % 2) : 30 + 4 * Math.sin(pair * 2.4);

/** Goes through the rounds as a run does: each pair that is asked for is added to the result. */
function measured(
  plan: Plan,
  costUs: (scenario: string, pair: number) => number,
  { pairs = [] as Pair[], stopAfter = Number.POSITIVE_INFINITY, faulty = '' } = {},
): Result {
  const { suite } = fakeResult(plan.rows.map(({ scenario }) => fakePair(scenario.name)));
  const result = { ...fakeResult([]), suite, pairs: [...pairs] };
  for (const round of roundsOf(plan, result))
    for (const { row } of round.pairs) {
      if (result.pairs.length >= stopAfter) return result;
      const { name } = row.scenario;
      const pair = result.pairs.filter(({ scenario }) => scenario === name).length;
      const made = fakePair(name, costUs(name, pair));
      const faults = name === faulty ? [fakeFault()] : [];
      result.pairs.push({ ...made, faults });
    }
  return result;
}

const namesOf = ({ pairs }: Result) => pairs.map(({ scenario }) => scenario);
const countOf = (result: Result, name: string) =>
  namesOf(result).filter((each) => each === name).length;

test('a fixed number: as many rounds, in the order of the seed', () => {
  const plan = fakePlan({ pairs: 3 });
  const planned = planRounds(plan.rows, 3, plan.header.configuration.seed);
  const result = measured(plan, NOISY);
  expect(namesOf(result)).toEqual(planned.map(({ row }) => row.scenario.name));
  expect(endReasonOf(plan, rowNeeds(plan, result), result)).toBe('complete');
});

test('a precision: a row that is known gets no more pairs, one that is not goes on', () => {
  const plan = fakePlan(WITHIN);
  const result = measured(plan, NOISY);
  expect(countOf(result, 'base')).toBe(4);
  expect(countOf(result, 'other')).toBeWithin(5, 13);
  const needs = rowNeeds(plan, result);
  expect(needs.map(({ morePairs }) => morePairs)).toEqual([0, 0]);
  expect(endReasonOf(plan, needs, result)).toBe('short');
});

describe('a limit', () => {
  const LIMIT = { ...WITHIN, within: null };
  const planAt = (value: number) =>
    fakePlan({ ...LIMIT, limits: { cpu: { value, unit: '%' }, p99Us: null } });

  test('that a row is surely above or below of ends it after the fewest pairs', () => {
    for (const percent of [50, 400]) {
      const plan = planAt(percent);
      const result = measured(plan, NOISY);
      expect([countOf(result, 'base'), countOf(result, 'other')]).toEqual([4, 4]);
      expect(endReasonOf(plan, rowNeeds(plan, result), result)).toBe('known');
    }
  });

  test('that nobody is sure of takes more pairs of that row alone, to the most', () => {
    const plan = planAt(200);
    const result = measured(plan, NOISY);
    expect([countOf(result, 'base'), countOf(result, 'other')]).toEqual([4, 12]);
    expect(endReasonOf(plan, rowNeeds(plan, result), result)).toBe('short');
  });

  test('and a precision, if both are asked for, are to be reached', () => {
    const plan = fakePlan({ ...WITHIN, limits: { cpu: { value: 400, unit: '%' }, p99Us: null } });
    expect(countOf(measured(plan, NOISY), 'other')).toBe(
      countOf(measured(fakePlan(WITHIN), NOISY), 'other'),
    );
  });

  test('of a run that goes on decides what it would have decided', () => {
    const plan = planAt(212);
    const whole = measured(plan, NOISY);
    expect(countOf(whole, 'other')).toBeGreaterThan(4);
    const { pairs } = measured(plan, NOISY, { stopAfter: whole.pairs.length - 2 });
    expect(namesOf(measured(plan, NOISY, { pairs }))).toEqual(namesOf(whole));
  });
});

describe('a ranking', () => {
  // Each is known within 10 % by four pairs. The last two are 5 % apart, which takes more.
  const MEANS: Record<string, number> = { base: 10, other: 50, third: 100, fourth: 105 };
  const NOISES: Record<string, number> = { base: 0.01, other: 2, third: 4, fourth: 4 };
  const costUs = (name: string, pair: number) =>
    (MEANS[name] ?? 0) + (NOISES[name] ?? 0) * Math.sin(pair * 2.4);
  const rowOf = (name: string) => fakeRows({}, { name }).slice(1);
  const rows = [...fakeRows(), ...rowOf('third'), ...rowOf('fourth')];
  const countsWith = (isRanking: boolean, faulty = '') => {
    const plan = fakePlan({ ...WITHIN, isRanking }, rows);
    const result = measured(plan, costUs, { faulty });
    const counts = rows.map(({ scenario }) => countOf(result, scenario.name));
    return { counts, endReason: endReasonOf(plan, rowNeeds(plan, result), result) };
  };

  test('gives pairs to known rows until they are told apart', () => {
    expect(countsWith(false)).toEqual({ counts: [4, 4, 4, 4], endReason: 'known' });
    const { counts, endReason } = countsWith(true);
    expect(counts.slice(0, 2)).toEqual([4, 4]);
    expect(counts[2]).toBeWithin(5, 13);
    expect(counts[3]).toBe(counts[2] as number);
    expect(endReason).toBe('known');
  });

  test('goes on beside a row that is given up', () => {
    const { counts, endReason } = countsWith(true, 'other');
    expect(counts.slice(0, 2)).toEqual([4, 2]);
    expect(counts[2]).toBeWithin(5, 13);
    expect(endReason).toBe('short');
  });
});

test('pairs for which the rule would not have asked decide, too', () => {
  const plan = fakePlan(WITHIN);
  const costUs = (pair: number) => (pair < 4 ? 30 + 0.01 * pair : 30 + 10 * (pair % 2));
  const pairs = Array.from({ length: 8 }, (_, pair) => [
    fakePair('base', NOISY('base', pair)),
    fakePair('other', costUs(pair)),
  ]).flat();
  expect(roundsOf(plan, fakeResult(pairs.slice(0, 8))).next().done).toBe(true);
  expect(roundsOf(plan, fakeResult(pairs)).next().done).toBe(false);
});

test('a row that never is known ends at the most pairs', () => {
  const plan = fakePlan(WITHIN);
  const result = measured(plan, (name, pair) => (name === 'base' ? 10 : pair % 2 ? 5 : 60));
  expect(countOf(result, 'other')).toBe(12);
  expect(endReasonOf(plan, rowNeeds(plan, result), result)).toBe('short');
});

test('a row with faults does not keep the run from its end', () => {
  const plan = fakePlan(WITHIN);
  const result = measured(plan, NOISY, { faulty: 'other' });
  expect(countOf(result, 'other')).toBe(2);
  expect(endReasonOf(plan, rowNeeds(plan, result), result)).toBe('short');
});

test('wherever a run stops, it goes on with the pairs that it would have measured', () => {
  const plan = fakePlan(WITHIN);
  const whole = measured(plan, NOISY);
  for (let stopAfter = 0; stopAfter < whole.pairs.length; stopAfter++) {
    const { pairs } = measured(plan, NOISY, { stopAfter });
    expect(pairs.length).toBe(stopAfter);
    expect(namesOf(measured(plan, NOISY, { pairs }))).toEqual(namesOf(whole));
  }
});
