import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FULL, QUICK } from '../settle/defaults.ts';
import { measureCommand } from './options.ts';
import { parseLimit } from './parsers.ts';

const command = () =>
  measureCommand('run', '')
    .exitOverride()
    .configureOutput({ writeErr: () => {} });
const camelCase = (name: string) => name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
const run = (...argv: string[]) => command().parse(argv, { from: 'user' }).opts();

test('the help and scripts/bench.sh name the defaults that are', () => {
  const script = readFileSync(join(import.meta.dir, '../../scripts/bench.sh'), 'utf8');
  expect(script).toContain(
    `bombardier --fasthttp -c ${FULL.connections} -d ${FULL.durationSeconds}s `,
  );
  const help = command().helpInformation().replace(/\s+/g, ' ');
  for (const [full, quick, unit = ''] of [
    [FULL.connections],
    [FULL.sliceSeconds, undefined, 's'],
    [FULL.durationSeconds, QUICK.durationSeconds, 's'],
    [FULL.pairs, QUICK.pairs],
    [FULL.duetSlices, QUICK.duetSlices],
    [FULL.warmupSeconds, QUICK.warmupSeconds, 's'],
  ] as const)
    expect(help).toContain(
      `(${full}${unit}${quick === undefined ? '' : `; quick ${quick}${unit}`})`,
    );
});

test('without options, what depends on the suite is left open', () => {
  expect(run()).toEqual({
    ...{ suite: 'levels', tool: 'auto', export: 'otlp' },
    ...{ quick: false, pin: true, keepAwake: true, strict: false, dryRun: false },
  });
});

test.each<[string, Record<string, unknown>, string[], string]>([
  [
    'duration',
    { '2m': 120, '2': 2, '30s': 30, '8h': 28_800 },
    ['0s', '0.5s', '-1s', '1d', '25h', '', '999999s'],
    'seconds, minutes or hours',
  ],
  ['warmup', { '0s': 0 }, ['x'], 'at least 0 s'],
  [
    'pairs',
    { '3': 3 },
    ['0', '-1', '1.5', '1e3', 'three', '', '4294967296'],
    'whole number, at least 1',
  ],
  [
    'within',
    {
      '10%': { value: 10, unit: '%' },
      '2us': { value: 2, unit: 'us' },
      '1.5ms': { value: 1_500, unit: 'us' },
      '0.5µs': { value: 0.5, unit: 'us' },
    },
    ['0%', '10', '-1%', '1s', '', '0us'],
    '10%, 2us or 1ms',
  ],
  [
    'at-most',
    { '90s': 90, '20m': 1_200, '2h': 7_200 },
    ['0s', '20', '1d', '1.5h', '', '999h'],
    '90s, 20m or 2h',
  ],
  ['seed', { '0': 0, '2147483647': 2147483647 }, ['2147483648'], 'whole number, at least 0'],
  [
    'rate',
    { '5000': { rate: 5000 }, '30%': { rateShare: 0.3 }, '100%': { rateShare: 1 } },
    ['0', '0%', '101%', '1.5', '-5', '5/s', ''],
    '5000 or 30%',
  ],
  ['scenarios', { ' a, b,,': ['a', 'b'] }, [], ''],
  ['tool', { wrk: 'wrk' }, ['ab'], 'Allowed choices'],
  ['export', { none: 'none' }, ['discard'], 'Allowed choices'],
  ['listen', { '127.0.0.1': '127.0.0.1' }, ['8.8.8.8'], 'Give one of 127.0.0.1'],
])('--%s', (name, values, refused, advice) => {
  for (const [text, value] of Object.entries(values))
    expect(run(`--${name}=${text}`)).toMatchObject({ [camelCase(name)]: value });
  for (const text of refused) expect(() => run(`--${name}=${text}`)).toThrow(advice);
});

test('a limit has a unit, and may be 0', () => {
  expect(parseLimit('0%')).toEqual({ value: 0, unit: '%' });
  for (const text of ['0.3us', '0.3µs'])
    expect(parseLimit(text)).toEqual({ value: 0.3, unit: 'us' });
  for (const text of ['1', '1ms', '-1us', 'us'])
    expect(() => parseLimit(text)).toThrow('a number and its unit');
});
