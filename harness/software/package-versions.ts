import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { temporaryFolder } from '../processes/watchdog.ts';
import type { Revision, Revisions } from '../suite/pair-revisions.ts';
import { readSuite } from '../suite/read-suite.ts';
import { commandFoldersOf } from '../suite/select.ts';
import type { Suite } from '../suite/suite.ts';
import { Problem } from '../words/errors.ts';
import { SAME_REMARK, sameProblem } from '../words/same.ts';
import { scenariosWithout } from './imported-packages.ts';
import { install, installProject } from './install.ts';
import { lockFileOf, type Manager, managerOf } from './lock-files.ts';
import { findPackage, foldersUpTo, type PackageJson, readPackageJson } from './packages.ts';
import { type WantedPackage, wantedPackages } from './wanted-packages.ts';

/**
 * What a copy of a project does not take along: packages are installed anew, and a history may be
 * large.
 */
const NOT_COPIED = new Set(['node_modules', '.git']);
const DEPENDENCY_KINDS = ['dependencies', 'devDependencies', 'optionalDependencies'] as const;
type DependencyKind = (typeof DEPENDENCY_KINDS)[number];

/** A project, and the suite in it. */
interface Project {
  root: string;
  /** Where the suite file is, relative to the root. */
  suitePath: string;
}

/** A copy of a project with one version of the package. */
interface Installed {
  revision: Revision;
  /** What is installed as the package: equal for equal files. */
  digest: string;
}

/**
 * Returns the suite in copies of its project, each with one of these versions of a package:
 * `hono@4.5.0`, `hono@4.6.0`, `hono@../hono.tgz`.
 * @param allowSame whether two of them may be the same
 * @throws Problem if these are not several versions of one package, or can't be installed
 */
export async function installEach(
  texts: readonly string[],
  suiteFile: string,
  allowSame: boolean,
): Promise<Revisions> {
  const wanted = await wantedPackages(texts);
  const file = realpathSync(suiteFile);
  const root = projectRootOf(file);
  const project = { root, suitePath: relative(root, file) };
  const folder = temporaryFolder();
  const installed: Installed[] = [];
  for (const [index, each] of wanted.entries())
    installed.push(await copyWith(each, project, join(folder, copyName(index, wanted.length))));
  const same = sameOf(installed);
  if (same && !allowSame)
    throw sameProblem(`${same.join(' and ')} have the same files`, 'Name another version');
  return revisionsOf(installed, wanted[0]?.name ?? '', same !== undefined);
}

/** As the servers of the copies are told apart, too. */
function copyName(index: number, count: number): string {
  if (index === 0) return 'old';
  return count === 2 ? 'new' : `new-${index}`;
}

function revisionsOf(
  installed: readonly Installed[],
  packageName: string,
  areSame: boolean,
): Revisions {
  const [old, ...others] = installed.map(({ revision }) => revision) as [Revision, ...Revision[]];
  const [current] = others;
  if (areSame && current)
    current.suite = { ...current.suite, remarks: [...current.suite.remarks, SAME_REMARK] };
  return { old, others, unchanged: scenariosWithout(packageName, old.suite) };
}

/** Returns the titles of two versions that are the same; undefined if there are none. */
function sameOf(installed: readonly Installed[]): string[] | undefined {
  const groups = Map.groupBy(installed, ({ digest }) => digest);
  const same = [...groups.values()].find(({ length }) => length > 1);
  return same?.slice(0, 2).map(({ revision }) => revision.title);
}

/**
 * Returns the repository of a suite file, else its project: the outermost folder with a
 * package.json; else its folder.
 */
function projectRootOf(suiteFile: string): string {
  const above = foldersUpTo('/', dirname(suiteFile));
  // A package.json in the user's home is of no project, unless there is no other.
  const candidates = above.filter((folder) => folder !== homedir() && folder !== '/');
  const repository = candidates.find((folder) => existsSync(join(folder, '.git')));
  const project = candidates.findLast(hasPackageJson) ?? above.find(hasPackageJson);
  return repository ?? project ?? dirname(suiteFile);
}

function hasPackageJson(folder: string): boolean {
  return existsSync(join(folder, 'package.json'));
}

/**
 * Copies the project, and installs the package there. The copy lies as deep in its folder as the
 * project in the system, so that what the project depends on beside itself can be found from there.
 * @throws Problem
 */
async function copyWith(
  wanted: WantedPackage,
  { root, suitePath }: Project,
  folder: string,
): Promise<Installed> {
  const copy = join(folder, root);
  cpSync(root, copy, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !NOT_COPIED.has(basename(path)),
  });
  linkNeighbours(folder, root);
  return withVersion(wanted, copy, join(copy, suitePath));
}

/** Links to what packages of the project depend on by a path that leaves it. */
function linkNeighbours(folder: string, root: string): void {
  const copy = join(folder, root);
  for (const file of new Bun.Glob('**/package.json').scanSync(copy)) {
    const content = readPackageJson(join(copy, dirname(file)));
    const specifiers = DEPENDENCY_KINDS.flatMap((kind) => Object.values(content[kind] ?? {}));
    for (const specifier of specifiers) {
      const [, path] = /^(?:file:|link:|portal:)?(\.\.\/.*)$/.exec(specifier) ?? [];
      if (path !== undefined) linkOnce(resolve(root, dirname(file), path), folder);
    }
  }
}

/** Links to what stands at this path of the system from the same path in the folder. */
function linkOnce(path: string, folder: string): void {
  const link = join(folder, path);
  if (existsSync(link) || !existsSync(path)) return;
  mkdirSync(dirname(link), { recursive: true });
  symlinkSync(path, link);
}

/**
 * Has the copy of a project install this version, and the lock file's of all others.
 * @throws Problem
 */
async function withVersion(
  wanted: WantedPackage,
  root: string,
  suiteFile: string,
): Promise<Installed> {
  // A suite that is code may import packages.
  if (!suiteFile.endsWith('.json')) await installProject(root, [dirname(suiteFile)]);
  const suite = await readSuite(suiteFile);
  for (const folder of commandFoldersOf(suite)) await installIn(folder, root, wanted);
  const { version, digest } = installedPackage(wanted, suite);
  const written = version === wanted.written ? '' : ` (${wanted.written})`;
  return { revision: { title: `${wanted.name} ${version}${written}`, suite }, digest };
}

/** Installs the package where a folder of the copy finds it. @throws Problem */
async function installIn(folder: string, root: string, wanted: WantedPackage): Promise<void> {
  const above = foldersUpTo(root, folder);
  const project = above.find(hasPackageJson);
  if (project === undefined) return;
  const manager = managerOf(above);
  const naming = above.find((each) => kindsNaming(wanted, each).length > 0);
  // Elsewhere than beside the lock file, package managers don't read it.
  if (naming === undefined) override(above.find(lockFileOf) ?? project, wanted, manager);
  else pin(naming, wanted);
  await install(manager.install(project), project);
}

/** Returns the kinds of dependencies of a project that name the package. */
function kindsNaming({ name }: WantedPackage, project: string): DependencyKind[] {
  const content = readPackageJson(project);
  return DEPENDENCY_KINDS.filter((kind) => content[kind]?.[name] !== undefined);
}

/** Names the version where the project names the package. */
function pin(project: string, wanted: WantedPackage): void {
  const content = readPackageJson(project);
  for (const kind of kindsNaming(wanted, project))
    content[kind] = { ...content[kind], [wanted.name]: wanted.specifier };
  writePackageJson(project, content);
}

/** Names the version for whatever needs the package. */
function override(
  project: string,
  { name, specifier }: WantedPackage,
  { overrides: field }: Manager,
): void {
  const content = readPackageJson(project);
  writePackageJson(project, { ...content, [field]: { ...content[field], [name]: specifier } });
}

function writePackageJson(project: string, content: PackageJson): void {
  writeFileSync(join(project, 'package.json'), JSON.stringify(content, null, 2));
}

/**
 * Returns what all servers of the suite find.
 * @throws Problem if it is not the wanted version, or if they differ
 */
function installedPackage(
  { name, written, version: wantedVersion }: WantedPackage,
  suite: Suite,
): { version: string; digest: string } {
  const folders = commandFoldersOf(suite).flatMap((folder) => findPackage(name, folder) ?? []);
  const found = new Set(folders.map((folder) => readPackageJson(folder).version));
  const [folder] = folders;
  const [version] = found;
  const isOther = wantedVersion !== undefined && version !== wantedVersion;
  const isEverywhere = folders.length === commandFoldersOf(suite).length && found.size === 1;
  if (folder && version && !isOther && isEverywhere) return { version, digest: digestOf(folder) };
  const list = [...found].join(', ') || 'none';
  throw new Problem(
    `${name}@${written} was asked for, and the servers find ${list}`,
    'Name a package that the project uses',
  );
}

/** Returns what is equal for two folders with the same files, without the packages in them. */
function digestOf(folder: string): string {
  const hash = new Bun.CryptoHasher('sha256');
  const files = [...new Bun.Glob('**/*').scanSync({ cwd: folder, dot: true })];
  for (const file of files.filter((each) => !each.includes('node_modules/')).sort())
    hash.update(JSON.stringify(file)).update(contentOf(folder, file));
  return hash.digest('hex');
}

/** Returns the content of a file; of package.json its data, which is laid out anew as it is packed. */
function contentOf(folder: string, file: string): string | Uint8Array {
  return file === 'package.json'
    ? JSON.stringify(readPackageJson(folder))
    : readFileSync(join(folder, file));
}
