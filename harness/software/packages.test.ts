import { expect, test } from 'bun:test';
import { appendFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { PlannedServer } from '../plan/planned-server.ts';
import { testFolder } from '../testing/folder.ts';
import { installFor, installPackages } from './install.ts';
import { runtimeOf, versionsOf } from './packages.ts';

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

test('versions are those of packages that its own files import, also by way of its repository', () => {
  const version = (name: string, version: string) =>
    write(`versions/node_modules/${name}/package.json`, { version });
  for (const [name, number] of Object.entries({
    direct: '1.0.0',
    '@of/another': '2.0.0',
    unused: '3.0.0',
  })) {
    version(name, number);
    write(`versions/node_modules/${name}/index.js`, "import 'unused';");
  }
  const imports = [
    "import type { X } from 'unused'",
    "import 'direct'",
    "import '../server/own.ts'",
    "import 'node:fs'",
  ];
  write('versions/server.ts', imports.join(';\n'));
  write('versions/own.ts', "export const x = () => import('@of/another');");
  const command = ['bun', 'run', 'server.ts'];
  const server = { command, cwd: join(folder, 'versions'), env: {} } as never as PlannedServer;
  expect(versionsOf(server)).toEqual({ direct: '1.0.0', '@of/another': '2.0.0' });
  expect(runtimeOf(server)).toEqual({ name: 'bun', version: Bun.version });
  expect(runtimeOf({ ...server, command: ['sh', '-c', 'exec bun'] })).toBeNull();
  // A script's is that of its first line.
  expect(runtimeOf({ ...server, command: ['npm', 'start'] })?.name).toBe('node');
  const told = {
    ...server,
    versions: ['printf', 'go version go1.22.1 linux/amd64\\nflask==3.0\\nPackage Version'],
  };
  expect(runtimeOf(told)).toEqual({ name: 'go', version: '1.22.1' });
  expect(versionsOf(told)).toEqual({ direct: '1.0.0', '@of/another': '2.0.0', flask: '3.0' });
});
