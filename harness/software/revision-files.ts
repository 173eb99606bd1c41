import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { orUndefined, Problem } from '../words/errors.ts';
import { quoteCommand } from '../words/text.ts';
import { git } from './git.ts';

/** A submodule, as a commit of the outer repository names it. */
interface Submodule {
  /** Relative to the outer repository. */
  path: string;
  commit: string;
}

/**
 * Puts the files of a commit into a folder, those of submodules included, and makes it a repository
 * of its own: builds ask git for versions, and husky writes into its configuration. The user's
 * repository stays untouched.
 * @returns the paths of submodules that are empty in the user's repository, and so in the folder
 * @throws Problem if git fails, or if a submodule lacks its commit
 */
export function checkOutFiles(repository: string, commit: string, folder: string): string[] {
  borrowHistory(repository, commit, folder);
  const env = { GIT_INDEX_FILE: join(folder, '.git/index') };
  git(repository, ['-c', 'core.splitIndex=false', 'read-tree', commit], { env });
  git(repository, ['checkout-index', '--all', `--prefix=${folder}/`], { env });
  return submodulesOf(repository, commit).flatMap((submodule) =>
    checkOutSubmodule(repository, submodule, folder),
  );
}

function checkOutSubmodule(
  repository: string,
  { path, commit }: Submodule,
  folder: string,
): string[] {
  const source = join(repository, path);
  // In an empty folder, git would find the repository around it.
  if (!existsSync(join(source, '.git'))) return [path];
  if (orUndefined(() => git(source, ['cat-file', '-e', `${commit}^{commit}`])) === undefined)
    throw new Problem(
      `The submodule ${path} lacks the commit ${commit.slice(0, 12)}`,
      `Fetch it: ${quoteCommand(['git', '-C', source, 'fetch', 'origin', commit])}`,
    );
  return checkOutFiles(source, commit, join(folder, path)).map((inner) => join(path, inner));
}

function submodulesOf(repository: string, commit: string): Submodule[] {
  const entries = git(repository, ['ls-tree', '-r', '-z', '--full-tree', commit]).split('\0');
  return entries.flatMap((entry) => {
    const [, hash, path] = /^160000 commit ([\da-f]+)\t(.+)$/s.exec(entry) ?? [];
    return hash && path ? [{ path, commit: hash }] : [];
  });
}

/**
 * Makes a copy of a repository's files a repository, too, at the same commit. Without git, or
 * without a commit, the copy stays without a history.
 */
export function borrowHead(repository: string, copy: string): void {
  orUndefined(() => {
    const commit = git(repository, ['rev-parse', '--verify', 'HEAD^{commit}']);
    borrowHistory(repository, commit, copy);
    git(copy, ['read-tree', 'HEAD']);
  });
}

/**
 * Makes a folder a repository at this commit, with the tags and, by reference, the objects of the
 * user's.
 * A worktree of the user's would share its configuration, and a clone of a shallow repository would
 * lack commits that no branch names.
 */
function borrowHistory(repository: string, commit: string, folder: string): void {
  const pathOf = (name: string) =>
    resolve(repository, git(repository, ['rev-parse', '--git-path', name]));
  mkdirSync(folder, { recursive: true });
  const format = commit.length === 64 ? ['--object-format=sha256'] : [];
  git(folder, ['init', '--quiet', '--template=', ...format]);
  const own = join(folder, '.git');
  mkdirSync(join(own, 'objects/info'), { recursive: true });
  writeFileSync(join(own, 'objects/info/alternates'), `${pathOf('objects')}\n`);
  const shallow = pathOf('shallow');
  if (existsSync(shallow)) copyFileSync(shallow, join(own, 'shallow'));
  const tags = git(repository, ['for-each-ref', '--format=%(objectname) %(refname)', 'refs/tags']);
  if (tags !== '') writeFileSync(join(own, 'packed-refs'), `${tags}\n`);
  // Else a daemon of git may watch the files while servers are measured.
  git(folder, ['config', 'core.fsmonitor', 'false']);
  git(folder, ['-c', 'core.hooksPath=/dev/null', 'update-ref', '--no-deref', 'HEAD', commit]);
}
