import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readPackageJson } from './packages.ts';

/** What Bun installs by: the one that runs tracetax. */
export const BUN_INSTALL = [process.execPath, 'install', '--no-progress'];

/** By the name of each lock file, the command that installs exactly what it says in a folder. */
const FROZEN_INSTALLS: Record<string, (folder: string) => string[]> = {
  'bun.lock': () => [...BUN_INSTALL, '--frozen-lockfile'],
  'bun.lockb': () => [...BUN_INSTALL, '--frozen-lockfile'],
  'package-lock.json': () => ['npm', 'ci'],
  'npm-shrinkwrap.json': () => ['npm', 'ci'],
  'pnpm-lock.yaml': (folder) => frozenInstallBy('pnpm', folder),
  'yarn.lock': (folder) => frozenInstallBy('yarn', folder),
};

/** Returns the name of the folder's lock file; undefined if it has none. */
export function lockFileOf(folder: string): string | undefined {
  return Object.keys(FROZEN_INSTALLS).find((name) => existsSync(join(folder, name)));
}

/** Returns the command that installs exactly what the folder's lock file of that name says. */
export function frozenInstallOf(lockFile: string, folder: string): string[] {
  return FROZEN_INSTALLS[lockFile]?.(folder) ?? [];
}

/**
 * Returns the command of a package manager that may not be here: by npx, then, in the version that
 * the project names.
 */
function frozenInstallBy(manager: 'pnpm' | 'yarn', folder: string): string[] {
  const { packageManager = '' } = readPackageJson(folder);
  const named = /^\w+@[^+]+/.exec(packageManager)?.[0] ?? manager;
  // From version 2 on, Yarn is another package.
  const published = named.replace(/^yarn@(?!1\.)/, '@yarnpkg/cli-dist@');
  const program = Bun.which(manager)
    ? [manager]
    : ['npx', '--yes', '--package', published, manager];
  return [...program, 'install', '--frozen-lockfile'];
}
