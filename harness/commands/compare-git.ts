import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { temporaryFolder } from '../machine/watchdog.ts';
import type { CompareOptions } from '../options.ts';
import { installPackages } from '../server/packages.ts';
import { plan } from '../settle.ts';
import { loadSuite, suiteFile } from '../suite/load.ts';
import { pairedSuite, type Revision } from '../suite/revisions.ts';
import { Problem } from '../words/errors.ts';
import { complain } from '../words/output.ts';
import { carryOut, showRevisions } from './measure.ts';

/** Measures HEAD against another revision, and prints what changed. Returns the exit status. @throws Problem */
export async function compareRevisions(revision: string, options: CompareOptions): Promise<number> {
  const repository = git('.', ['rev-parse', '--show-toplevel']);
  // As git names it, with no links in it.
  const path = relative(repository, realpathSync(suiteFile(options.suite)));
  if (git(repository, ['status', '--porcelain', '--untracked-files=no']) !== '')
    complain('tracetax: Uncommitted changes are not measured; HEAD is.');
  const folder = temporaryFolder();
  const old = await checkOut(repository, revision, join(folder, 'old'), path);
  const current = await checkOut(repository, 'HEAD', join(folder, 'new'), path);
  const suite = pairedSuite(old, current, options);
  return carryOut(await plan(options, suite), options, ({ result }) => showRevisions(result, options));
}

/**
 * Puts the files of a revision into the folder, by an index of its own: the repository stays untouched, so nothing must
 * be undone. What the lock files from the suite's folder upwards name is installed there.
 * @throws Problem if there is no such revision or suite, or the packages can't be installed.
 */
async function checkOut(repository: string, revision: string, folder: string, suitePath: string): Promise<Revision> {
  const index = { GIT_INDEX_FILE: `${folder}.index` };
  const commit = git(repository, ['rev-parse', '--verify', '--short', `${revision}^{commit}`]);
  git(repository, ['read-tree', commit], index);
  git(repository, ['checkout-index', '--all', `--prefix=${folder}/`], index);
  const title = `${revision} (${commit})`;
  const file = join(folder, suitePath);
  if (suitePath.startsWith('..') || !existsSync(file))
    throw new Problem(`${title} has no suite ${suitePath}`, 'Commit it there first');
  for (let at = dirname(file); !relative(folder, at).startsWith('..'); at = dirname(at)) await installPackages(at);
  return { title, suite: await loadSuite(file) };
}

/** What git prints. @throws Problem with its reason, or if there is no git. */
function git(folder: string, args: string[], env: Record<string, string> = {}): string {
  if (!Bun.which('git')) throw new Problem('There is no git on this machine', 'Install it');
  const run = Bun.spawnSync(['git', '-C', folder, ...args], { env: { ...process.env, ...env } });
  if (run.exitCode === 0) return run.stdout.toString().trim();
  const message = `${['git', ...args].join(' ')} failed: ${run.stderr.toString().trim()}`;
  throw new Problem(message, 'Call it inside a git repository, and give a revision that it has');
}
