import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bodyFile } from './body.ts';

const MIB = 1024 * 1024;

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tracetax-body-'));
});

afterEach(() => rmSync(folder, { recursive: true }));

test.each([0, 1, 1_001, MIB, 2 * MIB + 3])('%i bytes, exactly', async (bytes) => {
  const path = await bodyFile(bytes, folder);
  expect(statSync(path).size).toBe(bytes);
  // Nothing unfinished is left behind.
  expect(readdirSync(folder)).toHaveLength(1);
});

test('always the same bytes, a larger file going on where a smaller one ends', async () => {
  const [once, again] = [join(folder, 'once'), join(folder, 'again')];
  const bytes = readFileSync(await bodyFile(MIB + 5, once));
  expect(readFileSync(await bodyFile(MIB + 5, again)).equals(bytes)).toBe(true);
  expect(readFileSync(await bodyFile(MIB, once)).equals(bytes.subarray(0, MIB))).toBe(true);
});

test('bytes that look random: each value about equally often', async () => {
  const counts = new Array<number>(256).fill(0);
  for (const byte of readFileSync(await bodyFile(MIB, folder))) counts[byte] = (counts[byte] ?? 0) + 1;
  // 4096 expected, with a standard deviation of 64.
  expect(Math.min(...counts)).toBeGreaterThan(4096 - 6 * 64);
  expect(Math.max(...counts)).toBeLessThan(4096 + 6 * 64);
});

test('a file of the right size is used again, another is made anew', async () => {
  const path = await bodyFile(4, folder);
  const made = readFileSync(path);
  writeFileSync(path, 'kept');
  expect(readFileSync(await bodyFile(4, folder), 'utf8')).toBe('kept');
  writeFileSync(path, 'cut');
  expect(readFileSync(await bodyFile(4, folder)).equals(made)).toBe(true);
});

test('two at once do not disturb each other', async () => {
  const [one, other] = await Promise.all([bodyFile(2 * MIB, folder), bodyFile(2 * MIB, folder)]);
  expect(one).toBe(other);
  expect(readdirSync(folder)).toHaveLength(1);
});
