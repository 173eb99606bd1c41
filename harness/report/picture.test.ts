import { expect, test } from 'bun:test';
import { fakeAnalysis, severalTasks } from '../testing/fake-analysis.ts';
import { fakeFault, fakePair, fakePairs, fakeSweep } from '../testing/fakes.ts';
import { picture } from './picture.ts';

const texts = (svg: string) => [...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map(([, text]) => text);

test('both changes, each row with its title and its figure', async () => {
  const svg = await picture(fakeAnalysis(), 'light');
  expect(texts(svg)).toEqual(
    expect.arrayContaining([
      'Change per request at 100 connections, ms',
      'Change of server CPU per request, µs',
      'Other',
      'Baseline against itself',
    ]),
  );
  expect(svg).toStartWith('<svg color="#1f2328" xmlns="http://www.w3.org/2000/svg" role="img" aria-label="Change');
  expect(svg).toContain('width="720"');
  expect(svg).toMatch(/aria-label="[^"]*Other \+2\.000 ±0\.0\d\d µs\./);
  expect(svg).not.toMatch(/NaN|undefined|<rect[^>]*fill="(?!none)/);
});

test('dark: the same in another ink', async () => {
  const [light, dark] = await Promise.all([picture(fakeAnalysis(), 'light'), picture(fakeAnalysis(), 'dark')]);
  expect(dark).toBe(light.replace('color="#1f2328"', 'color="#e6edf3"'));
});

test.each([
  ['nothing was measured', fakeAnalysis(undefined, []), []],
  ['a single pair', fakeAnalysis(undefined, [fakePair()]), ['+2.00 µs']],
  ['an invalid row', fakeAnalysis((result) => result.pairs.at(-1)?.faults.push(fakeFault())), ['invalid']],
  [
    'no duets',
    fakeAnalysis((result) => {
      for (const pair of result.pairs) pair.duets = [];
    }),
    ['Other'],
  ],
  ['several tasks', fakeAnalysis(severalTasks('a', 'b')), ['A', 'B', 'Change of server CPU per request, µs']],
] as const)('%s', async (_, analysis, shown) => {
  const svg = await picture(analysis, 'light');
  expect(texts(svg)).toEqual(expect.arrayContaining([...shown]));
  expect(svg).not.toMatch(/NaN|Infinity|undefined/);
});

test('a sweep: the line through its values, for both costs', async () => {
  const pairs = [0, 1, 2].flatMap((value) => fakePairs(`spans-${value}`, [11.9 + value, 12 + value, 12.1 + value]));
  const svg = await picture(fakeAnalysis(fakeSweep('spans', [0, 1, 2]), pairs), 'light');
  expect(texts(svg)).toEqual(expect.arrayContaining(['Spans', 'Change of server CPU per request, µs', 'SPANS']));
  expect(svg).toMatch(/aria-label="Spans, Change of [^"]*SPANS=2 \+4\.00 ±0\.\d\d µs/);
  expect(svg).not.toMatch(/NaN|undefined/);
});

test('at a steady rate: latency of both servers by percentile', async () => {
  const paced = fakeAnalysis(({ suite }) => {
    for (const task of suite.tasks) task.rate = 500;
  });
  const svg = await picture(paced, 'light');
  expect(texts(svg)).toEqual(expect.arrayContaining(['Latency at 500 requests/s, ms; baseline grey', 'p90', 'p99']));
  expect(texts(svg)).not.toContain('Change per request at 100 connections, ms');
  expect(svg).toContain('p99 Base 3.00 ms.');
  expect(svg).not.toMatch(/NaN|undefined/);
});
