import { realpathSync } from 'node:fs';
import { join, relative } from 'node:path';
import { carryOut, showRevisions } from '../commands.ts';
import { Interruption, unlessStopped } from '../machine/interruption.ts';
import { temporaryFolder } from '../machine/watchdog.ts';
import type { CompareOptions } from '../options.ts';
import { complain, EXIT } from '../output.ts';
import { plan } from '../plan.ts';
import { type LoadedSuite, suiteFile } from '../suite/load.ts';
import { checkOut, git, revisionIn } from './checkout.ts';
import { pairedSuite } from './paired-suite.ts';

/**
 * Measures HEAD against another revision, in pairs, and prints what became of each scenario. Returns the exit status, as
 * `compare` does. @throws Problem before anything is measured.
 */
export async function compareRevisions(revision: string, options: CompareOptions): Promise<number> {
  const repository = git('.', 'rev-parse', '--show-toplevel');
  // As git names it, with no links in it.
  const path = relative(repository, realpathSync(suiteFile(options.suite)));
  if (git(repository, 'status', '--porcelain', '--untracked-files=no') !== '')
    complain('tracetax: Uncommitted changes are not measured; HEAD is.');
  // A run that was killed left its checkouts in the list.
  git(repository, 'worktree', 'prune');
  const folder = temporaryFolder();
  using old = checkOut(repository, revision, join(folder, 'old'));
  using current = checkOut(repository, 'HEAD', join(folder, 'new'));
  let suite: LoadedSuite | undefined;
  const stoppedBy = await unlessStopped(async () => {
    suite = pairedSuite(await revisionIn(old, path), await revisionIn(current, path), options);
  });
  if (stoppedBy instanceof Interruption) return EXIT[stoppedBy.signal];
  if (stoppedBy) throw stoppedBy;
  // Awaited, since the checkouts go when this returns.
  return await carryOut(await plan(options, suite), options, ({ result }) => showRevisions(result, options));
}
