import { describe, expect, test } from 'bun:test';
import { type PlannedPair, planPairs } from './pair/order.ts';
import type { Pair, Result } from './result/schema.ts';
import { measurePairs } from './run.ts';
import type { LoadedTask } from './suite/load.ts';
import { fakePair, fakeResult } from './testing/fakes.ts';

/** A result in which nothing is measured yet. */
function emptyResult(configuration: Partial<Result['configuration']> = {}): Result {
  const result = fakeResult([]);
  return { ...result, configuration: { ...result.configuration, pairs: 3, ...configuration } };
}

/** The tasks as a plan has them. */
function tasksOf({ suite }: Result): LoadedTask[] {
  const { tasks } = suite;
  return tasks.map(({ name, scenarios }) => ({
    name,
    scenarios: scenarios.map((each) => ({ name: each })),
  })) as LoadedTask[];
}

/** Measures with a fake, and notes what happens in which order. */
async function measured(result: Result, measure: (planned: PlannedPair, index: number) => Pair) {
  const events: string[] = [];
  const planned: PlannedPair[] = [];
  const executor = async (each: PlannedPair) => {
    events.push(`measure ${each.scenario.name}`);
    planned.push(each);
    return measure(each, planned.length - 1);
  };
  const run = measurePairs(result, tasksOf(result), executor, () => void events.push(`save ${result.pairs.length}`));
  const error = await run.then(
    () => undefined,
    (reason: Error) => reason,
  );
  return { events, planned, error };
}

const fake = ({ scenario }: PlannedPair) => fakePair(scenario.name);

test('pairs are measured as planned by the seed, one after the other', async () => {
  const result = emptyResult();
  const { planned, error } = await measured(result, fake);
  expect(error).toBeUndefined();
  expect(planned).toEqual(planPairs(tasksOf(result), 3, result.configuration.seed));
  expect(result.pairs.map(({ scenario }) => scenario)).toEqual(planned.map(({ scenario }) => scenario.name));
});

test('every pair is saved before the next one is measured', async () => {
  const result = emptyResult({ pairs: 2 });
  const { events } = await measured(result, fake);
  const names = result.pairs.map(({ scenario }) => scenario);
  expect(events).toEqual(names.flatMap((name, index) => [`measure ${name}`, `save ${index + 1}`]));
});

test('if one fails, those before it stay', async () => {
  const result = emptyResult();
  const { events, error } = await measured(result, (planned, index) => {
    if (index === 3) throw new Error('the server died');
    return fake(planned);
  });
  expect(error?.message).toBe('the server died');
  expect(result.pairs.length).toBe(3);
  expect(events.at(-2)).toBe('save 3');
});

describe('--precision', () => {
  /** Costs of 10 µs more or less `spread` in turn. */
  const spread = (us: number) => (planned: PlannedPair, index: number) =>
    fakePair(planned.scenario.name, 10 + (index % 2 === 0 ? us : -us));

  test('intervals that are narrow enough need no more pairs', async () => {
    const result = emptyResult({ precision: { value: 1, unit: 'us' } });
    await measured(result, spread(0.01));
    expect(result.pairs.length).toBe(2 * 3);
    expect(result.configuration.pairs).toBe(3);
  });

  test('else as many more of each scenario, in an order of their own, decided once', async () => {
    const result = emptyResult({ precision: { value: 1, unit: 'us' }, alternatingSlices: 2, sliceSeconds: 3 });
    // The later pairs are far wider than the first: nobody looks again.
    const { planned, events } = await measured(result, (each, index) => spread(index < 6 ? 1 : 100)(each, index));
    const { pairs, durationSeconds, seed } = result.configuration;
    expect(pairs).toBeGreaterThan(3);
    expect(pairs).toBeLessThan(100);
    expect(durationSeconds).toBe(pairs * 2 * 3);
    for (const name of ['base', 'other'])
      expect(result.pairs.filter(({ scenario }) => scenario === name).length).toBe(pairs);
    expect(planned.slice(6)).toEqual(planPairs(tasksOf(result), pairs - 3, seed + 1));
    expect(events.at(-1)).toBe(`save ${2 * pairs}`);
  });

  test('in % of what the baseline takes', async () => {
    const us = emptyResult({ precision: { value: 1, unit: 'us' } });
    await measured(us, spread(1));
    const percent = emptyResult({ precision: { value: 10, unit: '%' } });
    await measured(percent, spread(1));
    expect(percent.configuration.pairs).toBe(us.configuration.pairs);
  });

  test('more pairs than anybody waits for are not begun', async () => {
    const result = emptyResult({ precision: { value: 1e-9, unit: 'us' } });
    const { error } = await measured(result, spread(1));
    expect(error?.message).toMatch(/^--precision would take \d+ pairs/);
    expect(result.pairs.length).toBe(2 * 3);
    expect(result.configuration.pairs).toBe(3);
  });
});
