import { cpSync, existsSync, realpathSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { temporaryFolder } from '../machine/watchdog.ts';
import { loadSuite } from '../suite/load.ts';
import type { Revision } from '../suite/revisions.ts';
import { scenariosOf } from '../suite/select.ts';
import { Problem } from '../words/errors.ts';
import { complain } from '../words/output.ts';
import { installProject } from './install.ts';

/** Both sides of a comparison, each in a folder of its own, and what a reader must know of them. */
export interface Versions {
  old: Revision;
  current: Revision;
  remarks: string[];
}

/**
 * The suite in a checkout of the revision, and in one of HEAD; each with its packages. The files of a revision are written
 * by an index of its own: the repository stays untouched, so nothing must be undone.
 * @throws Problem if there is no such revision or suite, or the packages can't be installed.
 */
export async function checkOutBoth(revision: string, suiteFile: string): Promise<Versions> {
  // As git names it, with no links in it.
  const file = realpathSync(suiteFile);
  const repository = git(dirname(file), ['rev-parse', '--show-toplevel']);
  const path = relative(repository, file);
  if (git(repository, ['status', '--porcelain', '--untracked-files=no']) !== '')
    complain('tracetax: Uncommitted changes are not measured; HEAD is.');
  const folder = temporaryFolder();
  const write = (name: string, of: string) => checkOut(repository, of, join(folder, name));
  const [old, current] = [write('old', revision), write('new', 'HEAD')];
  if (path.startsWith('..') || !existsSync(join(current.folder, path)))
    throw new Problem(`${current.title} has no suite ${path}`, 'Commit it first');
  const isNew = !existsSync(join(old.folder, path));
  if (isNew) {
    // With what stands beside it, if all of that is new.
    const missing = existsSync(join(old.folder, dirname(path))) ? path : dirname(path);
    cpSync(join(current.folder, missing), join(old.folder, missing), { recursive: true });
  }
  const ready = async ({ title, folder: root }: typeof old, files: string[] = []) => {
    const at = join(root, path);
    for (const each of files) copyFile(join(dirname(file), each), join(dirname(at), each), root);
    await installProject(root, [dirname(at)]);
    const suite = await loadSuite(at);
    await installProject(root, cwdsOf(suite));
    return { title, suite };
  };
  const head = await ready(current);
  const { files } = head.suite;
  const remarks = isNew ? [`${old.title} has no ${path}: it was measured with that of HEAD.`] : [];
  return { old: await ready(old, files), current: files.length > 0 ? await ready(current, files) : head, remarks };
}

/** The folders in which a suite's commands run. */
export function cwdsOf(suite: Revision['suite']): string[] {
  return [...new Set(scenariosOf(suite.tasks).map(({ cwd = suite.cwd }) => cwd))];
}

/** @throws Problem if it is not there, or would be written outside of the checkout. */
function copyFile(from: string, to: string, root: string): void {
  if (!existsSync(from)) throw new Problem(`"files" names what is not there: ${from}`, 'Make it, or fix the suite');
  if (relative(root, to).startsWith('..')) throw new Problem(`${from} is outside of the repository`, 'Move it there');
  cpSync(from, to, { recursive: true });
}

/** Puts the files of a revision into the folder. */
function checkOut(repository: string, revision: string, folder: string) {
  const index = { GIT_INDEX_FILE: `${folder}.index` };
  const commit = commitOf(repository, revision);
  git(repository, ['read-tree', commit], index);
  git(repository, ['checkout-index', '--all', `--prefix=${folder}/`], index);
  return { folder, title: `${revision} (${git(repository, ['rev-parse', '--short', commit])})` };
}

/** The whole hash: a tag may have the name of a short one. @throws Problem if there is none, or if the name is both. */
function commitOf(repository: string, revision: string): string {
  const asked = ['rev-parse', '--verify', '--end-of-options', `${revision}^{commit}`];
  const commit = git(repository, asked, {}, () => missingRemedy(repository, revision));
  const isOther = /^[\da-f]{4,}$/.test(revision) && !commit.startsWith(revision);
  if (!isOther || git(repository, ['rev-parse', `--disambiguate=${revision}`]) === '') return commit;
  throw new Problem(`${revision} is a name, and a short hash, too`, `Write refs/tags/${revision}, or the whole hash`);
}

/** A clone in CI often has but one commit. */
function missingRemedy(repository: string, revision: string): string {
  if (git(repository, ['rev-parse', '--is-shallow-repository']) !== 'true') return GIT_REMEDY;
  if (/[~^@]/.test(revision)) return 'This clone is shallow: fetch what is missing with git fetch --unshallow';
  const fetch = `git fetch --depth=1 origin ${revision.replace(/^origin\//, '')}`;
  const then = /^[\da-f]{40}$/.test(revision) ? '' : ', and compare with --git FETCH_HEAD';
  return `This clone is shallow: run ${fetch}${then}`;
}

const GIT_REMEDY = 'Call it inside a git repository, and give a revision that it has';

/** What git prints. @throws Problem with its reason, or if there is no git. */
function git(folder: string, args: string[], env: Record<string, string> = {}, remedy = () => GIT_REMEDY): string {
  if (!Bun.which('git')) throw new Problem('There is no git on this machine', 'Install it');
  const run = Bun.spawnSync(['git', '-C', folder, ...args], { env: { ...process.env, ...env } });
  if (run.exitCode === 0) return run.stdout.toString().trim();
  throw new Problem(`${['git', ...args].join(' ')} failed: ${run.stderr.toString().trim()}`, remedy());
}
