import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command, type Option } from 'commander';
import {
  type CompareOptions,
  calibrateOptions,
  compareOptions,
  FULL,
  QUICK,
  type ReportOptions,
  type RunOptions,
  reportOptions,
  runOptions,
} from './options.ts';

function parse<Options extends object>(options: Option[], ...argv: string[]): Options {
  const command = new Command('test').exitOverride().configureOutput({ writeErr: () => {} });
  for (const option of options) command.addOption(option);
  return command.parse(argv, { from: 'user' }).opts<Options>();
}
const run = (...argv: string[]) => parse<RunOptions>(runOptions(), ...argv);

test('the load that scripts/bench.sh shows is what a run makes unless it is told otherwise', () => {
  const script = readFileSync(join(import.meta.dir, '../scripts/bench.sh'), 'utf8');
  expect(script).toContain(`bombardier --fasthttp -c ${FULL.connections} -d ${FULL.durationSeconds}s `);
});

test('the help names the defaults that are', () => {
  const helpOf = (name: string) => runOptions().find(({ long }) => long === name)?.description;
  expect(helpOf('--connections')).toContain(`(${FULL.connections})`);
  expect(helpOf('--duration')).toContain(`(${FULL.durationSeconds}s)`);
  expect(helpOf('--slice')).toContain(`(${FULL.sliceSeconds}s)`);
  expect(helpOf('--pairs')).toContain(`(${FULL.pairs}; quick ${QUICK.pairs})`);
  expect(helpOf('--duet-slices')).toContain(`(${FULL.duetSlices}; quick ${QUICK.duetSlices})`);
  expect(helpOf('--warmup')).toContain(`(${FULL.warmupSeconds}s)`);
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

test('a calibration takes the options of a run, but for the suite', () => {
  const names = (options: Option[]) => options.map(({ long }) => long);
  expect(names(calibrateOptions())).toEqual(names(runOptions()).filter((name) => name !== '--suite'));
});

test('report and compare', () => {
  expect(parse<ReportOptions>(reportOptions(), '--update', 'README.md', '--check')).toEqual({
    format: 'docs',
    update: 'README.md',
    check: true,
  });
  const compare = (...argv: string[]) => parse<CompareOptions>(compareOptions(), ...argv);
  expect(compare('--fail-above', '5%')).toEqual({
    failAbove: { value: 5, unit: '%' },
    allowMissing: false,
    force: false,
    format: 'markdown',
  });
  // To fail on any change for the worse.
  expect(compare('--fail-above', '0us').failAbove?.value).toBe(0);
});
