import { afterAll, describe, expect, test } from 'bun:test';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fakeResult } from '../testing/fakes.ts';
import { Problem } from '../words/errors.ts';
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
  // As that of a run that was killed.
  writeResult(file, { ...result, endedAt: null, pairs: [] });
  expect(readResult(file).endedAt).toBeNull();
  expect(readFileSync(file, 'utf8').split('\n').length).toBe(2);
  expect(readdirSync(join(folder, 'new/folder'))).toEqual(['result.json']);
});

test('it is for its owner alone; neither a file of that name nor one that a link leads to is changed', () => {
  const others = join(folder, 'others');
  writeFileSync(others, 'precious');
  const file = join(folder, 'taken.json');
  symlinkSync(others, file);
  const name = writeResult(file, fakeResult(), true);
  expect(name).toBe(join(folder, 'taken-2.json'));
  expect(writeResult(name, fakeResult(), true)).toBe(join(folder, 'taken-2-2.json'));
  expect(statSync(name).mode & 0o777).toBe(0o600);
  // One that was put there while a run goes on.
  writeResult(file, fakeResult());
  expect(readResult(file)).toEqual(fakeResult());
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(others, 'utf8')).toBe('precious');
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
  const { pairs: _, ...withoutPairs } = fakeResult();
  const outside = { ...fakeResult(), suite: { ...fakeResult().suite, name: '../x' } };
  test.each([
    [
      'a result of an older version',
      '{"kind":"tracetax","schemaVersion":2,"pairs":1}',
      'it has schema version 2; this',
    ],
    ['one of a version to come', '{"kind":"tracetax","schemaVersion":999}', 'schema version 999'],
    ['what is no JSON', '{', 'is not a result of tracetax'],
    ['what another program wrote', '{"schemaVersion":3,"kind":"other"}', 'kind'],
    ['what lacks a field', JSON.stringify(withoutPairs), 'pairs'],
    ['a negative time', JSON.stringify(fakeResult()).replace(/"max":\d/, '"max":-1'), 'expected number to be >=0'],
    ['a name that would lead elsewhere', JSON.stringify(outside), 'suite.name'],
  ])('%s', (_, content, words) => {
    const file = write(content);
    expect(() => readResult(file)).toThrow(Problem);
    expect(() => readResult(file)).toThrow(words);
  });

  test('what is too large, no file, or not there', () => {
    const file = write('{');
    truncateSync(file, 65 * 1024 ** 2);
    expect(() => readResult(file)).toThrow('larger than 64 MiB');
    expect(() => readResult(folder)).toThrow('not a regular file');
    expect(() => readResult(join(folder, 'nope.json'))).toThrow("can't be read");
  });
});
