import { cpSync, existsSync, realpathSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { temporaryFolder } from '../processes/watchdog.ts';
import type { Revision } from '../suite/pair-revisions.ts';
import { readSuite } from '../suite/read-suite.ts';
import { scenariosOf } from '../suite/select.ts';
import { Problem } from '../words/errors.ts';
import { printToStderr } from '../words/output.ts';
import { BUN, install, installProject, lockOf } from './install.ts';
import { folderOf, packageOf, upwards } from './packages.ts';

/** What must not be taken along: packages are installed anew, and a history may be large. */
const LEFT = new Set(['node_modules', '.git']);
const FORM = /^((?:@[^/@]+\/)?[^@]+)@(.+)$/;

/** The suite in checkouts of the revision and of HEAD, with packages. @throws Problem if one of these can't be had. */
export async function checkOutBoth(revision: string, suiteFile: string) {
  // As git names it, with no links in it.
  const file = realpathSync(suiteFile);
  const repository = git(dirname(file), ['rev-parse', '--show-toplevel']);
  const path = relative(repository, file);
  if (git(repository, ['status', '--porcelain', '--untracked-files=no']) !== '')
    printToStderr('tracetax: Uncommitted changes are not measured; HEAD is.');
  const folder = temporaryFolder();
  const old = checkOut(repository, revision, join(folder, 'old'));
  const current = checkOut(repository, 'HEAD', join(folder, 'new'));
  if (!existsSync(join(current.folder, path)))
    throw new Problem(`${current.title} has no suite ${path}`, 'Commit it first');
  const isNew = !existsSync(join(old.folder, path));
  if (isNew) {
    // With what stands beside it, if all of that is new.
    const missing = existsSync(join(old.folder, dirname(path))) ? path : dirname(path);
    cpSync(join(current.folder, missing), join(old.folder, missing), { recursive: true });
  }
  const ready = async ({ title, folder: root }: typeof old, files?: string[]) => {
    const at = join(root, path);
    await installProject(root, [dirname(at)]);
    const suite = await readSuite(at);
    for (const each of files ?? suite.files)
      copyFile(join(dirname(file), each), join(dirname(at), each), root);
    await installProject(root, cwdsOf(suite));
    return { title, suite };
  };
  const head = await ready(current);
  const remark = `${old.title} has no ${path}: it was measured with that of HEAD.`;
  if (isNew) head.suite.remarks = [...head.suite.remarks, remark];
  return { old: await ready(old, head.suite.files), current: head };
}

/** The folders in which a suite's commands run. */
function cwdsOf(suite: Revision['suite']): string[] {
  return [...new Set(scenariosOf(suite.tasks).map(({ cwd = suite.cwd }) => cwd))];
}

/** @throws Problem if it is not there, or would be written outside of the checkout. */
function copyFile(from: string, to: string, root: string): void {
  const remedy = 'Make it, or name it as seen from the folder of the suite file';
  if (!existsSync(from)) throw new Problem(`"files" names what is not there: ${from}`, remedy);
  if (relative(root, to).startsWith('..'))
    throw new Problem(`${from} is outside of the repository`, 'Move it there');
  cpSync(from, to, { recursive: true });
}

/** Puts the files of a revision into the folder. @throws Problem if there is none, or if its name is a short hash, too. */
function checkOut(repository: string, revision: string, folder: string) {
  // The whole hash: a tag may have the name of a short one.
  const commit = git(repository, [
    'rev-parse',
    '--verify',
    '--end-of-options',
    `${revision}^{commit}`,
  ]);
  const isOther = /^[\da-f]{4,}$/.test(revision) && !commit.startsWith(revision);
  if (isOther && git(repository, ['rev-parse', `--disambiguate=${revision}`]) !== '')
    throw new Problem(
      `${revision} is a name, and a short hash, too`,
      `Write refs/tags/${revision}, or the whole hash`,
    );
  // By an index of its own the repository stays untouched, so nothing must be undone.
  const index = { GIT_INDEX_FILE: `${folder}.index` };
  git(repository, ['read-tree', commit], index);
  git(repository, ['checkout-index', '--all', `--prefix=${folder}/`], index);
  return { folder, title: `${revision} (${git(repository, ['rev-parse', '--short', commit])})` };
}

/** What git prints. @throws Problem with its reason, or if there is no git. */
function git(folder: string, args: string[], env: Record<string, string> = {}): string {
  if (!Bun.which('git')) throw new Problem('There is no git on this machine', 'Install it');
  const run = Bun.spawnSync(['git', '-C', folder, ...args], { env: { ...process.env, ...env } });
  if (run.exitCode === 0) return run.stdout.toString().trim();
  // A clone in CI often has but one commit.
  const remedy =
    'Call it inside a git repository that has this revision: a shallow clone needs git fetch --unshallow';
  throw new Problem(
    `${['git', ...args].join(' ')} failed: ${run.stderr.toString().trim()}`,
    remedy,
  );
}

/** The suite in two copies of its project, one with `hono@4.5.0`, and one with `hono@4.6.0`. @throws Problem */
export async function installBoth(wanted: string[], suiteFile: string) {
  const [[, name = '', before = ''] = [], [, other, after = ''] = []] = wanted.map(
    (each) => FORM.exec(each) ?? [],
  );
  if (wanted.length !== 2 || name !== other || before === after)
    throw new Problem(
      '--package takes two versions of one package',
      'Write --package NAME@OLD NAME@NEW',
    );
  const file = realpathSync(suiteFile);
  const above = upwards(dirname(file), '/');
  // The repository, else the project: the outermost folder with a package.json, but not all that somebody has.
  const mostly = above.filter((each) => each !== homedir() && each !== '/');
  const project = mostly.findLast(hasPackage) ?? above.find(hasPackage);
  const root = mostly.find((each) => existsSync(join(each, '.git'))) ?? project ?? dirname(file);
  const folder = temporaryFolder();
  const copy = (version: string, to: string) => {
    cpSync(root, to, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (path) => !LEFT.has(basename(path)),
    });
    return withVersion(name, version, to, join(to, relative(root, file)));
  };
  const old = await copy(before, join(folder, 'old'));
  return { old, current: await copy(after, join(folder, 'new')) };
}

const hasPackage = (folder: string) => existsSync(join(folder, 'package.json'));

/** Has the copy of a project install this version, and the lock file's of all others. @throws Problem */
async function withVersion(
  name: string,
  version: string,
  root: string,
  suiteFile: string,
): Promise<Revision> {
  const inside = upwards(dirname(suiteFile), root);
  const lock = inside.flatMap((folder) => lockOf(folder) ?? [])[0] ?? 'package-lock.json';
  if (/^(yarn|pnpm)/.test(lock))
    throw new Problem(`--package can't change ${lock}`, 'It compares packages of npm and Bun');
  const manager = lock.startsWith('bun') ? BUN : ['npm', 'install'];
  // Such a suite may import packages.
  if (!suiteFile.endsWith('.json')) await installProject(root, [dirname(suiteFile)]);
  const suite = await readSuite(suiteFile);
  for (const cwd of cwdsOf(suite)) {
    const project = upwards(cwd, root).find(hasPackage);
    if (!project) continue;
    pin(project, name, version);
    await install(manager, project);
  }
  const folders = cwdsOf(suite).map((cwd) => folderOf(name, cwd));
  const found = new Set(folders.map((folder) => folder && packageOf(folder).version));
  const [installed] = found;
  const isOther = /^\d+\.\d+\.\d+/.test(version) && installed !== version;
  if (installed && !isOther && found.size === 1) return { title: `${name} ${installed}`, suite };
  const cause = `${name}@${version} was asked for, and the servers find ${[...found].join(', ') || 'none'}`;
  throw new Problem(cause, 'Name a package that the project uses');
}

/** Names the version in package.json: where the project names the package, else for whatever needs it. */
function pin(project: string, name: string, version: string): void {
  const content = packageOf(project);
  const kinds = ['dependencies', 'devDependencies', 'optionalDependencies'].filter(
    (kind) => content[kind]?.[name],
  );
  for (const kind of kinds) content[kind][name] = version;
  if (kinds.length === 0) content.overrides = { ...content.overrides, [name]: version };
  writeFileSync(join(project, 'package.json'), JSON.stringify(content, null, 2));
}
