import { cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { DEPENDENCY_KINDS, foldersUpTo, hasPackageJson, readPackageJson } from './packages.ts';

/**
 * What a copy of a project does not take along: packages are installed anew, and a history may be
 * large.
 */
const NOT_COPIED = new Set(['node_modules', '.git']);

/**
 * Returns the repository of a suite file, else its project: the outermost folder with a
 * package.json; else its folder.
 */
export function projectRootOf(suiteFile: string): string {
  const above = foldersUpTo('/', dirname(suiteFile));
  // A package.json in the user's home is of no project, unless there is no other.
  const candidates = above.filter((folder) => folder !== homedir() && folder !== '/');
  const repository = candidates.find((folder) => existsSync(join(folder, '.git')));
  const project = candidates.findLast(hasPackageJson) ?? above.find(hasPackageJson);
  return repository ?? project ?? dirname(suiteFile);
}

/**
 * Copies a project, and returns where the copy is. It lies as deep in the folder as the project in
 * the system, so that what the project depends on beside itself can be found from there.
 */
export function copyProject(root: string, folder: string): string {
  const copy = join(folder, root);
  cpSync(root, copy, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !NOT_COPIED.has(basename(path)),
  });
  linkNeighbours(folder, root);
  return copy;
}

/** Links to what packages of the project depend on by a path that leaves it. */
function linkNeighbours(folder: string, root: string): void {
  const copy = join(folder, root);
  for (const file of new Bun.Glob('**/package.json').scanSync(copy)) {
    const content = readPackageJson(join(copy, dirname(file)));
    const specifiers = DEPENDENCY_KINDS.flatMap((kind) => Object.values(content[kind] ?? {}));
    for (const specifier of specifiers) {
      const [, path] = /^(?:file:|link:|portal:)?(\.\.\/.*)$/.exec(specifier) ?? [];
      if (path !== undefined) linkOnce(resolve(root, dirname(file), path), folder);
    }
  }
}

/** Links to what stands at this path of the system from the same path in the folder. */
function linkOnce(path: string, folder: string): void {
  const link = join(folder, path);
  if (existsSync(link) || !existsSync(path)) return;
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(path, link);
}
