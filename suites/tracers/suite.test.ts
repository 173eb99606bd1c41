import { expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import suite from './suite.ts';

const folders = readdirSync(import.meta.dir, { withFileTypes: true }).flatMap((entry) =>
  entry.isDirectory() ? entry.name : [],
);

test('every folder is a tracer of the suite, and every tracer has a folder', () => {
  expect([...new Set(suite.scenarios.map(({ packages }) => packages as string))].sort()).toEqual(folders.sort());
});

test.each(folders)('%s: exact versions, and a lock file unless its packages are those of the repository', (folder) => {
  const { dependencies } = JSON.parse(readFileSync(join(import.meta.dir, folder, 'package.json'), 'utf8'));
  const versions = Object.values<string>(dependencies);
  const isOwn = versions.includes('workspace:*');
  for (const version of versions) expect(version).toMatch(/^(\d+\.\d+\.\d+|workspace:\*)$/);
  expect(existsSync(join(import.meta.dir, folder, 'bun.lock'))).toBe(!isOwn);
});
