import { describe, expect, test } from 'bun:test';
import { sum } from 'simple-statistics';
import type { Row } from '../analysis/task.ts';
import { fakeAnalysis } from '../testing/fake-analysis.ts';
import { fakeSide, frame } from '../testing/fake-profiles.ts';
import { cleanPairs } from '../testing/fakes.ts';
import { type Explanation, explain } from './explanation.ts';
import { flameOf } from './flame.ts';

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
    { cpuNs: 1.3e7, threadNs: { HeapHelper: 1e6, thread: 1e6 } },
  ),
});
const explained = explain(row, 'Base', pairs, [pair(), pair(0.1), pair(-0.1)]);
const change = ({ packages, outside }: Explanation, where: string) =>
  [...packages, ...outside].find((part) => part.where === where)?.change.value;

test('samples become µs of a request, by package; built-in functions belong to their callers', () => {
  expect(change(explained, 'tracer')).toBeCloseTo(2, 6);
  expect(change(explained, 'hono')).toBeCloseTo(0, 6);
  expect(change(explained, 'app')).toBeCloseTo(0, 6);
  expect(explained.packages[0]?.where).toBe('tracer');
  expect(explained.packages.find(({ where }) => where.startsWith('native'))?.us.scenario).toBeCloseTo(1, 6);
});

test('other threads have rows, the one that samples has none', () => {
  expect(change(explained, 'thread HeapHelper')).toBeCloseTo(1, 6);
  expect(JSON.stringify(explained)).not.toContain('thread thread');
});

test('all parts sum to what was measured, on either side', () => {
  const parts = [...explained.packages, ...explained.outside];
  const { measured } = explained;
  expect(sum(parts.map(({ us }) => us.baseline))).toBeCloseTo(measured.us.baseline, 9);
  expect(sum(parts.map(({ us }) => us.scenario))).toBeCloseTo(measured.us.scenario, 9);
  expect(sum(parts.map((part) => part.change.value))).toBeCloseTo(measured.change.value, 9);
  expect(measured.change.value).toBeCloseTo(2, 1);
});

test('intervals come from the pairs, that of the rest from its parts as well', () => {
  const [tracerPart] = explained.packages;
  const half = ({ low, high }: { low: number; high: number }) => (high - low) / 2;
  expect(half(tracerPart?.change as Explanation['measured']['change'])).toBeGreaterThan(0.1);
  expect(half(explained.outside.at(-1)?.change as Explanation['measured']['change'])).toBeGreaterThan(0.1);
});

test('one profiled pair explains, without intervals', () => {
  const { packages } = explain(row, 'Base', pairs, [pair()]);
  expect(packages[0]).toMatchObject({ where: 'tracer', change: { low: Number.NEGATIVE_INFINITY } });
});

test('what a request took while it was profiled is scaled to what was measured, without what others took of the core', () => {
  const share = (more: object) => {
    const [first] = explain(row, 'Base', pairs, [{ ...pair(), scenario: { ...pair().scenario, ...more } }]).packages;
    return first?.us.scenario;
  };
  expect(share({})).toBeCloseTo(2, 6);
  // The thread of the sampler took a µs of these.
  expect(share({ cpuNs: 2.5e7 })).toBeCloseTo(1, 6);
  expect(share({ ranShare: 0.5 })).toBeCloseTo(1, 6);
});

test('functions by their own time, with file and line', () => {
  expect(explained.functions.map(({ where, owner }) => `${where} ${owner}`)).toEqual([
    'startSpan (index.js:2) tracer',
    'map (built in) tracer',
  ]);
});

test('a scenario without a cost is not explained', () => {
  const bare = { ...row, change: { ...row.change, cpuUs: null } };
  expect(() => explain(bare, 'Base', pairs, [pair()])).toThrow('has no CPU time that was measured');
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
