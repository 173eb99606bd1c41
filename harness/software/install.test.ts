import { expect, test } from 'bun:test';
import { appendFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { testFolder } from '../testing/folder.ts';
import { installFor, installPackages } from './install.ts';

const { folder, write } = testFolder();

test('what the lock file says is installed once, and again if it has changed', async () => {
  const ours = join(folder, 'ours');
  const installed = join(ours, 'node_modules/needed/package.json');
  write('needed/package.json', { name: 'needed', version: '1.0.0' });
  write('ours/package.json', { dependencies: { needed: 'file:../needed' } });
  expect(Bun.spawnSync(['bun', 'install', '--lockfile-only'], { cwd: ours }).exitCode).toBe(0);
  expect(existsSync(installed)).toBe(false);
  await installPackages(ours);
  expect(existsSync(installed)).toBe(true);
  // Only a look at the lock file from now on.
  rmSync(installed);
  await installPackages(ours);
  expect(existsSync(installed)).toBe(false);
  write('ours/package.json', { dependencies: { other: 'file:../other' } });
  appendFileSync(join(ours, 'bun.lock'), '\n');
  await expect(installPackages(ours)).rejects.toThrow(
    /^Packages could not be installed: .* ended with status 1 in /,
  );
  const scenario = { name: 'x', packages: [ours] } as never;
  await expect(installFor(scenario)).rejects.toThrow(
    'Scenario x lacks its packages: Packages could not be installed: ',
  );
});

test('a folder without a lock file needs nothing', async () => {
  write('plain/package.json', {});
  await installPackages(join(folder, 'plain'));
  expect(existsSync(join(folder, 'plain/node_modules'))).toBe(false);
});
