import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync, statSync, symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { asRevisions, fakeFault, fakePair, fakeResult } from '../testing/fakes.ts';
import { testFolder } from '../testing/folder.ts';
import { Problem, problemLine } from '../words/errors.ts';
import { defaultResultFile, readResult, writeResult } from './file.ts';
import type { Result } from './schema.ts';

const { folder, ...files } = testFolder();
const write = (content: string) => files.write('result.json', content);

/** Returns a result whose numbers have so few digits that none is rounded. */
function exactResult(): Result {
  return fakeResult([fakePair('other', 12.5, 10)]);
}

test('a result is read as it was written, in one line of JSON, and leaves no other file', () => {
  const file = join(folder, 'new/folder/result.json');
  const result = exactResult();
  writeResult(file, result);
  expect(readResult(file)).toEqual(result);
  // A run that was killed leaves such a result.
  writeResult(file, { ...result, endedAt: null, pairs: [] });
  expect(readResult(file).endedAt).toBeNull();
  expect(readFileSync(file, 'utf8').split('\n').length).toBe(2);
  expect(readdirSync(join(folder, 'new/folder'))).toEqual(['result.json']);
});

test('seven digits of a measured number are kept', () => {
  const [pair] = fakeResult().pairs;
  const [slice] = pair?.duets ?? [];
  Object.assign(slice?.baseline ?? {}, { seconds: 1.00086417612, cpuNs: 915_331_018 });
  const file = join(folder, 'digits.json');
  writeResult(file, fakeResult([pair as never]));
  const kept = readResult(file).pairs[0]?.duets[0]?.baseline;
  expect([kept?.seconds, kept?.cpuNs]).toEqual([1.000864, 915_331_018]);
});

test('a result is for its owner alone, and changes no file of its name, nor one behind a link', () => {
  const others = files.write('others', 'precious');
  const file = join(folder, 'taken.json');
  symlinkSync(others, file);
  const name = writeResult(file, fakeResult(), true);
  expect(name).toBe(join(folder, 'taken-2.json'));
  expect(writeResult(name, fakeResult(), true)).toBe(join(folder, 'taken-2-2.json'));
  expect(statSync(name).mode & 0o777).toBe(0o600);
  // A running measurement replaces its own file.
  writeResult(file, exactResult());
  expect(readResult(file)).toEqual(exactResult());
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(others, 'utf8')).toBe('precious');
});

test('a result whose place is no folder is a problem', () => {
  const file = write('a file, and no folder');
  expect(() => writeResult(join(file, 'result.json'), fakeResult())).toThrow("can't be written");
});

test('slices of the warm-up take little room, and a server that had no load has none', () => {
  const result = exactResult();
  const load = { requests: 23_456, watchedMs: 1_234, cpuMs: 567 };
  Object.assign(result.pairs[0] ?? {}, {
    warmUp: [{ baseline: { ...load, cpuMs: 567.4 }, scenario: null }],
  });
  const file = join(folder, 'warm-up.json');
  writeResult(file, result);
  expect(readResult(file).pairs[0]?.warmUp).toEqual([{ baseline: load, scenario: null }]);
  expect(readFileSync(file, 'utf8')).toContain('"warmUp":[[[23456,1234,567],null]]');
});

describe('an older file', () => {
  test('has no slices of the warm-up', () => {
    const result = exactResult();
    const pairs = result.pairs.map(({ warmUp: _, ...pair }) => pair);
    expect(readResult(write(JSON.stringify({ ...result, pairs }))).pairs[0]?.warmUp).toEqual([]);
  });

  test('calls it late why a slice did not hold its rate', () => {
    const { pairs, ...rest } = exactResult();
    const reason = '7 of 10 requests';
    const older = pairs.map(({ alternating, ...pair }) => ({
      ...pair,
      alternating: alternating.map(({ rateShortfall: _, ...slice }) => ({
        ...slice,
        late: reason,
      })),
    }));
    const read = readResult(write(JSON.stringify({ ...rest, pairs: older })));
    expect(read.pairs.length).toBeGreaterThan(0);
    for (const { rateShortfall } of read.pairs.flatMap(({ alternating }) => alternating))
      expect(rateShortfall).toBe(reason);
  });

  test('says by the names of its scenarios that it compares revisions', () => {
    const result = exactResult();
    asRevisions(result);
    delete result.suite.comparesRevisions;
    expect(readResult(write(JSON.stringify(result))).suite.comparesRevisions).toBe(true);
    const { suite } = readResult(write(JSON.stringify(exactResult())));
    expect(suite.comparesRevisions).toBeUndefined();
  });

  test('says by its words that nobody measured whether cores stayed awake', () => {
    const reasonOf = (missing: string) => {
      const file = write(JSON.stringify({ ...exactResult(), keepAwake: { missing } }));
      const { keepAwake } = readResult(file);
      return 'how' in keepAwake ? null : keepAwake.reason;
    };
    expect(reasonOf('nobody measured whether that helps')).toBe('not-measured');
    expect(reasonOf('switched off with --no-keep-awake')).toBeUndefined();
  });

  test('says by their words what kind its faults have', () => {
    const result = exactResult();
    const { kind: _, ...fault } = fakeFault({ what: 'rate not held' });
    Object.assign(result.pairs[0] ?? {}, { faults: [fault] });
    const [pair] = readResult(write(JSON.stringify(result))).pairs;
    expect(pair?.faults).toEqual([{ ...fault, kind: 'rate-not-held' }]);
  });
});

test('a run is kept under its time and its suite', () => {
  const file = defaultResultFile(new Date('2026-11-21T07:08:09.123Z'), 'levels');
  expect(file).toBe(join(process.cwd(), 'results/2026-11-21T070809Z-levels.json'));
});

describe('no result is read from', () => {
  const text = JSON.stringify(fakeResult());
  const { pairs: _, ...withoutPairs } = fakeResult();
  const older = /it has schema version 2; this version of tracetax reads version 3\. Measure again/;
  test.each([
    ['a result of an older version', '{"kind":"tracetax","schemaVersion":2,"pairs":1}', older],
    ['one of a version to come', '{"kind":"tracetax","schemaVersion":999}', 'schema version 999'],
    ['what is no JSON', '{', 'is not a result of tracetax'],
    [
      'what breaks off',
      text.slice(0, -9),
      /is damaged: it breaks off, or was edited\. Measure again/,
    ],
    ['a list', '[]', 'is not a result'],
    ['null', 'null', 'is not a result'],
    ['what another program wrote', '{"schemaVersion":3,"kind":"other"}', 'is not a result'],
    ['what lacks a field', JSON.stringify(withoutPairs), 'pairs'],
    ['another type', JSON.stringify({ ...withoutPairs, pairs: { length: 9 } }), 'pairs'],
    [
      'a negative time',
      text.replace(/"max":\d/, '"max":-1'),
      /is damaged: pairs\[0\]\.\S+latencyUs\.max is missing, or not what tracetax writes there\./,
    ],
    ['a huge number', text.replace('"seed":7', '"seed":1e999'), 'configuration.seed'],
    [
      'a name that would lead elsewhere',
      text.replace('"name":"fake"', '"name":"../x"'),
      'suite.name',
    ],
    ['lists in lists without end', '['.repeat(1_000_000), 'is not a result'],
    [
      'objects without end',
      `{"suite":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`,
      'is not a result',
    ],
  ])('%s: one line says so', (_, content, words) => {
    const file = write(content);
    expect(() => readResult(file)).toThrow(Problem);
    expect(lineOf(file)).toMatch(words);
  });

  test('a file that is too large, no regular file, or not there', () => {
    const file = write('{');
    truncateSync(file, 65 * 1024 ** 2);
    expect(lineOf(file)).toContain('larger than 64 MiB');
    expect(lineOf(folder)).toContain('not a regular file');
    expect(lineOf('/dev/zero')).toContain('not a regular file');
    expect(lineOf(files.path('nope.json'))).toContain("can't be read");
  });
});

/** Returns the line that tells a user why a file can't be read; undefined if it can be read. */
function lineOf(file: string): string | undefined {
  try {
    readResult(file);
  } catch (error) {
    const line = problemLine(error) ?? '';
    expect(line.length).toBeLessThan(1_000);
    return line;
  }
}
