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
    'Latency, ms more than 1.00',
    'CPU per request, µs more than 10.0',
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
    ['A', 'B', 'CPU per request, µs more than 10.0'],
  ],
  [
    'costs of all sizes',
    fakeAnalysis(undefined, [...cleanPairs(), ...fakePairs('large', [310, 311, 309])]),
    ['100'],
  ],
  [
    'a steady rate',
    steady,
    ['p99 at 500/s, ms more than 3.00', 'CPU per request, µs more than 10.0'],
  ],
] as const)('a picture of %s shows what there is, and no broken number', (_, analysis, shown) => {
  const svg = picture(analysis, 'light');
  expect(texts(svg)).toEqual(expect.arrayContaining([...shown]));
  expect(svg).not.toMatch(/NaN|Infinity|undefined/);
});

test('numbers at an axis do not touch, also of small costs, where they have many digits', () => {
  const small = cleanPairs().map((pair) => {
    for (const { baseline, scenario } of pair.alternating) {
      if (baseline.latencyUs) baseline.latencyUs.mean = 90;
      if (scenario.latencyUs) scenario.latencyUs.mean = 100;
    }
    return pair;
  });
  const ticks = [
    ...picture(fakeAnalysis(undefined, small), 'light').matchAll(
      /<text x="([\d.]+)" y="[\d.]+" text-anchor="middle">([^<]+)</g,
    ),
  ];
  const places = ticks.map(([, x, label]) => ({ x: Number(x), label: String(label) }));
  expect(places.some(({ label }) => label.length >= 5)).toBe(true);
  for (const [at, { x, label }] of places.slice(1).entries()) {
    const before = places[at] as (typeof places)[number];
    const width = 3.5 * (label.length + before.label.length);
    if (x > before.x) expect(x - before.x).toBeGreaterThan(width);
  }
});
