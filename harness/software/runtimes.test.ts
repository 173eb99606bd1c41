import { expect, test } from 'bun:test';
import type { PlannedServer } from '../plan/planned-server.ts';
import { fakeServer } from '../testing/fake-plan.ts';
import { testFolder } from '../testing/folder.ts';
import { installedRuntimes, runtimeOf } from './runtimes.ts';

const { folder, write } = testFolder();

const server = (...command: string[]): PlannedServer => ({
  ...fakeServer('x'),
  command,
  cwd: folder,
});

test('a runtime is that of the program, or of the first line of its script', () => {
  expect(runtimeOf(server('bun', 'run', 'server.ts'))).toEqual({
    name: 'bun',
    version: Bun.version,
  });
  expect(runtimeOf(server('npm', 'start'))?.name).toBe('node');
  const versioned = write('python3.11', '#!/bin/sh\necho Python 3.11.2', 0o755);
  expect(runtimeOf(server(versioned))).toEqual({ name: 'python', version: '3.11.2' });
});

test('nothing tells what runs in a shell, or what is not here', () => {
  expect(runtimeOf(server('sh', '-c', 'exec bun'))).toBeNull();
  expect(runtimeOf(server('no-such-program'))).toBeNull();
});

test("the suite's command goes before the program", () => {
  const versions = ['echo', 'go version go1.22.1 linux/amd64'];
  expect(runtimeOf({ ...server('bun'), versions })).toEqual({ name: 'go', version: '1.22.1' });
});

test('what is on this machine has a version', () => {
  expect(installedRuntimes()).toContainEqual({ name: 'bun', version: Bun.version });
});
