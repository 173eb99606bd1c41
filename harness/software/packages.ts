import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { orUndefined } from '../words/errors.ts';
import { readText } from '../words/files.ts';

/** Versions of packages by their names. */
export type PackageVersions = Record<string, string>;

/** The fields of a package.json that name packages for the project itself. */
export const DEPENDENCY_KINDS = [
  'dependencies',
  'devDependencies',
  'optionalDependencies',
] as const;
export type DependencyKind = (typeof DEPENDENCY_KINDS)[number];

/** What is read of a package.json. */
export interface PackageJson {
  version?: string;
  /** A package manager and its version, such as `pnpm@9.1.0`. */
  packageManager?: string;
  dependencies?: PackageVersions;
  devDependencies?: PackageVersions;
  optionalDependencies?: PackageVersions;
  overrides?: PackageVersions;
  resolutions?: PackageVersions;
  /** Command lines by their names. */
  scripts?: Record<string, string>;
}

/** Returns the folder's package.json; empty if it has none. */
export function readPackageJson(folder: string): PackageJson {
  return orUndefined(() => JSON.parse(readText(join(folder, 'package.json')) ?? '')) ?? {};
}

export function hasPackageJson(folder: string): boolean {
  return existsSync(join(folder, 'package.json'));
}

/** Returns the folder and those above it, up to this root; none if the folder is not in it. */
export function foldersUpTo(root: string, folder: string): string[] {
  if (relative(root, folder).startsWith('..')) return [];
  return folder === root ? [root] : [folder, ...foldersUpTo(root, dirname(folder))];
}

/** pnpm has packages of packages in the second one. */
const PACKAGE_FOLDERS = ['node_modules', 'node_modules/.pnpm/node_modules'];

/**
 * Returns where a package of that name is found from there; undefined if it is not, as those for
 * other systems.
 */
export function findPackage(name: string, from: string): string | undefined {
  for (const folder of foldersUpTo('/', from))
    for (const place of PACKAGE_FOLDERS) {
      const found = orUndefined(() => realpathSync(join(folder, place, name)));
      if (found !== undefined) return found;
    }
  return undefined;
}
