import { expect, test } from 'bun:test';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { findingOf, heldIn, heldRange, heldText, newerIn } from './newer-packages.ts';

test('packages with newer versions are read from the table of bun', () => {
  const table =
    '| Package | Current | Update | Latest |\n|---|---|---|---|\n| @x/y (dev)  | 1.0.0 | 1.0.1 | 2.0.0-rc.1 |\n';
  expect(newerIn(table)).toEqual([{ name: '@x/y', pinned: '1.0.0', latest: '2.0.0-rc.1' }]);
});

const newer = { name: '@x/y', pinned: '1.0.0', latest: '2.0.0' };
const published = async () => ['1.0.0', '1.2.0', '1.10.0', '2.0.0', '1.11.0-rc.1'];

test('a package that nothing holds back is out of date', async () => {
  expect(await findingOf(newer, undefined, published)).toEqual(newer);
  const others = { because: 'reason', packages: { '@x/z': '1.x' } };
  expect(await findingOf(newer, others, published)).toEqual(newer);
});

test('a package that is held back is out of date if there is a newer version of those that are wanted', async () => {
  const held = { because: 'reason', packages: { '@x/*': '1.x' } };
  expect(await findingOf(newer, held, published)).toEqual({ ...newer, latest: '1.10.0' });
  const newest = { ...newer, pinned: '1.10.0' };
  expect(await findingOf(newest, held, published)).toEqual({ ...newest, because: 'reason' });
});

test('what is held back stands in one line, by the reason', () => {
  const held = { ...newer, because: 'reason' };
  const findings = [
    { ...held, folder: 'a' },
    { ...held, folder: 'b' },
    { ...held, folder: 'b', name: 'n', because: 'other' },
  ];
  expect(heldText(findings)).toBe(
    'reason (a, b): @x/y 1.0.0 -> 2.0.0; other (b): n 1.0.0 -> 2.0.0',
  );
});

const SUITES = resolve(import.meta.dir, '../suites');
const folders = globSync('**/package.json', { cwd: SUITES, exclude: ['**/node_modules'] })
  .map((file) => join(SUITES, dirname(file)))
  .sort();

test.each(folders)('%s holds back what it pins, at versions that it wants', (folder) => {
  const held = heldIn(folder);
  if (!held) return;
  const { dependencies, devDependencies } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  );
  const pinned = Object.entries<string>({ ...dependencies, ...devDependencies });
  const ranges = pinned.map(([name]) => heldRange(held, name));
  for (const [at, range] of ranges.entries())
    if (range) expect(Bun.semver.satisfies(pinned[at]?.[1] ?? '', range)).toBeTrue();
  expect(Object.values(held.packages).filter((range) => !ranges.includes(range))).toEqual([]);
});
