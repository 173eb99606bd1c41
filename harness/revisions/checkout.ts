import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { Problem } from '../problem.ts';
import { installPackages } from '../server/packages.ts';
import { type LoadedSuite, loadSuite } from '../suite/load.ts';

/** The folders of both revisions, side by side. They are gone when this is disposed of. */
export interface Checkouts extends Disposable {
  old: string;
  new: string;
}

/**
 * Checks out the revision and HEAD of the repository around the folder.
 * @throws Problem if that is none, or has no such revision.
 */
export function checkOut(repository: string, revision: string, into: string): Checkouts {
  const folders = { old: join(into, 'old'), new: join(into, 'new') };
  // A run that was killed left its checkouts in the list.
  git(repository, 'worktree', 'prune');
  const dispose = () => {
    for (const folder of Object.values(folders))
      if (existsSync(folder)) git(repository, 'worktree', 'remove', '--force', folder);
  };
  try {
    git(repository, 'worktree', 'add', '--detach', folders.old, revision);
    git(repository, 'worktree', 'add', '--detach', folders.new, 'HEAD');
  } catch (error) {
    dispose();
    throw error;
  }
  return { ...folders, [Symbol.dispose]: dispose };
}

/** What git prints. @throws Problem with its reason. */
export function git(folder: string, ...args: string[]): string {
  const { exitCode, stdout, stderr } = Bun.spawnSync(['git', '-C', folder, ...args]);
  if (exitCode === 0) return stdout.toString().trim();
  throw new Problem(
    `git ${args[0]} failed: ${stderr.toString().trim()}`,
    'Give a revision of the repository you are in',
  );
}

/**
 * The suite as a checkout has it. What the lock files from its folder upwards name is installed there before.
 * @throws Problem if the suite is not there, or the packages can't be installed.
 */
export async function suiteIn(checkout: string, path: string, title: string): Promise<LoadedSuite> {
  const file = join(checkout, path);
  if (path.startsWith('..') || !existsSync(file))
    throw new Problem(`${title} has no suite ${path}`, 'Commit it there first');
  for (let folder = dirname(file); !relative(checkout, folder).startsWith('..'); folder = dirname(folder))
    await installPackages(folder);
  return loadSuite(file);
}
