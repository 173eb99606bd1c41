import { cpSync, existsSync, realpathSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { temporaryFolder } from '../machine/watchdog.ts';
import { loadSuite } from '../suite/load.ts';
import type { Revision } from '../suite/revisions.ts';
import { Problem } from '../words/errors.ts';
import { cwdsOf, type Versions } from './checkouts.ts';
import { BUN, install, installProject, lockOf, upwards } from './install.ts';
import { folderOf, packageOf } from './packages.ts';

/** What must not be taken along: packages are installed anew, and a history may be large. */
const LEFT = new Set(['node_modules', '.git']);
const FORM = /^((?:@[^/@]+\/)?[^@]+)@(.+)$/;

/**
 * The suite in two copies of its project, each with one version of a package: `hono@4.5.0` and `hono@4.6.0`.
 * @throws Problem if these are none of one package, or can't be installed.
 */
export async function installBoth(wanted: string[], suiteFile: string): Promise<Versions> {
  const [[, name = '', before = ''] = [], [, other, after = ''] = []] = wanted.map((each) => FORM.exec(each) ?? []);
  if (wanted.length !== 2 || name !== other || before === after)
    throw new Problem('--package takes two versions of one package', 'Write --package NAME@OLD NAME@NEW');
  const file = realpathSync(suiteFile);
  const root = projectOf(dirname(file));
  const folder = temporaryFolder();
  const copy = (version: string, to: string): Promise<Revision> => {
    cpSync(root, to, { recursive: true, verbatimSymlinks: true, filter: (path) => !LEFT.has(basename(path)) });
    return withVersion(name, version, to, join(to, relative(root, file)));
  };
  const old = await copy(before, join(folder, 'old'));
  return { old, current: await copy(after, join(folder, 'new')), remarks: [] };
}

/** The repository of a folder, else the project that it is part of: the outermost folder with a package.json. */
function projectOf(folder: string): string {
  const above = upwards(folder, '/');
  const found = above.find((each) => existsSync(join(each, '.git'))) ?? above.findLast(hasPackage);
  if (found) return found;
  throw new Problem(
    `${folder} is part of no project with a package.json`,
    '--package compares packages of npm and Bun',
  );
}

const hasPackage = (folder: string) => existsSync(join(folder, 'package.json'));

/** Has the copy of a project install this version, and the lock file's of all others. @throws Problem */
async function withVersion(name: string, version: string, root: string, suiteFile: string): Promise<Revision> {
  const inside = upwards(dirname(suiteFile), root);
  const lock = inside.flatMap((folder) => lockOf(folder) ?? [])[0] ?? 'package-lock.json';
  if (/^(yarn|pnpm)/.test(lock))
    throw new Problem(`--package can't change ${lock}`, 'It compares packages of npm and Bun');
  const manager = lock.startsWith('bun') ? BUN : ['npm', 'install'];
  // Such a suite may import packages.
  if (!suiteFile.endsWith('.json')) await installProject(root, [dirname(suiteFile)]);
  const suite = await loadSuite(suiteFile);
  for (const cwd of cwdsOf(suite)) {
    const project = upwards(cwd, root).find(hasPackage);
    if (!project) continue;
    pin(project, name, version);
    await install(manager, project);
  }
  const found = new Set(cwdsOf(suite).map((cwd) => packageOf(folderOf(name, cwd) ?? '').version));
  const [installed] = found;
  const isOther = /^\d+\.\d+\.\d+/.test(version) && installed !== version;
  if (installed && !isOther && found.size === 1) return { title: `${name} ${installed}`, suite };
  const cause = `${name}@${version} was asked for, and the servers find ${[...found].join(', ') || 'none'}`;
  throw new Problem(cause, 'Name a package that the project uses');
}

/** Names the version in package.json: where the project names the package, else for whatever needs it. */
function pin(project: string, name: string, version: string): void {
  const content = packageOf(project);
  const kinds = ['dependencies', 'devDependencies', 'optionalDependencies'].filter((kind) => content[kind]?.[name]);
  for (const kind of kinds) content[kind][name] = version;
  if (kinds.length === 0) content.overrides = { ...content.overrides, [name]: version };
  writeFileSync(join(project, 'package.json'), JSON.stringify(content, null, 2));
}
