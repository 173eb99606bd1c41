import { realpathSync } from 'node:fs';
import { relative } from 'node:path';
import { analyse } from '../analysis/analysis.ts';
import { conclude, showRevisions } from '../commands.ts';
import { dryRun } from '../dry-run.ts';
import { Interruption } from '../machine/interruption.ts';
import { temporaryFolder } from '../machine/watchdog.ts';
import type { CompareOptions } from '../options.ts';
import { complain, EXIT, print } from '../output.ts';
import { plan } from '../plan.ts';
import { run, unlessStopped } from '../run.ts';
import { type LoadedSuite, select, suiteFile } from '../suite/load.ts';
import { checkOut, git, suiteIn } from './checkout.ts';
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
    complain('tracetax: what is not committed is not measured: HEAD is.');
  using checkouts = checkOut(repository, revision, temporaryFolder());
  const titleOf = (name: string) => `${name} (${git(repository, 'rev-parse', '--short', `${name}^{commit}`)})`;
  const [oldTitle, newTitle] = [titleOf(revision), titleOf('HEAD')];
  let suite: LoadedSuite | undefined;
  const stoppedBy = await unlessStopped(async () => {
    const old = await suiteIn(checkouts.old, path, oldTitle);
    const current = select(await suiteIn(checkouts.new, path, newTitle), options);
    suite = pairedSuite({ title: oldTitle, suite: old }, { title: newTitle, suite: current }, options.scenarios);
  });
  if (stoppedBy instanceof Interruption) return EXIT[stoppedBy.signal];
  if (stoppedBy) throw stoppedBy;
  const planned = await plan(options, suite);
  if (options.dryRun) return print(dryRun(planned));
  const outcome = await run(planned, options.out);
  const analysis = analyse(outcome.result);
  const compared = outcome.file ? await showRevisions(analysis, options) : EXIT.failed;
  return conclude(outcome, analysis, options.strict) || compared;
}
