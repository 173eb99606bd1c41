import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { analyse } from '../analysis/analysis.ts';
import { sentBy } from '../analysis/compare.ts';
import { dryRun } from '../dry-run.ts';
import { interruptible } from '../machine/interruption.ts';
import { temporaryFolder } from '../machine/watchdog.ts';
import type { MeasureOptions } from '../options.ts';
import { showRevisions } from '../report/gate.ts';
import { conclude, run, writableFile } from '../run.ts';
import { installPackages } from '../server/packages.ts';
import { settle } from '../settle.ts';
import { loadSuite, suiteFile } from '../suite/load.ts';
import { pairedSuite, type Revision } from '../suite/revisions.ts';
import { select } from '../suite/select.ts';
import type { LoadedSuite, LoadedTask } from '../suite/suite-schema.ts';
import { exchangeSummary } from '../summary.ts';
import { Problem } from '../words/errors.ts';
import { complain, EXIT, print } from '../words/output.ts';

/** What acts on a run of two revisions, and on the table of it. */
type CompareGitOptions = MeasureOptions & Parameters<typeof showRevisions>[1];

/** Measures HEAD against another revision, and prints what changed. Returns the exit status. @throws Problem */
export async function compareRevisions(revision: string, options: CompareGitOptions): Promise<number> {
  const suite = await interruptible(() => suiteOfRevisions(revision, options));
  if (options.dryRun) return print(dryRun(await settle(options, suite)));
  const file = await writableFile(options.out, suite.name);
  const plan = await interruptible(() => settle(options, suite));
  const outcome = await run(plan, file);
  const analysis = analyse(outcome.result);
  const shown = outcome.file ? await showRevisions(outcome.result, options) : EXIT.failed;
  return conclude(outcome, analysis.warnings, options.strict) || shown;
}

/** The suite that measures both in pairs, each in a checkout of its own. @throws Problem */
async function suiteOfRevisions(revision: string, options: CompareGitOptions): Promise<LoadedSuite> {
  const repository = git('.', ['rev-parse', '--show-toplevel']);
  // As git names it, with no links in it.
  const path = relative(repository, realpathSync(suiteFile(options.suite)));
  if (git(repository, ['status', '--porcelain', '--untracked-files=no']) !== '')
    complain('tracetax: Uncommitted changes are not measured; HEAD is.');
  const folder = temporaryFolder();
  const old = await checkOut(repository, revision, join(folder, 'old'), path);
  const current = await checkOut(repository, 'HEAD', join(folder, 'new'), path);
  const changed = changedRequests(old.suite, select(current.suite, options));
  const suite = pairedSuite(old, current, options);
  return { ...suite, remarks: [...suite.remarks, ...changed] };
}

/** What has changed of the requests, of which both revisions get the new ones. */
function changedRequests(old: LoadedSuite, current: LoadedSuite): string[] {
  const sent = ({ exchanges }: LoadedTask) => sentBy(exchanges.map(exchangeSummary));
  return current.tasks.flatMap((task) => {
    const before = old.tasks.find(({ name }) => name === task.name);
    if (!before || sent(before) === sent(task)) return [];
    return `Both got the requests of HEAD for ${task.name}: ${sent(task)}; before: ${sent(before)}.`;
  });
}

/** The whole hash: a tag may have the name of a short one. @throws Problem if there is none, or if the name is both. */
function commitOf(repository: string, revision: string): string {
  const commit = git(repository, ['rev-parse', '--verify', '--end-of-options', `${revision}^{commit}`]);
  const isOther = /^[\da-f]{4,}$/.test(revision) && !commit.startsWith(revision);
  if (!isOther || git(repository, ['rev-parse', `--disambiguate=${revision}`]) === '') return commit;
  throw new Problem(`${revision} is a name, and a short hash, too`, `Write refs/tags/${revision}, or the whole hash`);
}

/**
 * Puts the files of a revision into the folder, by an index of its own: the repository stays untouched, so nothing must
 * be undone. What the lock files from the suite's folder upwards name is installed there.
 * @throws Problem if there is no such revision or suite, or the packages can't be installed.
 */
async function checkOut(repository: string, revision: string, folder: string, suitePath: string): Promise<Revision> {
  const index = { GIT_INDEX_FILE: `${folder}.index` };
  const commit = commitOf(repository, revision);
  git(repository, ['read-tree', commit], index);
  git(repository, ['checkout-index', '--all', `--prefix=${folder}/`], index);
  const title = `${revision} (${git(repository, ['rev-parse', '--short', commit])})`;
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
