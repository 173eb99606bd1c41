import { describe, expect, test } from 'bun:test';
import type { Configuration, Limit, Pair, Precision, Result } from '../result/schema.ts';
import { fakeAnalysis } from '../testing/fake-analysis.ts';
import { fakeExported, fakeFault, fakePair, fakePairs, fakeTask } from '../testing/fakes.ts';
import { aimText } from './aims.ts';
import type { Run } from './analysis.ts';
import { halfWidth, type Interval } from './interval.ts';
import { isKnownWellEnough, precisionsOf, type RowPrecision } from './precision.ts';
import { morePairsText, precisionText, shortfallText } from './precision-text.ts';

const TEN_PERCENT: Precision = { value: 10, unit: '%' };

/** Costs in µs around a mean, by a pattern that repeats. */
function costsAround(meanUs: number, deviationUs: number, pairs: number): number[] {
  const pattern = [1, -0.6, 0.2, -1, 0.4];
  return Array.from(
    { length: pairs },
    (_, pair) => meanUs + deviationUs * (pattern[pair % pattern.length] ?? 0),
  );
}

/** What is asked of rows: a precision, limits, or both. */
type Asked = Partial<Pick<Configuration, 'within' | 'limits' | 'mostPairs'>>;

/** A run of these pairs of one row, by the rule. */
function runOf(pairs: Pair[], asked: Asked, change = (_: Result) => {}): Run {
  return fakeAnalysis((result) => {
    result.suite.tasks = [fakeTask('default', ['other'])];
    Object.assign(result.configuration, { pairs: 4, mostPairs: 30, ...asked });
    change(result);
  }, pairs);
}

/** How well a row is known, alone in its run. */
function precisionOf(pairs: Pair[], within = TEN_PERCENT): RowPrecision {
  return precisionsOf(runOf(pairs, { within }))[0] as RowPrecision;
}

describe('a cost is known well enough', () => {
  test.each([
    ['within the share of its cost', { value: 10, low: 9, high: 11, baseline: 5 }, true],
    ['not beyond it', { value: 10, low: 8.9, high: 11.1, baseline: 5 }, false],
    [
      'within half the share of the baseline',
      { value: 1, low: 0.5, high: 1.5, baseline: 10 },
      true,
    ],
    [
      'never without an interval',
      { value: 1, low: -Infinity, high: Infinity, baseline: 10 },
      false,
    ],
  ])('%s', (_, cost, isKnown) => {
    expect(isKnownWellEnough(cost, TEN_PERCENT)).toBe(isKnown);
  });
});

describe('a row is known', () => {
  test('from four pairs on, however alike its pairs are', () => {
    const alike = (pairs: number) => fakePairs('other', costsAround(30, 0.1, pairs));
    expect(precisionOf(alike(3))).toMatchObject({ meetsAimByEnoughPairs: false, morePairs: 1 });
    expect(precisionOf(alike(4))).toMatchObject({ meetsAimByEnoughPairs: true, morePairs: 0 });
  });

  test('within a share of its cost, if that is large', () => {
    const { wantedUs, halfWidthUs, meetsAimByEnoughPairs } = precisionOf(
      fakePairs('other', costsAround(30, 1, 8)),
    );
    expect(wantedUs).toBeCloseTo(2, 0);
    expect({ meetsAimByEnoughPairs, isNarrow: halfWidthUs <= wantedUs }).toEqual({
      meetsAimByEnoughPairs: true,
      isNarrow: true,
    });
  });

  test('within half that share of the baseline, if it costs next to nothing', () => {
    const { wantedUs, costUs } = precisionOf(fakePairs('other', costsAround(10, 0.2, 5)));
    expect(Math.abs(costUs ?? Number.NaN)).toBeLessThan(0.1);
    expect(wantedUs).toBeCloseTo(0.5);
  });

  test('within an amount, or a share of the baseline, whatever it costs', () => {
    const row = fakePairs('other', costsAround(30, 1, 5));
    expect(precisionOf(row, { value: 2, unit: 'us' }).wantedUs).toBe(2);
    expect(precisionOf(row, { value: 1, unit: '% of baseline' }).wantedUs).toBeCloseTo(0.1);
  });

  test('by the interval that is printed, which is wider than that of a fixed number of pairs', () => {
    const pairs = fakePairs('other', costsAround(30, 1, 8));
    const printed = ({ tasks }: Run) => tasks[0]?.rows[0]?.change.cpuUs as Interval;
    const fixed = fakeAnalysis(({ suite }) => {
      suite.tasks = [fakeTask('default', ['other'])];
    }, pairs);
    const { halfWidthUs } = precisionOf(pairs);
    expect(halfWidthUs).toBe(halfWidth(printed(runOf(pairs, { within: TEN_PERCENT }))));
    expect(halfWidthUs).toBeGreaterThan(halfWidth(printed(fixed)));
  });
});

describe('more pairs', () => {
  test('are as many as the interval needs, by the square root of their number', () => {
    const row = precisionOf(fakePairs('other', costsAround(12, 2, 6)));
    const needed = Math.ceil(6 * (row.halfWidthUs / row.wantedUs) ** 2);
    expect(row).toMatchObject({
      meetsAimByEnoughPairs: false,
      morePairs: Math.min(needed, 30) - 6,
    });
    expect(row.morePairs).toBeGreaterThan(1);
  });

  test('end at the most pairs', () => {
    const noisy = (pairs: number) => precisionOf(fakePairs('other', costsAround(20, 15, pairs)));
    expect(noisy(29)).toMatchObject({ meetsAimByEnoughPairs: false, morePairs: 1 });
    expect(noisy(30)).toMatchObject({ meetsAimByEnoughPairs: false, morePairs: 0 });
  });

  test('mend no fault and no missing clock: such a row gets the fewest', () => {
    const faulty = (pairs: number) =>
      Array.from({ length: pairs }, () => ({ ...fakePair(), faults: [fakeFault()] }));
    expect(precisionOf(faulty(3))).toMatchObject({ costUs: null, morePairs: 1 });
    expect(precisionOf(faulty(4))).toMatchObject({ meetsAimByEnoughPairs: false, morePairs: 0 });
    const blind = Array.from({ length: 4 }, () => fakePair());
    for (const slice of blind.flatMap(({ duets }) => duets)) slice.scenario.cpuNs = null;
    expect(precisionOf(blind)).toMatchObject({ costUs: null, morePairs: 0 });
  });
});

describe('a row whose gate decides', () => {
  /** How near rows are to a limit, alone in their run; they cost 2 µs in 10. */
  const besideLimit = (limit: Limit, costsUs: number[], more: Asked = {}) =>
    precisionsOf(
      runOf(fakePairs('other', costsUs), { limits: { cpu: limit, p99Us: null }, ...more }),
    );
  const COSTS = costsAround(12, 0.5, 5);

  test('is done once its interval lies wholly on one side of the limit, and not before', () => {
    const isDone = (value: number, unit: Limit['unit']) => {
      const [row] = besideLimit({ value, unit }, COSTS);
      return { meetsAimByEnoughPairs: row?.meetsAimByEnoughPairs, hasEnough: row?.morePairs === 0 };
    };
    expect(isDone(5, '%')).toEqual({ meetsAimByEnoughPairs: true, hasEnough: true });
    expect(isDone(40, '%')).toEqual({ meetsAimByEnoughPairs: true, hasEnough: true });
    expect(isDone(20, '%')).toEqual({ meetsAimByEnoughPairs: false, hasEnough: false });
    expect(isDone(0.5, 'us')).toEqual({ meetsAimByEnoughPairs: true, hasEnough: true });
    expect(isDone(2, 'us')).toEqual({ meetsAimByEnoughPairs: false, hasEnough: false });
  });

  test('needs the fewest pairs, however sure it looks, and about as many more as the interval', () => {
    expect(besideLimit({ value: 50, unit: '%' }, [12, 12.1, 11.9])).toMatchObject([
      { meetsAimByEnoughPairs: false, morePairs: 1 },
    ]);
    const [row] = besideLimit({ value: 17, unit: '%' }, COSTS);
    const { halfWidthUs = 0, wantedUs = 0, costUs } = row ?? {};
    expect(wantedUs).toBeCloseTo(Math.abs((costUs ?? Number.NaN) - 1.7));
    expect(row?.morePairs).toBe(Math.min(30, Math.ceil(5 * (halfWidthUs / wantedUs) ** 2)) - 5);
  });

  test('gets no more pairs if its cost reads too low, and is not known either', () => {
    const pairs = fakePairs('other', COSTS);
    for (const { exported } of pairs) exported.scenario = fakeExported(1_000, 600);
    const limits = { cpu: { value: 50, unit: '%' } as const, p99Us: null };
    expect(precisionsOf(runOf(pairs, { limits }))).toMatchObject([
      { meetsAimByEnoughPairs: false, morePairs: 0 },
    ]);
  });

  test('nor if it reads too high, and lies above the limit', () => {
    const pairs = fakePairs('other', COSTS);
    for (const { exported } of pairs) exported.baseline = fakeExported(1_000, 600);
    const at = (value: number) =>
      precisionsOf(runOf(pairs, { limits: { cpu: { value, unit: '%' }, p99Us: null } }))[0];
    expect(at(5)).toMatchObject({ meetsAimByEnoughPairs: false, morePairs: 0 });
    expect(at(20)?.morePairs).toBeGreaterThan(0);
    expect(at(40)).toMatchObject({ meetsAimByEnoughPairs: true, morePairs: 0 });
  });

  test('is judged by the interval that is printed', () => {
    const limits = { cpu: { value: 20, unit: '%' } as const, p99Us: null };
    const run = runOf(fakePairs('other', COSTS), { limits });
    const printed = run.tasks[0]?.rows[0]?.change.cpuUs as Interval;
    expect(precisionsOf(run)[0]?.halfWidthUs).toBe(halfWidth(printed));
  });

  test('is to be known for both, if a precision is asked for, too', () => {
    const both = besideLimit({ value: 50, unit: '%' }, COSTS, { within: { value: 1, unit: '%' } });
    const met = both.map((each) => [each.aim.kind, each.meetsAimByEnoughPairs]);
    expect(met).toEqual([
      ['precision', false],
      ['limit', true],
    ]);
  });

  test('says how far it is in the unit of the limit', () => {
    const [row] = besideLimit({ value: 20, unit: '%' }, COSTS);
    const of = (more: object) => precisionText({ ...(row as RowPrecision), ...more });
    const far = { halfWidthUs: 0.14, baselineUs: 10 };
    expect(of(far)).toBe('±1.4 %, not yet sure of the limit of 20 %');
    expect(of({ ...far, meetsAimByEnoughPairs: true })).toBe('±1.4 %, sure of the limit of 20 %');
    const aim = { kind: 'limit', quantity: 'cpuUs', limit: { value: 2, unit: 'us' } } as const;
    expect(of({ ...far, aim })).toBe('±0.14 µs, not yet sure of the limit of 2 µs');
    const inMs = { ...aim, quantity: 'p99Us', limit: { value: 5_000, unit: 'us' } } as const;
    expect(of({ aim: inMs, quantity: 'p99Us', halfWidthUs: 700 })).toBe(
      'p99 ±0.70 ms, not yet sure of the limit of 5 ms',
    );
    expect(aimText(inMs)).toBe('surely above or below the limit of 5 ms on p99');
  });
});

describe('at a steady rate', () => {
  /** A run of one row at 1,000 requests a second, in which p99 is three times the mean. */
  const pacedRun = (pairs: Pair[], asked: Asked, change = (_: Result) => {}) =>
    runOf(pairs, asked, (result) => {
      for (const task of result.suite.tasks) task.rate = 1_000;
      change(result);
    });
  const PAIRS = fakePairs('other', costsAround(12, 0.5, 8));
  const withoutP99 = ({ pairs }: Result) => {
    for (const { alternating } of pairs)
      for (const { scenario } of alternating)
        Object.assign(scenario.latencyUs ?? {}, { p99: null });
  };

  test('a row is known by its p99, or by its mean latency if the tool tells no p99', () => {
    const knownBy = (change?: (result: Result) => void) => {
      const run = pacedRun(structuredClone(PAIRS), { within: TEN_PERCENT }, change);
      const [row] = precisionsOf(run);
      const printed = run.tasks[0]?.rows[0]?.change[row?.quantity ?? 'cpuUs'] as Interval;
      expect(row?.halfWidthUs).toBe(halfWidth(printed));
      return [row?.quantity, precisionText(row as RowPrecision).split(' ±')[0]];
    };
    expect(knownBy()).toEqual(['p99Us', 'p99']);
    expect(knownBy(withoutP99)).toEqual(['latencyUs', 'latency']);
  });

  test('intervals of p99 are wider, since they decide; those of CPU are as of a fixed number', () => {
    const widths = (asked: Asked) => {
      const change = pacedRun(PAIRS, asked).tasks[0]?.rows[0]?.change;
      return {
        p99: halfWidth(change?.p99Us as Interval),
        cpu: halfWidth(change?.cpuUs as Interval),
      };
    };
    const fixed = widths({ mostPairs: null });
    const known = widths({ within: TEN_PERCENT });
    expect(known.p99).toBeGreaterThan(fixed.p99);
    expect(known.cpu).toBe(fixed.cpu);
  });

  test('a row is done once the limit of p99 is decided', () => {
    const isDone = (p99Us: number) =>
      precisionsOf(pacedRun(PAIRS, { limits: { cpu: null, p99Us } })).map(
        ({ quantity, morePairs }) => [quantity, morePairs === 0],
      );
    // 0.6 ms more in p99, which is three times what 100 connections wait.
    expect(isDone(100)).toEqual([['p99Us', true]]);
    expect(isDone(5_000)).toEqual([['p99Us', true]]);
    expect(isDone(600)).toEqual([['p99Us', false]]);
  });

  test('too few answers behind p99 ask for more pairs, as many as bring them', () => {
    const morePairs = (requests: number, asked: Asked) => {
      const run = pacedRun(structuredClone(PAIRS), asked, ({ pairs }) => {
        for (const { alternating } of pairs)
          for (const { scenario } of alternating) scenario.requests = requests;
      });
      return precisionsOf(run).map((each) => [each.quantity, each.morePairs]);
    };
    // Eight pairs with two slices of 50 requests have 800 answers; with 5 they have 80.
    const limits = { cpu: null, p99Us: 600 };
    expect(morePairs(50, { limits })).toEqual([['p99Us', 2]]);
    expect(morePairs(50, { within: TEN_PERCENT })).toContainEqual(['p99Us', 2]);
    expect(morePairs(5, { limits })).toEqual([['p99Us', 0]]);
  });

  test('but by CPU per request, if a task is sent at full load', () => {
    const mixed = fakeAnalysis((result) => {
      Object.assign(result.configuration, { pairs: 4, mostPairs: 30, within: TEN_PERCENT });
      result.suite.tasks = [{ ...fakeTask('default'), rate: 1_000 }, fakeTask('free')];
    });
    expect(new Set(precisionsOf(mixed).map(({ quantity }) => quantity))).toEqual(
      new Set(['cpuUs']),
    );
  });

  test('a text names p99', () => {
    const aim = (within: Precision) =>
      ({ kind: 'precision', quantities: ['p99Us', 'latencyUs'], within }) as const;
    expect(aimText(aim(TEN_PERCENT))).toBe('known within 10 % by p99');
    expect(aimText(aim({ value: 500, unit: 'us' }))).toBe('known within 0.50 ms by p99');
  });
});

test('a text says how well a row is known, and of what its shares are', () => {
  const row = {
    ...precisionOf(fakePairs('other', costsAround(30, 1, 4))),
    costUs: 20,
    halfWidthUs: 2.8,
    wantedUs: 2,
    baselineUs: 10,
    relativeTo: 'cost',
    morePairs: 3,
  } as const;
  expect(precisionText(row) + morePairsText(row)).toBe('±14 %, aim ±10 %, about 3 more pairs');
  expect(precisionText({ ...row, halfWidthUs: 2.005 })).toBe('±10.1 %, aim ±10 %');
  const small = {
    ...row,
    ...{
      costUs: 0.1,
      halfWidthUs: 0.7,
      wantedUs: 0.5,
      relativeTo: 'baseline' as const,
      morePairs: 0,
    },
  };
  expect(precisionText(small) + morePairsText(small)).toBe('±7 % of the baseline, aim ±5 %');
  const within = (value: number, unit: Precision['unit']) =>
    ({ kind: 'precision', quantities: ['cpuUs'], within: { value, unit } }) as const;
  const inUs = { ...row, aim: within(2, 'us') };
  expect(precisionText(inUs)).toBe('±2.80 µs, aim ±2.00 µs');
  const unknown = { ...row, halfWidthUs: Number.POSITIVE_INFINITY };
  expect([precisionText(unknown), shortfallText(unknown)]).toEqual(['', '']);
  // A sentence that says what was asked for needs only what is wanted instead.
  expect(shortfallText(row)).toBe('±14 %');
  expect(shortfallText(small)).toBe('±7 % of the baseline, not ±5 %');
  expect(shortfallText(inUs)).toBe('±2.80 µs');
  expect(aimText(within(1, '% of baseline'))).toBe('known within 1 % of the baseline');
});
