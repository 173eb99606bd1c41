import { cpSync, existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { linkNeighbours } from './neighbours.ts';
import { foldersUpTo, hasPackageJson } from './packages.ts';
import { borrowHead } from './revision-files.ts';

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
  if (existsSync(join(root, '.git'))) borrowHead(root, copy);
  return copy;
}
