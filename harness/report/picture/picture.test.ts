import { expect, test } from 'bun:test';
import { fakeAnalysis, severalTasks } from '../../testing/fake-analysis.ts';
import { cleanPairs, fakeExported, fakeFault, fakePair, fakePairs } from '../../testing/fakes.ts';
import { picture } from './picture.ts';

const texts = (svg: string) =>
  [...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, text]) => text);

test('a picture shows each row with title, figures and the mark of its warnings, in both panels', () => {
  const svg = picture(
    fakeAnalysis(({ pairs }) => {
      for (const pair of pairs)
        if (pair.scenario === 'other') pair.exported.scenario = fakeExported(1_000, 900);
    }),
    'light',
  );
  const shown = [
    'Latency, ms above 1.00',
    'CPU per request, µs above 10.0',
    'Other †',
    'Baseline against itself',
  ];
  expect(texts(svg)).toEqual(expect.arrayContaining([...shown, '+2.000 ±0.040 µs', 'n.s.']));
  expect(svg).toStartWith(
    '<svg color="#1f2328" xmlns="http://www.w3.org/2000/svg" role="img" aria-label="Latency',
  );
  expect(svg).toContain('width="832"');
  expect(svg).toMatch(/aria-label="[^"]*Other \+2\.000 ±0\.040 µs\./);
  // Of spans that were lost the mark is hollow, once in each panel.
  expect(svg.match(/r="3.5" fill="none"/g)).toHaveLength(2);
});

test('a dark picture is the light one in another ink', () => {
  const [light, dark] = (['light', 'dark'] as const).map((scheme) =>
    picture(fakeAnalysis(), scheme),
  );
  expect(dark).toBe(String(light).replace('color="#1f2328"', 'color="#e6edf3"'));
});

const withoutLatency = cleanPairs().map((pair) => ({ ...pair, alternating: [] }));
const steady = fakeAnalysis(({ suite }) => {
  for (const task of suite.tasks) task.rate = 500;
});

test.each([
  ['nothing was measured', fakeAnalysis(undefined, []), []],
  ['a single pair', fakeAnalysis(undefined, [fakePair()]), ['+2.00 µs']],
  [
    'an invalid row',
    fakeAnalysis((result) => result.pairs.at(-1)?.faults.push(fakeFault())),
    ['invalid'],
  ],
  ['no latency', fakeAnalysis(undefined, withoutLatency), ['Other']],
  [
    'several tasks',
    fakeAnalysis(severalTasks('a', 'b')),
    ['A', 'B', 'CPU per request, µs above 10.0'],
  ],
  [
    'costs of all sizes',
    fakeAnalysis(undefined, [...cleanPairs(), ...fakePairs('large', [310, 311, 309])]),
    ['100'],
  ],
  ['a steady rate', steady, ['p99 at 500/s, ms above 3.00', 'CPU per request, µs above 10.0']],
] as const)('a picture of %s shows what there is, and no broken number', (_, analysis, shown) => {
  const svg = picture(analysis, 'light');
  expect(texts(svg)).toEqual(expect.arrayContaining([...shown]));
  expect(svg).not.toMatch(/NaN|Infinity|undefined/);
});

test('a heading fits above its panel, also at a logarithmic axis', () => {
  const headings = texts(picture(ofAllSizes(310), 'light')).filter((text) =>
    text?.includes('(log)'),
  );
  expect(headings).toHaveLength(2);
  for (const heading of headings) expect(String(heading).length).toBeLessThan(37);
});

test('numbers at an axis do not touch, also of small costs, where they have many digits', () => {
  const small = cleanPairs().map((pair) => {
    for (const { baseline, scenario } of pair.alternating) {
      if (baseline.latencyUs) baseline.latencyUs.mean = 90;
      if (scenario.latencyUs) scenario.latencyUs.mean = 100;
    }
    return pair;
  });
  const ticks = ticksOf(picture(fakeAnalysis(undefined, small), 'light'));
  expect(ticks.some(({ label }) => label.length >= 5)).toBe(true);
  expectGaps(ticks);
});

test('numbers at a logarithmic axis do not touch, however far it goes', () => {
  for (const largest of [310, 3_100, 31_000])
    expectGaps(ticksOf(picture(ofAllSizes(largest), 'light')));
});

/** A run whose costs need a logarithmic axis. */
function ofAllSizes(largestUs: number) {
  const large = fakePairs('large', [largestUs, 1.01 * largestUs, 0.99 * largestUs]);
  return fakeAnalysis(undefined, [...cleanPairs(), ...large]);
}

/** A number at an axis, and its middle in px. */
interface Tick {
  x: number;
  label: string;
}

function ticksOf(svg: string): Tick[] {
  const ticks = svg.matchAll(/<text x="([\d.]+)" y="[\d.]+" text-anchor="middle">([^<]+)</g);
  return [...ticks].map(([, x, label]) => ({ x: Number(x), label: String(label) }));
}

/** Expects that each number ends before the next one begins, unless that is of the next axis. */
function expectGaps(ticks: readonly Tick[]): void {
  for (const [at, { x, label }] of ticks.slice(1).entries()) {
    const before = ticks[at] as Tick;
    const width = 3.5 * (label.length + before.label.length);
    if (x > before.x) expect(x - before.x).toBeGreaterThan(width);
  }
}
