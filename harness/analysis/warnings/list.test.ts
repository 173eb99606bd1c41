import { expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { warningsAfter } from '../../testing/fake-analysis.ts';
import { WARNINGS } from './list.ts';

/**
 * Tests of each warning stand beside it. What the golden files of reports show is not tried again:
 * stopped and unpinned runs, those on several runtimes, and the words of faults.
 */

test('a clean run has none', () => {
  expect(warningsAfter(() => {})).toEqual([]);
});

test('every kind of the list is in the documentation', async () => {
  const documented = await Bun.file(`${import.meta.dir}/../../../docs/reading.md`).text();
  const rows = [...documented.matchAll(/^\| `([a-z-]+)`/gm)].map(([, kind]) => kind);
  expect(rows).toEqual(Object.keys(WARNINGS));
});

test('every kind of the list has a file of its name', () => {
  const kinds = Object.keys(WARNINGS);
  expect(kinds.filter((kind) => !existsSync(join(import.meta.dir, `${kind}.ts`)))).toEqual([]);
});
