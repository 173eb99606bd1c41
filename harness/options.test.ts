import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareCommand, FULL, QUICK, reportCommand, runCommand } from './options.ts';

const silent = { writeErr: () => {} };
const run = (...argv: string[]) => {
  const command = runCommand('run', '', 'levels').exitOverride().configureOutput(silent);
  return command.parse(argv, { from: 'user' }).opts();
};

test('the load that scripts/bench.sh shows is what a run makes unless it is told otherwise', () => {
  const script = readFileSync(join(import.meta.dir, '../scripts/bench.sh'), 'utf8');
  expect(script).toContain(`bombardier --fasthttp -c ${FULL.connections} -d ${FULL.durationSeconds}s `);
});

test('the help names the defaults that are', () => {
  const { options } = runCommand('run', '', 'levels');
  const helpOf = (name: string) => options.find(({ long }) => long === name)?.description;
  expect(helpOf('--connections')).toContain(`(${FULL.connections})`);
  expect(helpOf('--duration')).toContain(`(${FULL.durationSeconds}s; quick ${QUICK.durationSeconds}s)`);
  expect(helpOf('--slice')).toContain(`(${FULL.sliceSeconds}s)`);
  expect(helpOf('--pairs')).toContain(`(${FULL.pairs}; quick ${QUICK.pairs})`);
  expect(helpOf('--duet-slices')).toContain(`(${FULL.duetSlices}; quick ${QUICK.duetSlices})`);
  expect(helpOf('--warmup')).toContain(`(${FULL.warmupSeconds}s; quick ${QUICK.warmupSeconds}s)`);
});

test('without options, what depends on the suite is left open', () => {
  expect(run()).toEqual({
    suite: 'levels',
    quick: false,
    tool: 'auto',
    export: 'otlp',
    format: 'docs',
    pin: true,
    keepAwake: true,
    strict: false,
    dryRun: false,
  });
});

describe('values', () => {
  test('lengths of time are whole seconds or minutes', () => {
    expect(run('--duration', '30s', '--slice', '2', '--warmup', '0s')).toMatchObject({
      duration: 30,
      slice: 2,
      warmup: 0,
    });
    expect(run('--duration', '2m').duration).toBe(120);
    for (const bad of ['0s', '0.5s', '-1s', '1h', '2d', '', '999999s'])
      expect(() => run('--duration', bad)).toThrow('whole seconds or minutes');
  });

  test('counts are whole numbers', () => {
    expect(run('--pairs', '3', '--duet-slices', '0', '--seed', '0')).toMatchObject({
      pairs: 3,
      duetSlices: 0,
      seed: 0,
    });
    for (const bad of ['0', '-1', '1.5', '1e3', 'three', '', '4294967296'])
      expect(() => run('--pairs', bad)).toThrow('whole number, at least 1');
  });

  test('widths are a number with a unit', () => {
    expect(run('--precision', '0.3us').precision).toEqual({ value: 0.3, unit: 'us' });
    expect(run('--precision', '1%').precision).toEqual({ value: 1, unit: '%' });
    for (const bad of ['1', '1ms', '-1us', 'us']) expect(() => run('--precision', bad)).toThrow('unit');
    expect(() => run('--precision', '0us')).toThrow('above 0');
  });

  test('a rate is a count, or a part of what the baseline can do', () => {
    expect(run('--rate', '5000').rate).toEqual({ rate: 5000 });
    expect(run('--rate', '30%').rate).toEqual({ rateShare: 0.3 });
    for (const bad of ['0', '0%', '101%', '1.5', '-5', '5/s', ''])
      expect(() => run('--rate', bad)).toThrow('5000 or 30%');
  });

  test('names are separated by commas', () => {
    expect(run('--scenarios', ' a, b,,').scenarios).toEqual(['a', 'b']);
    expect(run('--endpoints', 'x').endpoints).toEqual(['x']);
  });

  test('one of a list', () => {
    expect(run('--tool', 'wrk', '--format', 'full', '--quick')).toMatchObject({ tool: 'wrk', quick: true });
    expect(() => run('--tool', 'ab')).toThrow('bombardier');
    expect(() => run('--format', 'pdf')).toThrow('docs');
  });
});

test('report and compare', () => {
  expect(reportCommand().parse(['x.json', '--update', 'README.md', '--check'], { from: 'user' }).opts()).toEqual({
    format: 'docs',
    update: 'README.md',
    check: true,
  });
  const compare = (limit: string) =>
    compareCommand().parse(['old.json', 'new.json', '--fail-above', limit], { from: 'user' }).opts();
  const { failAbove, allowMissing, force, format } = compare('5%');
  expect({ failAbove, allowMissing, force, format }).toEqual({
    failAbove: { value: 5, unit: '%' },
    allowMissing: false,
    force: false,
    format: 'markdown',
  });
  // To fail on any change for the worse.
  expect(compare('0us').failAbove?.value).toBe(0);
});
