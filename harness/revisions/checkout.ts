import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { Problem } from '../problem.ts';
import { installPackages } from '../server/packages.ts';
import { loadSuite } from '../suite/load.ts';
import type { Revision } from './paired-suite.ts';

/** A revision in a folder of its own, and what the user calls it. */
type Checkout = ReturnType<typeof checkOut>;

/**
 * Puts the files of a revision into the folder, by an index of its own: the repository stays untouched, so that nothing has to
 * be undone. @throws Problem if it has none of that name.
 */
export function checkOut(repository: string, revision: string, folder: string) {
  const index = { GIT_INDEX_FILE: `${folder}.index` };
  const commit = git(repository, ['rev-parse', '--verify', '--short', `${revision}^{commit}`]);
  git(repository, ['read-tree', commit], index);
  git(repository, ['checkout-index', '--all', `--prefix=${folder}/`], index);
  return { folder, title: `${revision} (${commit})` };
}

/** What git prints. @throws Problem with its reason, or if there is no git. */
export function git(folder: string, args: string[], env: Record<string, string> = {}): string {
  if (!Bun.which('git')) throw new Problem('There is no git on this machine', 'Install it');
  const run = Bun.spawnSync(['git', '-C', folder, ...args], { env: { ...process.env, ...env } });
  if (run.exitCode === 0) return run.stdout.toString().trim();
  const message = `${['git', ...args].join(' ')} failed: ${run.stderr.toString().trim()}`;
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
  return { title, suite: await loadSuite(file) };
}
