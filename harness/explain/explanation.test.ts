import { expect, test } from 'bun:test';
import { sum } from 'simple-statistics';
import { halfWidth } from '../analysis/interval.ts';
import type { Row } from '../analysis/rows.ts';
import { SIDES } from '../pair/sides.ts';
import { fakeAnalysis } from '../testing/fake-analysis.ts';
import { fakeProfile, frame } from '../testing/fake-profiles.ts';
import { type Explanation, explain } from './explanation.ts';
import type { Part } from './parts.ts';

// Measured: 10 µs, and 12 µs for the scenario.
const row = fakeAnalysis().tasks[0]?.rows[0] as Row;

const app = frame('handler', 'app');
const hono = frame('dispatch', 'hono');
const tracer = frame('startSpan', 'tracer');
const builtIn = frame('map', '');

/**
 * Samples of 1 µs a request each; the scenario calls what the baseline calls, by way of the tracer.
 */
const pair = (extra = 0, more: Parameters<typeof fakeProfile>[1] = {}) => ({
  baseline: fakeProfile([
    [[hono], 2],
    [[hono, app], 1],
    [[builtIn], 1],
  ]),
  scenario: fakeProfile(
    [
      [[tracer], 1],
      [[tracer, builtIn], 1 + extra],
      [[tracer, hono], 2],
      [[tracer, hono, app], 1],
      [[builtIn], 1],
    ],
    { cpuNs: 1.2e7, threadNs: { 'thread HeapHelper': 1e6 }, ...more },
  ),
});
const explained = explain(row, 'Base', [pair(), pair(0.1), pair(-0.1)]);

function part({ parts }: Explanation, name: string): Part | undefined {
  return parts.find(({ where }) => where.startsWith(name));
}

function halfWidthOf(part: Part | undefined): number {
  return part ? halfWidth(part.change) : Number.NaN;
}

/** Returns the row with so many pairs whose baseline has no user and system time. */
function rowWithoutCpuTimes(count: number): Row {
  const pairs = row.pairs.map((each, index) => {
    if (index >= count) return each;
    const { baseline, scenario } = each.usage;
    return { ...each, usage: { baseline: { ...baseline, cpuUs: null }, scenario } };
  });
  return { ...row, pairs };
}

test('samples become µs of a request by package, with built-in functions in their callers', () => {
  const expected = { tracer: 2, hono: 0, app: 0, 'thread HeapHelper': 1 };
  for (const [where, us] of Object.entries(expected))
    expect(part(explained, where)?.change.value).toBeCloseTo(us, 6);
  expect(explained.parts[0]?.where).toBe('tracer');
  expect(part(explained, 'native')?.us.scenario).toBeCloseTo(1, 6);
});

test('all parts sum to what was measured, on either side', () => {
  const { parts, measured } = explained;
  for (const side of SIDES)
    expect(sum(parts.map(({ us }) => us[side]))).toBeCloseTo(measured.us[side], 9);
  expect(sum(parts.map((each) => each.change.value))).toBeCloseTo(measured.change.value, 9);
  expect(measured.change.value).toBeCloseTo(2, 1);
});

test('intervals come from the pairs, that of the rest also from its parts; one pair has none', () => {
  expect(halfWidthOf(part(explained, 'tracer'))).toBeGreaterThan(0.1);
  expect(halfWidthOf(explained.parts.at(-1))).toBeGreaterThan(0.1);
  const [first] = explain(row, 'Base', [pair()]).parts;
  expect(first).toMatchObject({ where: 'tracer', change: { low: Number.NEGATIVE_INFINITY } });
});

test.each([
  [
    'scaled from what a request took while it was profiled to what was measured',
    { cpuNs: 2.4e7 },
    undefined,
    1,
  ],
  ['without what others took of the core', { ranShare: 0.5 }, undefined, 1],
  [
    'the time between single steps, however late the sampler wakes',
    {},
    [0, 1_200, 1_200, 2_400, 9_000],
    2.4,
  ],
])('a sample stands for its time: %s', (_, more, timeDeltas, us) => {
  const profiles = pair(0, more);
  if (timeDeltas) profiles.scenario.timeDeltas = timeDeltas;
  expect(explain(row, 'Base', [profiles]).parts[0]?.us.scenario).toBeCloseTo(us, 6);
});

test('functions are sorted by their own time, and have file and line', () => {
  expect(explained.functions.map(({ where }) => where)).toEqual([
    'startSpan (index.js:2:2) of tracer',
    'map (built in) of tracer',
  ]);
});

test('a scenario without a cost is not explained', () => {
  const bare = { ...row, change: { ...row.change, cpuUs: null } };
  expect(() => explain(bare, 'Base', [pair()])).toThrow('was not measured');
});

test('user and system time are of pairs with all their slices, and unknown without such a pair', () => {
  expect(explain(rowWithoutCpuTimes(1), 'Base', [pair()]).user?.change.value).toBeFinite();
  expect(explain(rowWithoutCpuTimes(row.pairs.length), 'Base', [pair()])).toMatchObject({
    user: null,
    system: null,
    kernel: null,
  });
});

test('system time is split by what the kernel did, and sums to what was measured of it', () => {
  const sampled = (samples: Record<string, number>) => {
    const both = pair(0, { kernel: samples });
    both.baseline.tracetax.kernel = { sendto: 50, read: 50 };
    return both;
  };
  const { system, kernel } = explain(row, 'Base', [
    sampled({ sendto: 30, read: 70 }),
    sampled({ read: 10 }),
  ]);
  const { baseline = 0, scenario = 0 } = { ...system?.us };
  const shares = kernel?.map(({ where, us }) => [
    where,
    us.baseline / baseline,
    us.scenario / scenario,
  ]);
  expect(shares?.sort()).toEqual([
    ['read', expect.closeTo(0.5, 6), expect.closeTo(0.85, 6)],
    ['sendto', expect.closeTo(0.5, 6), expect.closeTo(0.15, 6)],
  ]);
  // One pair without them, and nothing is claimed.
  expect(explain(row, 'Base', [sampled({ read: 1 }), pair()]).kernel).toBeNull();
});
