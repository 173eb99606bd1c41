import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fakeResult } from '../testing/fakes.ts';
import { defaultResultFile, readResult, writeResult } from './file.ts';

const folder = mkdtempSync(join(tmpdir(), 'tracetax-test-'));
afterAll(() => rmSync(folder, { recursive: true }));
const write = (content: string) => {
  const file = join(folder, 'result.json');
  writeFileSync(file, content);
  return file;
};

test('what is written is what is read, as JSON in one line, and nothing else is left', () => {
  const file = join(folder, 'new/folder/result.json');
  const result = fakeResult();
  writeResult(file, result);
  expect(readResult(file)).toEqual(result);
  writeResult(file, { ...result, stoppedBy: 'x' });
  expect(readResult(file).stoppedBy).toBe('x');
  expect(readFileSync(file, 'utf8').split('\n').length).toBe(2);
  expect(readdirSync(join(folder, 'new/folder'))).toEqual(['result.json']);
});

test('a run that was killed can be read', () => {
  const file = join(folder, 'killed.json');
  writeResult(file, { ...fakeResult([]), endedAt: null });
  expect(readResult(file).endedAt).toBeNull();
});

test('a run from before servers exported to a sink can be read', () => {
  const { configuration, ...rest } = fakeResult();
  const { export: _, ...old } = configuration;
  const pairs = rest.pairs.map(({ exported: _, ...pair }) => pair);
  const file = write(JSON.stringify({ ...rest, configuration: old, pairs }));
  expect(readResult(file).configuration.export).toBe('none');
  expect(readResult(file).pairs[0]?.exported).toEqual({ baseline: null, scenario: null });
});

test('a place that is none', () => {
  const file = write('a file, and no folder');
  expect(() => writeResult(join(file, 'result.json'), fakeResult())).toThrow("can't be written");
});

test('a run is kept under its time and its suite', () => {
  const file = defaultResultFile(new Date('2026-11-21T07:08:09.123Z'), 'levels');
  expect(file).toBe(join(process.cwd(), 'results/2026-11-21T070809Z-levels.json'));
});

describe('not read is', () => {
  test('another version: the one before, and one to come', () => {
    const versioned = (schemaVersion: number) => write(JSON.stringify({ ...fakeResult(), schemaVersion }));
    expect(() => readResult(versioned(1))).toThrow('has schema version 1; this version of tracetax reads version 2');
    expect(() => readResult(versioned(3))).toThrow('has schema version 3');
  });

  test('what is no result, with the field that shows it', () => {
    expect(() => readResult(write('{'))).toThrow('is not a result of tracetax');
    expect(() => readResult(write('{"schemaVersion":2,"kind":"other"}'))).toThrow('kind');
    const { pairs: _, ...rest } = fakeResult();
    expect(() => readResult(write(JSON.stringify(rest)))).toThrow('pairs');
    const outside = { ...fakeResult(), suite: { ...fakeResult().suite, name: '../x' } };
    expect(() => readResult(write(JSON.stringify(outside)))).toThrow('suite.name');
  });

  test('what is too large, no file, or not there', () => {
    const file = write('{');
    truncateSync(file, 65 * 1024 ** 2);
    expect(() => readResult(file)).toThrow('larger than 64 MiB');
    expect(() => readResult(folder)).toThrow('not a regular file');
    expect(() => readResult(join(folder, 'nope.json'))).toThrow("can't be read");
  });
});
