import { cpSync, existsSync, realpathSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { temporaryFolder } from '../processes/watchdog.ts';
import type { Revision, Revisions } from '../suite/pair-revisions.ts';
import { readSuite } from '../suite/read-suite.ts';
import { commandFoldersOf } from '../suite/select.ts';
import { Problem } from '../words/errors.ts';
import { printToStderr } from '../words/output.ts';
import { SAME_REMARK, sameProblem } from '../words/same.ts';
import { installProject } from './install.ts';

/** The files of one revision. */
interface Checkout {
  folder: string;
  /** What the user calls the revision, and its short hash; that alone if the user gave a hash. */
  title: string;
}

/** Where a suite file is in its repository. */
interface SuitePlace {
  repository: string;
  /** Relative to the repository. */
  path: string;
}

/**
 * Returns the suite in checkouts of the revision and of HEAD, with packages.
 * @param allowSame whether both may have the same files
 * @throws Problem if one of these can't be had, or if both are the same.
 */
export async function checkOutBoth(
  revision: string,
  suiteFile: string,
  allowSame: boolean,
): Promise<Revisions> {
  const place = placeOf(suiteFile);
  const { repository, path } = place;
  if (git(repository, ['status', '--porcelain', '--untracked-files=no']) !== '')
    printToStderr('tracetax: Uncommitted changes are not measured; HEAD is.');
  const isSame = treeOf(repository, revision) === treeOf(repository, 'HEAD');
  if (isSame && !allowSame) throw sameRevision(repository, revision);
  const folder = temporaryFolder();
  const old = checkOut(repository, revision, join(folder, 'old'));
  const current = checkOut(repository, 'HEAD', join(folder, 'new'));
  if (!existsSync(join(current.folder, path)))
    throw new Problem(`${current.title} has no suite ${path}`, 'Commit it first');
  const isNew = !existsSync(join(old.folder, path));
  if (isNew) copySuite(path, current, old);
  const head = await readySuite(current, place);
  head.suite.remarks = [
    ...head.suite.remarks,
    ...(isNew
      ? [
          `${old.title} has no ${path}: it was measured with that of HEAD, and what is new beside it.`,
        ]
      : []),
    ...(isSame ? [SAME_REMARK] : []),
  ];
  const base = await readySuite(old, place, head.suite.files);
  return { old: base, others: [head], unchanged: [] };
}

function placeOf(suiteFile: string): SuitePlace {
  // Git names it with no links in it.
  const file = realpathSync(suiteFile);
  const repository = git(dirname(file), ['rev-parse', '--show-toplevel']);
  return { repository, path: relative(repository, file) };
}

/**
 * Puts a suite into a checkout that lacks it, with what is new beside it, such as the body of a
 * request. At the top of a repository its sources stand beside it, so there it comes alone.
 */
function copySuite(path: string, from: Checkout, to: Checkout): void {
  const folder = dirname(path);
  const missing = folder === '.' ? path : folder;
  cpSync(join(from.folder, missing), join(to.folder, missing), { recursive: true, force: false });
}

/**
 * Reads the suite of a checkout, and gives it the packages, and the files that git ignores.
 * @param files the suite's own if left out
 * @throws Problem
 */
async function readySuite(
  { title, folder }: Checkout,
  { repository, path }: SuitePlace,
  files?: readonly string[],
): Promise<Revision> {
  const suiteFolder = dirname(path);
  await installProject(folder, [join(folder, suiteFolder)]);
  const suite = await readSuite(join(folder, path));
  for (const file of files ?? suite.files)
    copyIgnoredFile(join(repository, suiteFolder, file), join(folder, suiteFolder, file), folder);
  await installProject(folder, commandFoldersOf(suite));
  return { title, suite };
}

/** @throws Problem if the file is not there, or would be written outside of the checkout */
function copyIgnoredFile(from: string, to: string, checkout: string): void {
  const remedy = 'Make it, or name it as seen from the folder of the suite file';
  if (!existsSync(from)) throw new Problem(`"files" names what is not there: ${from}`, remedy);
  if (relative(checkout, to).startsWith('..'))
    throw new Problem(`${from} is outside of the repository`, 'Move it there');
  cpSync(from, to, { recursive: true });
}

/**
 * Puts the files of a revision into the folder.
 * @throws Problem if there is none, or if its name is a short hash, too.
 */
function checkOut(repository: string, revision: string, folder: string): Checkout {
  const commit = commitOf(repository, revision);
  // By an index of its own the repository stays untouched, so nothing must be undone.
  const index = { GIT_INDEX_FILE: `${folder}.index` };
  git(repository, ['read-tree', commit], index);
  git(repository, ['checkout-index', '--all', `--prefix=${folder}/`], index);
  const shortHash = git(repository, ['rev-parse', '--short', commit]);
  const title = commit.startsWith(revision) ? shortHash : `${revision} (${shortHash})`;
  return { folder, title };
}

/** Returns the hash of the commit. @throws Problem as above */
function commitOf(repository: string, revision: string): string {
  const verify = ['rev-parse', '--verify', '--end-of-options', `${revision}^{commit}`];
  const commit = git(repository, verify);
  // A tag may have the name of a short hash, so a name that looks like one has to be that of this
  // commit.
  const isOther = /^[\da-f]{4,}$/.test(revision) && !commit.startsWith(revision);
  if (isOther && git(repository, ['rev-parse', `--disambiguate=${revision}`]) !== '')
    throw new Problem(
      `${revision} is a name, and a short hash, too`,
      `Write refs/tags/${revision}, or the whole hash`,
    );
  return commit;
}

/** Returns the hash of all files of a revision. @throws Problem as above */
function treeOf(repository: string, revision: string): string {
  return git(repository, ['rev-parse', `${commitOf(repository, revision)}^{tree}`]);
}

/** Another commit may have the same files: one without changes, or one that was taken back. */
function sameRevision(repository: string, revision: string): Problem {
  const isCommit = commitOf(repository, revision) === commitOf(repository, 'HEAD');
  const seen = isCommit ? `${revision} is HEAD itself` : `${revision} has the same files as HEAD`;
  return sameProblem(seen, 'Check out the change, or name a revision before it, such as HEAD~1');
}

/** Returns what git prints. @throws Problem with its reason, or if there is no git. */
function git(folder: string, args: string[], env: Record<string, string> = {}): string {
  if (!Bun.which('git')) throw new Problem('There is no git on this machine', 'Install it');
  const run = Bun.spawnSync(['git', '-C', folder, ...args], { env: { ...process.env, ...env } });
  if (run.exitCode === 0) return run.stdout.toString().trim();
  const cause = `${['git', ...args].join(' ')} failed: ${run.stderr.toString().trim()}`;
  // A clone in CI often has but one commit.
  throw new Problem(
    cause,
    'Call it inside a git repository that has this revision: ' +
      'a shallow clone needs git fetch --unshallow',
  );
}
