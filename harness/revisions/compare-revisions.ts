import { realpathSync } from 'node:fs';
import { join, relative } from 'node:path';
import { carryOut, showRevisions } from '../commands.ts';
import { temporaryFolder } from '../machine/watchdog.ts';
import type { CompareOptions } from '../options.ts';
import { complain } from '../output.ts';
import { plan } from '../plan.ts';
import { suiteFile } from '../suite/load.ts';
import { checkOut, git, revisionIn } from './checkout.ts';
import { pairedSuite } from './paired-suite.ts';

/**
 * Measures HEAD against another revision, in pairs, and prints what became of each scenario. Returns the exit status, as
 * `compare` does. @throws Problem before anything is measured.
 */
export async function compareRevisions(revision: string, options: CompareOptions): Promise<number> {
  const repository = git('.', ['rev-parse', '--show-toplevel']);
  // As git names it, with no links in it.
  const path = relative(repository, realpathSync(suiteFile(options.suite)));
  if (git(repository, ['status', '--porcelain', '--untracked-files=no']) !== '')
    complain('tracetax: Uncommitted changes are not measured; HEAD is.');
  const folder = temporaryFolder();
  const old = await revisionIn(checkOut(repository, revision, join(folder, 'old')), path);
  const current = await revisionIn(checkOut(repository, 'HEAD', join(folder, 'new')), path);
  const suite = pairedSuite(old, current, options);
  return carryOut(await plan(options, suite), options, ({ result }) => showRevisions(result, options));
}
