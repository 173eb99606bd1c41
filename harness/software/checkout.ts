import { cpSync, existsSync, realpathSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { temporaryFolder } from '../processes/watchdog.ts';
import type { Revision, Revisions } from '../suite/pair-revisions.ts';
import { readSuite } from '../suite/read-suite.ts';
import { commandFoldersOf, scenariosOf } from '../suite/select.ts';
import type { Scenario, Suite } from '../suite/suite.ts';
import { Problem, ScenarioProblem } from '../words/errors.ts';
import { printToStderr } from '../words/output.ts';
import { SAME_REMARK, sameProblem } from '../words/same.ts';
import { quoteCommand } from '../words/text.ts';
import { git } from './git.ts';
import { installInCopy } from './install.ts';
import { linkNeighbours } from './neighbours.ts';
import { checkOutFiles } from './revision-files.ts';

/** The files of one revision. */
interface Checkout {
  folder: string;
  /** What the user calls the revision, and its short hash; that alone if the user gave a hash. */
  title: string;
  /** Paths of submodules that the user has not fetched. */
  emptySubmodules: string[];
}

/** Where a suite file is in its repository. */
interface SuitePlace {
  repository: string;
  /** It is relative to the repository. */
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
  for (const empty of new Set([...old.emptySubmodules, ...current.emptySubmodules]))
    printToStderr(
      `tracetax: The submodule ${empty} is empty here, and so in both checkouts. ` +
        `If servers need it: git submodule update --init ${quoteCommand([empty])}`,
    );
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
  const repository = git(dirname(file), ['rev-parse', '--show-toplevel'], {
    remedy: 'Name a suite inside a repository that git may read',
  });
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
  const inCheckout = join(folder, suiteFolder);
  // A suite that is code may import packages.
  if (!path.endsWith('.json')) await installInCopy(folder, [inCheckout], title);
  const suite = await readSuite(join(folder, path));
  checkPaths(suite, repository, folder);
  // They may be what an installation needs, such as an .npmrc.
  for (const file of files ?? suite.files)
    copyIgnoredFile(join(repository, suiteFolder, file), join(inCheckout, file), folder);
  await installInCopy(folder, [...new Set([inCheckout, ...commandFoldersOf(suite)])], title);
  return { title, suite };
}

/**
 * @param folder of the checkout, which may lie within the repository
 * @throws ScenarioProblem if both revisions would run files of the user's own folder
 */
function checkPaths(suite: Suite, repository: string, folder: string): void {
  const isOwn = (path: string) => isWithin(repository, path) && !isWithin(folder, path);
  for (const scenario of scenariosOf(suite.tasks)) {
    const own = pathsOf(scenario, suite).find(isOwn);
    if (own === undefined) continue;
    throw new ScenarioProblem(
      scenario.name,
      'would run the same files in both revisions',
      own,
      'Write that path relative: in "command", "env" and "prepare" to "cwd", else to the suite file',
    );
  }
}

/** Returns what may be paths in what a scenario runs, and in what prepares it. */
function pathsOf(scenario: Scenario, { cwd, prepare }: Suite): string[] {
  const { command, env, packages } = scenario;
  const commands = [...command, ...prepare.flatMap((each) => each.command)];
  const words = [...commands, ...Object.values(env)].flatMap((text) => text.split(/[\s=:,]+/));
  return [...words, cwd, scenario.cwd ?? cwd, ...packages];
}

function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** @throws Problem if the file is not there, or would be written outside of the checkout */
function copyIgnoredFile(from: string, to: string, checkout: string): void {
  const remedy = 'Make it, or name it as seen from the folder of the suite file';
  if (!existsSync(from)) throw new Problem(`"files" names what is not there: ${from}`, remedy);
  if (relative(checkout, to).startsWith('..'))
    throw new Problem(`${from} is outside of the repository`, 'Move it there');
  // Its programs and its editable packages name the folder that it was made in.
  if (existsSync(join(from, 'pyvenv.cfg')))
    throw new Problem(
      `${from} is a virtual environment, and a copy of it runs what is installed in the original`,
      'Make one in each checkout, by "prepare": docs/recipes.md has an example',
    );
  cpSync(from, to, { recursive: true });
}

/**
 * Puts the files of a revision into the folder.
 * @throws Problem if there is none, or if its name is a short hash, too.
 */
function checkOut(repository: string, revision: string, folder: string): Checkout {
  const commit = commitOf(repository, revision);
  // As deep as in the system: a path that leaves the repository leads to what is linked there.
  const copy = join(folder, repository);
  const emptySubmodules = checkOutFiles(repository, commit, copy);
  linkNeighbours(folder, repository);
  const shortHash = git(repository, ['rev-parse', '--short', commit]);
  const title = commit.startsWith(revision) ? shortHash : `${revision} (${shortHash})`;
  return { folder: copy, title, emptySubmodules };
}

/** Returns the hash of the commit. @throws Problem as above */
function commitOf(repository: string, revision: string): string {
  const verify = ['rev-parse', '--verify', '--end-of-options', `${revision}^{commit}`];
  const commit = git(repository, verify, {
    // A clone in CI often has but one commit.
    remedy: 'Name a revision of this repository: a shallow clone needs git fetch --unshallow',
  });
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
