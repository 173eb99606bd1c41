// Builds that no registry has, installed by what is on this machine: nothing is loaded from
// outside.
import { afterEach, describe, expect, test } from 'bun:test';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { scenariosOf } from '../suite/select.ts';
import { testFolder } from '../testing/folder.ts';
import { installEach } from './package-versions.ts';
import { findPackage, readPackageJson } from './packages.ts';

const { folder, path, write } = testFolder();
const here = process.cwd();
afterEach(() => process.chdir(here));

/** Writes a build of the package `mylib`, as a folder, and packs it. */
function build(name: string, version: string, said = name): void {
  write(`${name}/package.json`, { name: 'mylib', version, main: 'index.js', files: ['index.js'] });
  write(`${name}/index.js`, `module.exports = '${said}';`);
  write(`${name}/private.txt`, 'not packed');
  const pack = ['pm', 'pack', '--quiet', '--filename', path(`${name}.tgz`)];
  expect(Bun.spawnSync([process.execPath, ...pack], { cwd: path(name) }).exitCode).toBe(0);
}
build('a', '1.0.0');
build('b', '1.0.1');
// Of the version of another, as builds of branches are.
build('c', '1.0.1');
cpSync(path('a.tgz'), path('copy.tgz'));

write('beside/package.json', { name: 'beside', version: '2.0.0' });
const scenario = (name: string) => ({ name, command: ['node', `${name}.cjs`] });
write('app/bench/suite.json', {
  name: 'x',
  cwd: '..',
  baseline: 'bare',
  scenarios: [scenario('bare'), scenario('traced')],
});
write('app/bare.cjs', '');
write('app/traced.cjs', "require('mylib')");
const LOCKS = {
  'bun.lock': '{ "lockfileVersion": 1, "workspaces": { "": {} }, "packages": {} }',
  'package-lock.json': '{ "name": "app", "lockfileVersion": 3, "packages": {} }',
};

/** What the servers of each copy of the project find, where the user stands in it. */
async function installed(...specifiers: string[]) {
  process.chdir(path('app'));
  const wanted = specifiers.map((each) => `mylib@${each}`);
  const { old, others, unchanged } = await installEach(wanted, 'bench/suite.json', false);
  const found = [old, ...others].map(({ suite, title }) => {
    const [cwd = ''] = scenariosOf(suite.tasks).map((each) => each.cwd ?? suite.cwd);
    const lib = findPackage('mylib', cwd) ?? '';
    return {
      title,
      version: readPackageJson(lib).version,
      isPacked: Bun.file(join(lib, 'private.txt')).size === 0,
      beside: readPackageJson(findPackage('beside', cwd) ?? '').version,
    };
  });
  return { found, unchanged };
}

function project(lock: keyof typeof LOCKS, dependencies: Record<string, string>): void {
  for (const each of Object.keys(LOCKS)) rmSync(path(`app/${each}`), { force: true });
  write(`app/${lock}`, LOCKS[lock]);
  write('app/package.json', { name: 'app', dependencies });
}

describe.each(['bun.lock', 'package-lock.json'] as const)('in a project with %s', (lock) => {
  test('tarballs and folders are relative to where the user stands, and packed alike', async () => {
    project(lock, { mylib: 'file:../a.tgz', beside: 'file:../beside' });
    const { found, unchanged } = await installed('file:../a.tgz', '../b', path('c.tgz'));
    const rest = { isPacked: true, beside: '2.0.0' };
    expect(found).toEqual([
      { title: 'mylib 1.0.0 (../a.tgz)', version: '1.0.0', ...rest },
      { title: 'mylib 1.0.1 (../b)', version: '1.0.1', ...rest },
      { title: `mylib 1.0.1 (${path('c.tgz')})`, version: '1.0.1', ...rest },
    ]);
    expect(unchanged).toEqual(['bare']);
  }, 300_000);
});

test.each([
  ['../a.tgz', 'file:../a.tgz'],
  ['../a.tgz', '../a'],
  ['../a.tgz', '../copy.tgz'],
  ['../a', './../a/'],
])(
  '%s and %s are the same, and not compared',
  async (one, other) => {
    project('bun.lock', { mylib: 'file:../a.tgz' });
    await expect(installed(one, other)).rejects.toThrow('have the same files');
  },
  300_000,
);

test('they are if the user asks for that, and the report says so', async () => {
  project('bun.lock', { mylib: 'file:../a.tgz' });
  process.chdir(path('app'));
  const texts = ['mylib@../a.tgz', 'mylib@../b.tgz', 'mylib@../a'];
  const { others } = await installEach(texts, 'bench/suite.json', true);
  const said =
    'mylib 1.0.0 (../a.tgz) and mylib 1.0.0 (../a) have the same files: their difference is noise.';
  expect(others.map(({ suite }) => suite.remarks)).toEqual([[said], [said]]);
}, 300_000);

test.each([
  [['../a.tgz', '../nope.tgz'], 'mylib@../nope.tgz is not there: '],
  [['../a.tgz', '../app/bench'], 'it has no package.json'],
  [['../a.tgz'], 'two versions of one package'],
])('%j: what is no build is said', async (specifiers, said) => {
  await expect(installed(...specifiers)).rejects.toThrow(said);
});

test("a version is refused that the workspace's own package took the place of", async () => {
  project('bun.lock', { mylib: '1.0.0' });
  write('app/package.json', {
    name: 'app',
    workspaces: ['packages/*'],
    dependencies: { mylib: '1.0.0' },
  });
  write('app/packages/mylib/package.json', { name: 'mylib', version: '1.0.0', main: 'index.js' });
  write('app/packages/mylib/index.js', 'module.exports = "the working folder";');
  await expect(installed('1.0.0', '../b')).rejects.toThrow(
    'mylib of this workspace took the place of mylib@1.0.0',
  );
  rmSync(path('app/packages'), { recursive: true });
}, 300_000);

test('a project without a package.json has no packages to compare', async () => {
  rmSync(path('app/package.json'));
  await expect(installed('../a.tgz', '../b')).rejects.toThrow(
    '--package compares packages of npm, and there is no package.json',
  );
});

test('a folder is not changed', () => {
  expect([...new Bun.Glob('*').scanSync(join(folder, 'b'))].sort()).toEqual([
    'index.js',
    'package.json',
    'private.txt',
  ]);
});
