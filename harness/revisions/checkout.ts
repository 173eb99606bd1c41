import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { Problem } from '../problem.ts';
import { installPackages } from '../server/packages.ts';
import { loadSuite } from '../suite/load.ts';
import { swept } from '../suite/sweep.ts';
import type { Revision } from './paired-suite.ts';

/** A revision in a folder of its own, and what the user calls it. It is gone when this is disposed of. */
type Checkout = ReturnType<typeof checkOut>;

/** Checks out a revision of the repository. @throws Problem if it has none of that name. */
export function checkOut(repository: string, revision: string, folder: string) {
  git(repository, 'worktree', 'add', '--detach', folder, revision);
  return {
    folder,
    title: `${revision} (${git(folder, 'rev-parse', '--short', 'HEAD')})`,
    [Symbol.dispose]: () => void git(repository, 'worktree', 'remove', '--force', folder),
  };
}

/** What git prints. @throws Problem with its reason, or if there is no git. */
export function git(folder: string, ...args: string[]): string {
  if (!Bun.which('git')) throw new Problem('There is no git on this machine', 'Install it');
  const { exitCode, stdout, stderr } = Bun.spawnSync(['git', '-C', folder, ...args]);
  if (exitCode === 0) return stdout.toString().trim();
  const message = `git ${args[0]} failed: ${stderr.toString().trim()}`;
  throw new Problem(message, 'Call it inside a git repository, and give a revision that it has');
}

/**
 * The suite as a checkout has it. What the lock files from its folder upwards name is installed there before.
 * @throws Problem if the suite is not there, or the packages can't be installed.
 */
export async function revisionIn({ folder, title }: Checkout, suitePath: string): Promise<Revision> {
  const file = join(folder, suitePath);
  if (suitePath.startsWith('..') || !existsSync(file))
    throw new Problem(`${title} has no suite ${suitePath}`, 'Commit it there first');
  for (let at = dirname(file); !relative(folder, at).startsWith('..'); at = dirname(at)) await installPackages(at);
  return { title, suite: swept(await loadSuite(file)) };
}
