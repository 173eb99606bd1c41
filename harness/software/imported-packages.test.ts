import { expect, test } from 'bun:test';
import { join } from 'node:path';
import type { PlannedServer } from '../plan/planned-server.ts';
import { fakeServer } from '../testing/fake-plan.ts';
import { testFolder } from '../testing/folder.ts';
import { suiteOf } from '../testing/suites.ts';
import { packagesOf, scenariosWithout } from './imported-packages.ts';

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

test('a package is found that was installed after somebody looked for it', () => {
  write('late/server.cjs', "require('late/more'); require('@of/late'); require('node:fs')");
  const late = { ...server, command: ['node', 'server.cjs'], cwd: join(folder, 'late') };
  expect(packagesOf(late)).toEqual({});
  write('late/node_modules/late/package.json', { version: '5.0.0' });
  write('late/node_modules/@of/late/package.json', { version: '6.0.0' });
  expect(packagesOf(late)).toEqual({ late: '5.0.0', '@of/late': '6.0.0' });
});

test('scenarios are told that do not use a package, unless none is seen to use it', () => {
  write('use/node_modules/late/package.json', { version: '5.0.0' });
  write('use/traced.cjs', "require('late')");
  write('use/bare.cjs', '');
  const scenario = (name: string, ...command: string[]) => ({ name, command });
  const without = (packageName: string) =>
    scenariosWithout(packageName, {
      ...suiteOf({
        baseline: 'bare',
        scenarios: [
          scenario('bare', 'node', 'bare.cjs'),
          scenario('traced', 'node', 'traced.cjs'),
          scenario('preloaded', 'node', '--require=late/register', 'bare.cjs'),
          { ...scenario('by-variable', 'node', 'bare.cjs'), env: { NODE_OPTIONS: '-r late' } },
        ],
      }),
      cwd: join(folder, 'use'),
    });
  expect(without('late')).toEqual(['bare']);
  expect(without('other')).toEqual([]);
});

test('a package that a command preloads is one of the server', () => {
  const command = ['node', '--require', 'preloaded/index.js', 'server.ts'];
  expect(packagesOf({ ...server, command })).toMatchObject({ preloaded: '4.0.0' });
});

test.each<[string, string[], Record<string, string>]>([
  ['by its name', ['-r', 'preloaded'], {}],
  ['after an equals sign', ['--import=preloaded/index.js'], {}],
  ['in a file of its own', ['--require=./own-preload.cjs'], {}],
  ['by a variable', [], { NODE_OPTIONS: '--enable-source-maps --import preloaded' }],
])('a package that is preloaded %s is one of the server', (_, flags, env) => {
  write('app/own-preload.cjs', "require('preloaded')");
  const command = ['node', ...flags, 'server.ts'];
  expect(packagesOf({ ...server, command, env })).toMatchObject({ preloaded: '4.0.0' });
});

test("the suite's command prints packages after what the server runs on", () => {
  const versions = ['printf', 'go version go1.22.1 linux/amd64\\nflask==3.0\\nPackage Version'];
  expect(packagesOf({ ...server, versions })).toEqual({
    direct: '1.0.0',
    '@of/another': '2.0.0',
    flask: '3.0',
  });
});
