import { expect, test } from 'bun:test';
import { join } from 'node:path';
import type { PlannedServer } from '../plan/planned-server.ts';
import { fakeServer } from '../testing/fake-world.ts';
import { testFolder } from '../testing/folder.ts';
import { packagesOf } from './imported-packages.ts';

const { folder, write } = testFolder();

for (const [name, version] of Object.entries({
  direct: '1.0.0',
  '@of/another': '2.0.0',
  preloaded: '4.0.0',
  unused: '3.0.0',
})) {
  write(`app/node_modules/${name}/package.json`, { version });
  write(`app/node_modules/${name}/index.js`, "import 'unused';");
}
const imports = [
  "import type { X } from 'unused'",
  "import 'direct'",
  "import '../app/own.ts'",
  "import 'node:fs'",
];
write('app/server.ts', imports.join(';\n'));
write('app/own.ts', "export const x = () => import('@of/another');");

const server: PlannedServer = {
  ...fakeServer('x'),
  command: ['bun', 'run', 'server.ts'],
  cwd: join(folder, 'app'),
};

test('packages are those that its own files import, also by way of its repository', () => {
  expect(packagesOf(server)).toEqual({ direct: '1.0.0', '@of/another': '2.0.0' });
});

test('a package that a command preloads is one of the server', () => {
  const command = ['node', '--require', 'preloaded/index.js', 'server.ts'];
  expect(packagesOf({ ...server, command })).toMatchObject({ preloaded: '4.0.0' });
});

test("the suite's command prints packages after what the server runs on", () => {
  const versions = ['printf', 'go version go1.22.1 linux/amd64\\nflask==3.0\\nPackage Version'];
  expect(packagesOf({ ...server, versions })).toEqual({
    direct: '1.0.0',
    '@of/another': '2.0.0',
    flask: '3.0',
  });
});
