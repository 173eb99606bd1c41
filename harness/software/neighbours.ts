import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { readText } from '../words/files.ts';
import { DEPENDENCY_KINDS, readPackageJson } from './packages.ts';

/** Files that name what a project needs, and what returns the paths in such a file. */
const NAMING: readonly [pattern: string, pathsIn: (file: string) => string[]][] = [
  ['**/package.json', (file) => pathsOfPackages(dirname(file))],
  ['**/go.mod', (file) => matchesIn(file, /=>\s*((?:\.\/)*\.\.\/\S+)/g)],
  ['**/Cargo.toml', (file) => matchesIn(file, /\bpath\s*=\s*"(\.\.\/[^"]+)"/g)],
];

/**
 * Links to what a project depends on by a path that leaves it, such as `file:../other`. The copy
 * lies as deep in the folder as the project in the system, so each path leads to such a link.
 */
export function linkNeighbours(folder: string, root: string): void {
  const copy = join(folder, root);
  for (const [pattern, pathsIn] of NAMING)
    for (const file of new Bun.Glob(pattern).scanSync(copy))
      for (const path of pathsIn(join(copy, file)))
        linkIfOutside(resolve(root, dirname(file), path), root, folder);
}

function pathsOfPackages(project: string): string[] {
  const content = readPackageJson(project);
  const specifiers = DEPENDENCY_KINDS.flatMap((kind) => Object.values(content[kind] ?? {}));
  return specifiers.flatMap((each) => /^(?:file:|link:|portal:)?(\.\.\/.*)$/.exec(each)?.[1] ?? []);
}

function matchesIn(file: string, pattern: RegExp): string[] {
  return [...(readText(file) ?? '').matchAll(pattern)].flatMap(([, path]) => path ?? []);
}

/** What the copy lacks within the project is to be built there. */
function linkIfOutside(path: string, root: string, folder: string): void {
  const isOutside = relative(root, path).startsWith('..');
  const link = join(folder, path);
  if (!isOutside || existsSync(link) || !existsSync(path)) return;
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(path, link);
}
