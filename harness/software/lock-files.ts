import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readPackageJson } from './packages.ts';

/** The Bun that runs tracetax. */
export const BUN = process.execPath;
export const BUN_INSTALL = [BUN, 'install', '--no-progress'];

/** By what a package manager is told apart, and how it installs. */
export interface Manager {
  /** In which field of the outermost package.json it takes versions for whatever needs them. */
  overrides: 'overrides' | 'resolutions';
  /** Returns the command that installs exactly what the lock file in the folder says. */
  frozenInstall: (folder: string) => string[];
  /** Returns the command that installs what package.json says, and may change the lock file. */
  install: (folder: string) => string[];
}

const NPM: Manager = {
  overrides: 'overrides',
  frozenInstall: () => ['npm', 'ci'],
  install: () => ['npm', 'install'],
};

const BUN_MANAGER: Manager = {
  overrides: 'overrides',
  frozenInstall: () => [...BUN_INSTALL, '--frozen-lockfile'],
  install: () => BUN_INSTALL,
};

const PNPM: Manager = {
  overrides: 'resolutions',
  frozenInstall: (folder) => [...programOf('pnpm', folder), 'install', '--frozen-lockfile'],
  // In CI it would not change the lock file.
  install: (folder) => [...programOf('pnpm', folder), 'install', '--no-frozen-lockfile'],
};

const YARN: Manager = {
  overrides: 'resolutions',
  frozenInstall: (folder) => [...programOf('yarn', folder), 'install', '--frozen-lockfile'],
  // In CI it would not change the lock file. Version 1 knows no such variable.
  install: (folder) => [
    'env',
    'YARN_ENABLE_IMMUTABLE_INSTALLS=false',
    ...programOf('yarn', folder),
    'install',
  ],
};

/** By the names of their lock files. */
const MANAGERS: Record<string, Manager> = {
  'bun.lock': BUN_MANAGER,
  'bun.lockb': BUN_MANAGER,
  'package-lock.json': NPM,
  'npm-shrinkwrap.json': NPM,
  'pnpm-lock.yaml': PNPM,
  'yarn.lock': YARN,
};

/** Returns the name of the folder's lock file; undefined if it has none. */
export function lockFileOf(folder: string): string | undefined {
  return Object.keys(MANAGERS).find((name) => existsSync(join(folder, name)));
}

/** Returns the manager of the packages of the innermost of these folders that has a lock file. */
export function managerOf(folders: readonly string[]): Manager {
  const [lockFile = 'package-lock.json'] = folders.flatMap((each) => lockFileOf(each) ?? []);
  return MANAGERS[lockFile] ?? NPM;
}

/** Returns the command that installs exactly what the folder's lock file of that name says. */
export function frozenInstallOf(lockFile: string, folder: string): string[] {
  return MANAGERS[lockFile]?.frozenInstall(folder) ?? [];
}

/**
 * Returns the words that call a package manager that may not be here: by npx, then, in the version
 * that the project names.
 */
function programOf(manager: 'pnpm' | 'yarn', folder: string): string[] {
  const { packageManager = '' } = readPackageJson(folder);
  const named = /^\w+@[^+]+/.exec(packageManager)?.[0] ?? manager;
  // From version 2 on, Yarn is another package.
  const published = named.replace(/^yarn@(?!1\.)/, '@yarnpkg/cli-dist@');
  const isHere = isInstalled(manager, named, folder);
  return isHere ? [manager] : ['npx', '--yes', '--package', published, manager];
}

/**
 * Returns whether a package manager is installed. Yarn 1 is none for a project that names a later
 * one: it refuses it.
 */
function isInstalled(manager: string, named: string, folder: string): boolean {
  // By itself, Bun looks where this process was told to look when it began.
  const program = Bun.which(manager, { PATH: process.env.PATH ?? '' });
  if (program === null) return false;
  const [, major] = /@(\d+)\./.exec(named) ?? [];
  if (manager !== 'yarn' || major === undefined) return true;
  const { stdout } = Bun.spawnSync([program, '--version'], { cwd: folder });
  return stdout.toString().startsWith(`${major}.`);
}
