import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { measuringAny, width } from './options.ts';
import { FULL, QUICK } from './setting.ts';

const command = () =>
  measuringAny('run', '')
    .exitOverride()
    .configureOutput({ writeErr: () => {} });
const run = (...argv: string[]) => command().parse(argv, { from: 'user' }).opts();

test('the load that scripts/bench.sh shows is what a run makes unless it is told otherwise', () => {
  const script = readFileSync(join(import.meta.dir, '../scripts/bench.sh'), 'utf8');
  expect(script).toContain(`bombardier --fasthttp -c ${FULL.connections} -d ${FULL.durationSeconds}s `);
});

test('the help names the defaults that are', () => {
  const helpOf = (name: string) => command().options.find(({ long }) => long === name)?.description;
  expect(helpOf('--connections')).toContain(`(${FULL.connections})`);
  expect(helpOf('--duration')).toContain(`(${FULL.durationSeconds}s; quick ${QUICK.durationSeconds}s)`);
  expect(helpOf('--slice')).toContain(`(${FULL.sliceSeconds}s)`);
  expect(helpOf('--pairs')).toContain(`(${FULL.pairs}; quick ${QUICK.pairs})`);
  expect(helpOf('--duet-slices')).toContain(`(${FULL.duetSlices}; quick ${QUICK.duetSlices})`);
  expect(helpOf('--warmup')).toContain(`(${FULL.warmupSeconds}s; quick ${QUICK.warmupSeconds}s)`);
});

test('without options, what depends on the suite is left open', () => {
  expect(run()).toEqual({
    ...{ suite: 'levels', tool: 'auto', export: 'otlp' },
    ...{ quick: false, pin: true, keepAwake: true, strict: false, dryRun: false },
  });
});

describe('values', () => {
  test('lengths of time are whole seconds or minutes', () => {
    const { duration, slice, warmup } = run('--duration', '2m', '--slice', '2', '--warmup', '0s');
    expect({ duration, slice, warmup }).toEqual({ duration: 120, slice: 2, warmup: 0 });
    for (const bad of ['0s', '0.5s', '-1s', '1h', '2d', '', '999999s'])
      expect(() => run('--duration', bad)).toThrow('whole seconds or minutes');
  });

  test('counts are whole numbers', () => {
    expect(run('--pairs', '3', '--duet-slices', '0')).toMatchObject({ pairs: 3, duetSlices: 0 });
    for (const bad of ['0', '-1', '1.5', '1e3', 'three', '', '4294967296'])
      expect(() => run('--pairs', bad)).toThrow('whole number, at least 1');
  });

  test('widths are a number with a unit', () => {
    expect(run('--precision', '0.3us').precision).toEqual({ value: 0.3, unit: 'us' });
    expect(width('0%')).toEqual({ value: 0, unit: '%' });
    for (const bad of ['1', '1ms', '-1us', 'us']) expect(() => run('--precision', bad)).toThrow('unit');
    expect(() => run('--precision', '0us')).toThrow('above 0');
  });

  test('a rate is a count, or a part of what the baseline can do', () => {
    expect(run('--rate', '5000').rate).toEqual({ rate: 5000 });
    expect(run('--rate', '30%').rate).toEqual({ rateShare: 0.3 });
    for (const bad of ['0', '0%', '101%', '1.5', '-5', '5/s', ''])
      expect(() => run('--rate', bad)).toThrow('5000 or 30%');
  });

  test('names are separated by commas; a load host stands alone', () => {
    expect(run('--scenarios', ' a, b,,', '--tasks', 'x')).toMatchObject({ scenarios: ['a', 'b'], tasks: ['x'] });
    expect(run('--load-host', 'a').loadHost).toBe('a');
    expect(() => run('--load-host', 'a', '--load-host', 'b')).toThrow('one host');
    for (const bad of [
      ['--tool', 'ab'],
      ['--export', 'discard'],
      ['--listen', '8.8.8.8'],
    ])
      expect(() => run(...bad)).toThrow();
  });
});
