import { cpSync, existsSync, realpathSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { temporaryFolder } from '../processes/watchdog.ts';
import type { Revision, RevisionPair } from '../suite/pair-revisions.ts';
import { readSuite } from '../suite/read-suite.ts';
import { commandFoldersOf } from '../suite/select.ts';
import type { Suite } from '../suite/suite.ts';
import { Problem } from '../words/errors.ts';
import { install, installProject } from './install.ts';
import { BUN_INSTALL, lockFileOf } from './lock-files.ts';
import { findPackage, foldersUpTo, readPackageJson } from './packages.ts';

/**
 * What a copy of a project does not take along: packages are installed anew, and a history may be
 * large.
 */
const NOT_COPIED = new Set(['node_modules', '.git']);
const DEPENDENCY_KINDS = ['dependencies', 'devDependencies', 'optionalDependencies'] as const;

/** A package in a version, as a user writes it: `hono@4.5.0`. */
interface PackageVersion {
  name: string;
  version: string;
}

/**
 * Returns the suite in two copies of its project, one with `hono@4.5.0`, and one with `hono@4.6.0`.
 * @throws Problem if these are not two versions of one package, or can't be installed
 */
export async function installBoth(
  wanted: readonly string[],
  suiteFile: string,
): Promise<RevisionPair> {
  const [before, after] = parseVersions(wanted);
  const file = realpathSync(suiteFile);
  const root = projectRootOf(file);
  const path = relative(root, file);
  const folder = temporaryFolder();
  const old = await copyWith(before, root, join(folder, 'old'), path);
  const current = await copyWith(after, root, join(folder, 'new'), path);
  return { old, current };
}

/** @throws Problem if these are not two versions of one package */
function parseVersions(wanted: readonly string[]): [before: PackageVersion, after: PackageVersion] {
  const [before, after, ...others] = wanted.map(parseVersion);
  const isPair = before && after && others.length === 0;
  if (isPair && before.name === after.name && before.version !== after.version)
    return [before, after];
  throw new Problem(
    '--package takes two versions of one package',
    'Write --package NAME@OLD NAME@NEW',
  );
}

function parseVersion(text: string): PackageVersion | undefined {
  const [, name, version] = /^((?:@[^/@]+\/)?[^@]+)@(.+)$/.exec(text) ?? [];
  return name && version ? { name, version } : undefined;
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
 * Copies the project, and installs the package there. Returns the suite of the copy.
 * @throws Problem
 */
async function copyWith(
  wanted: PackageVersion,
  project: string,
  copy: string,
  suitePath: string,
): Promise<Revision> {
  cpSync(project, copy, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !NOT_COPIED.has(basename(path)),
  });
  return withVersion(wanted, copy, join(copy, suitePath));
}

/**
 * Has the copy of a project install this version, and the lock file's of all others.
 * @throws Problem
 */
async function withVersion(
  wanted: PackageVersion,
  root: string,
  suiteFile: string,
): Promise<Revision> {
  const command = installCommandOf(root, dirname(suiteFile));
  // A suite that is code may import packages.
  if (!suiteFile.endsWith('.json')) await installProject(root, [dirname(suiteFile)]);
  const suite = await readSuite(suiteFile);
  for (const folder of commandFoldersOf(suite)) {
    const project = foldersUpTo(root, folder).find(hasPackageJson);
    if (!project) continue;
    pinVersion(project, wanted);
    await install(command, project);
  }
  return { title: `${wanted.name} ${installedVersion(wanted, suite)}`, suite };
}

/**
 * Returns what installs in the project, and may change its lock file.
 * @throws Problem for a lock file that it can't change
 */
function installCommandOf(root: string, folder: string): string[] {
  const lockFiles = foldersUpTo(root, folder).flatMap((each) => lockFileOf(each) ?? []);
  const [lockFile = 'package-lock.json'] = lockFiles;
  if (/^(yarn|pnpm)/.test(lockFile))
    throw new Problem(`--package can't change ${lockFile}`, 'It compares packages of npm and Bun');
  return lockFile.startsWith('bun') ? BUN_INSTALL : ['npm', 'install'];
}

/**
 * Names the version in package.json: where the project names the package, else for whatever needs
 * it.
 */
function pinVersion(project: string, { name, version }: PackageVersion): void {
  const content = readPackageJson(project);
  const kinds = DEPENDENCY_KINDS.filter((kind) => content[kind]?.[name]);
  for (const kind of kinds) content[kind] = { ...content[kind], [name]: version };
  if (kinds.length === 0) content.overrides = { ...content.overrides, [name]: version };
  writeFileSync(join(project, 'package.json'), JSON.stringify(content, null, 2));
}

/**
 * Returns the version that all servers of the suite find.
 * @throws Problem if it is not the wanted one, or if they differ
 */
function installedVersion({ name, version }: PackageVersion, suite: Suite): string {
  const folders = commandFoldersOf(suite).map((folder) => findPackage(name, folder));
  const found = new Set(folders.map((folder) => folder && readPackageJson(folder).version));
  const [installed] = found;
  // A tag such as `latest` may stand for any version.
  const isOther = /^\d+\.\d+\.\d+/.test(version) && installed !== version;
  if (installed && !isOther && found.size === 1) return installed;
  const list = [...found].join(', ') || 'none';
  throw new Problem(
    `${name}@${version} was asked for, and the servers find ${list}`,
    'Name a package that the project uses',
  );
}
