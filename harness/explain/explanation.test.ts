import { describe, expect, test } from 'bun:test';
import { sum } from 'simple-statistics';
import type { Row } from '../analysis/rows.ts';
import { fakeAnalysis } from '../testing/fake-analysis.ts';
import { fakeSide, frame } from '../testing/fake-profiles.ts';
import { cleanPairs } from '../testing/fakes.ts';
import { type Explanation, explain } from './explanation.ts';
import { flameOf } from './flame-page.ts';

// Measured: 10 µs, and 12 µs for the scenario.
const pairs = cleanPairs().filter(({ scenario }) => scenario === 'other');
const row = fakeAnalysis().tasks[0]?.rows[0] as Row;

const app = frame('handler', 'app');
const hono = frame('dispatch', 'hono');
const tracer = frame('startSpan', 'tracer');
const builtIn = frame('map', '');

/** Samples of 1 µs a request each; the scenario calls what the baseline calls, by way of the tracer. */
const pair = (extra = 0) => ({
  baseline: fakeSide('baseline', [
    [[hono], 2],
    [[hono, app], 1],
    [[builtIn], 1],
  ]),
  scenario: fakeSide(
    'scenario',
    [
      [[tracer], 1],
      [[tracer, builtIn], 1 + extra],
      [[tracer, hono], 2],
      [[tracer, hono, app], 1],
      [[builtIn], 1],
    ],
    { cpuNs: 1.2e7, threadNs: { HeapHelper: 1e6 } },
  ),
});
const explained = explain(row, 'Base', pairs, [pair(), pair(0.1), pair(-0.1)]);
const part = ({ parts }: Explanation, name: string) => parts.find(({ where }) => where.startsWith(name));
const change = (of: Explanation, where: string) => part(of, where)?.change.value;

test('samples become µs of a request, by package; built-in functions belong to their callers', () => {
  expect(change(explained, 'tracer')).toBeCloseTo(2, 6);
  expect(change(explained, 'hono')).toBeCloseTo(0, 6);
  expect(change(explained, 'app')).toBeCloseTo(0, 6);
  expect(explained.parts[0]?.where).toBe('tracer');
  expect(part(explained, 'native')?.us.scenario).toBeCloseTo(1, 6);
});

test('other threads have rows', () => {
  expect(change(explained, 'thread HeapHelper')).toBeCloseTo(1, 6);
});

test('all parts sum to what was measured, on either side', () => {
  const { parts, measured } = explained;
  expect(sum(parts.map(({ us }) => us.baseline))).toBeCloseTo(measured.us.baseline, 9);
  expect(sum(parts.map(({ us }) => us.scenario))).toBeCloseTo(measured.us.scenario, 9);
  expect(sum(parts.map((each) => each.change.value))).toBeCloseTo(measured.change.value, 9);
  expect(measured.change.value).toBeCloseTo(2, 1);
});

test('intervals come from the pairs, that of the rest from its parts as well', () => {
  const half = ({ low, high }: { low: number; high: number }) => (high - low) / 2;
  expect(half(part(explained, 'tracer')?.change as Explanation['measured']['change'])).toBeGreaterThan(0.1);
  expect(half(explained.parts.at(-1)?.change as Explanation['measured']['change'])).toBeGreaterThan(0.1);
});

test('one profiled pair explains, without intervals', () => {
  const [first] = explain(row, 'Base', pairs, [pair()]).parts;
  expect(first).toMatchObject({ where: 'tracer', change: { low: Number.NEGATIVE_INFINITY } });
});

test('what a request took while it was profiled is scaled to what was measured, without what others took of the core', () => {
  const share = (more: object) => {
    const [first] = explain(row, 'Base', pairs, [{ ...pair(), scenario: { ...pair().scenario, ...more } }]).parts;
    return first?.us.scenario;
  };
  expect(share({})).toBeCloseTo(2, 6);
  expect(share({ cpuNs: 2.4e7 })).toBeCloseTo(1, 6);
  expect(share({ ranShare: 0.5 })).toBeCloseTo(1, 6);
});

test('functions by their own time, with file and line', () => {
  expect(explained.functions.map(({ where }) => where)).toEqual([
    'startSpan (index.js:2:2) of tracer',
    'map (built in) of tracer',
  ]);
});

test('a scenario without a cost is not explained', () => {
  const bare = { ...row, change: { ...row.change, cpuUs: null } };
  expect(() => explain(bare, 'Base', pairs, [pair()])).toThrow('was not measured');
});

test('system time is split by what the kernel did, and sums to what was measured of it', () => {
  const sampled = (samples: Record<string, number>) => ({
    baseline: { ...pair().baseline, kernel: { sendto: 50, read: 50 } },
    scenario: { ...pair().scenario, kernel: samples },
  });
  const { system, kernel } = explain(row, 'Base', pairs, [sampled({ sendto: 30, read: 70 }), sampled({ read: 10 })]);
  const { baseline, scenario } = system.us;
  const shares = kernel?.map(({ where, us }) => [where, us.baseline / baseline, us.scenario / scenario]);
  expect(shares?.sort()).toEqual([
    ['read', expect.closeTo(0.5, 6), expect.closeTo(0.85, 6)],
    ['sendto', expect.closeTo(0.5, 6), expect.closeTo(0.15, 6)],
  ]);
  // One pair without them, and nothing is claimed.
  expect(explain(row, 'Base', pairs, [sampled({ read: 1 }), pair()]).kernel).toBeNull();
});

describe('the flame graph', () => {
  const flame = flameOf(explained);
  const child = (name: string) => flame.children.find((each) => each.name === name);

  test('its frames sum to what was measured', () => {
    for (const side of ['baseline', 'scenario'] as const)
      expect(sum(flame.children.map((each) => each.us[side]))).toBeCloseTo(flame.us[side], 6);
    expect(flame.us.scenario).toBe(explained.measured.us.scenario);
  });

  test('a frame that is called from elsewhere is the same function: no change', () => {
    expect(child('startSpan')).toMatchObject({ us: { baseline: 0 }, change: 1 });
    const moved = child('startSpan')?.children.find(({ name }) => name === 'dispatch');
    expect(moved).toMatchObject({ us: { baseline: 0 }, change: 0 });
    expect(moved?.us.scenario).toBeCloseTo(3, 6);
    expect(child('dispatch')).toMatchObject({ us: { scenario: 0 }, change: 0 });
  });
});
