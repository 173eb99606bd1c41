import { expect, test } from 'bun:test';
import { testFolder } from '../testing/folder.ts';
import { frozenInstallOf, lockFileOf } from './lock-files.ts';

const { path, write } = testFolder();

test.each([
  ['bun.lock', 'install --no-progress --frozen-lockfile'],
  ['bun.lockb', 'install --no-progress --frozen-lockfile'],
  ['package-lock.json', 'ci'],
  ['npm-shrinkwrap.json', 'ci'],
  ['pnpm-lock.yaml', 'install --frozen-lockfile'],
  ['yarn.lock', 'install --frozen-lockfile'],
])('by %s exactly what it says is installed', (name, words) => {
  write(`${name}/${name}`, '');
  expect(lockFileOf(path(name))).toBe(name);
  expect(frozenInstallOf(name, path(name)).join(' ')).toEndWith(` ${words}`);
});

test('a folder without a lock file has none', () => {
  expect(lockFileOf(path('nothing'))).toBeUndefined();
});

test("a Yarn that is here is taken, unless the project names another's major version", () => {
  const folder = path('fake-yarn');
  write('fake-yarn/yarn', '#!/bin/sh\necho 1.22.22\n', 0o755);
  const command = (packageManager: string) => {
    write('yarn-here/package.json', { packageManager });
    return frozenInstallOf('yarn.lock', path('yarn-here')).join(' ');
  };
  const { PATH } = process.env;
  process.env.PATH = `${folder}:${PATH}`;
  try {
    expect(command('yarn@1.22.0')).toStartWith('yarn install');
    expect(command('yarn@4.5.0')).toStartWith('npx --yes --package @yarnpkg/cli-dist@4.5.0 yarn ');
  } finally {
    process.env.PATH = PATH;
  }
});

test.skipIf(Bun.which('yarn') !== null)('Yarn comes in the version that the project names', () => {
  const command = (packageManager: string) => {
    write('yarn/package.json', { packageManager });
    return frozenInstallOf('yarn.lock', path('yarn')).join(' ');
  };
  expect(command('yarn@1.22.22')).toStartWith('npx --yes --package yarn@1.22.22 yarn ');
  expect(command('yarn@4.5.0+sha1.abc')).toStartWith(
    'npx --yes --package @yarnpkg/cli-dist@4.5.0 yarn ',
  );
});
