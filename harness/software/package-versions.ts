import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { temporaryFolder } from '../processes/watchdog.ts';
import { revisionName } from '../result/revision-names.ts';
import type { Revision, Revisions } from '../suite/pair-revisions.ts';
import { readSuite } from '../suite/read-suite.ts';
import { commandFoldersOf, scenariosOf } from '../suite/select.ts';
import type { Suite } from '../suite/suite.ts';
import { Problem } from '../words/errors.ts';
import { sameProblem } from '../words/same.ts';
import { scenariosWithout } from './imported-packages.ts';
import { install, installProject } from './install.ts';
import { lockFileOf, type Manager, managerOf } from './lock-files.ts';
import {
  DEPENDENCY_KINDS,
  type DependencyKind,
  findPackage,
  foldersUpTo,
  hasPackageJson,
  type PackageJson,
  readPackageJson,
} from './packages.ts';
import { copyProject, projectRootOf } from './project-copy.ts';
import { type WantedPackage, wantedPackages } from './wanted-packages.ts';

/** A copy of a project with one version of the package. */
interface Installed {
  revision: Revision;
  /** What is installed as the package: equal for equal files. */
  digest: string;
  /** Other versions that the copy has, too: `hono 4.5.0 in node_modules/a/node_modules/hono`. */
  others: string[];
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
  const folder = temporaryFolder();
  const installed: Installed[] = [];
  for (const [index, each] of wanted.entries()) {
    const copy = copyProject(root, join(folder, revisionName(index, wanted.length)));
    installed.push(await withVersion(each, copy, join(copy, relative(root, file))));
  }
  const seen = sameOf(installed);
  if (seen !== undefined && !allowSame) throw sameProblem(seen, 'Name another version');
  const remarks = [
    ...(seen === undefined ? [] : [`${seen}: their difference is noise.`]),
    ...installed.flatMap(otherVersionRemarks),
  ];
  return revisionsOf(installed, wanted[0]?.name ?? '', remarks);
}

function otherVersionRemarks({ revision, others }: Installed): string[] {
  return others.map((other) => `${revision.title} has ${other}, too, which servers may load.`);
}

/** `remarks`: what the report says of them. */
function revisionsOf(
  installed: readonly Installed[],
  packageName: string,
  remarks: readonly string[],
): Revisions {
  const [old, ...others] = installed.map(({ revision }) => revision) as [Revision, ...Revision[]];
  const withRemarks = others.map(({ title, suite }) => ({
    title,
    suite: { ...suite, remarks: [...suite.remarks, ...remarks] },
  }));
  return { old, others: withRemarks, unchanged: scenariosWithout(packageName, old.suite) };
}

/** Returns which two versions are the same; undefined if there are none. */
function sameOf(installed: readonly Installed[]): string | undefined {
  const groups = Map.groupBy(installed, ({ digest }) => digest);
  const same = [...groups.values()].find(({ length }) => length > 1);
  const titles = same?.slice(0, 2).map(({ revision }) => revision.title);
  return titles && `${titles.join(' and ')} have the same files`;
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
  const folders = packageFoldersOf(suite, root);
  const projects = folders.flatMap((folder) => nameVersion(folder, root, wanted));
  for (const project of new Set(projects))
    await install(managerOf(foldersUpTo(root, project)).install(project), project);
  checkPackagesOf(suite);
  const { version, digest } = installedPackage(wanted, folders);
  const written = version === wanted.written ? '' : ` (${wanted.written})`;
  return {
    revision: { title: `${wanted.name} ${version}${written}`, suite },
    digest,
    others: otherVersionsIn(root, wanted.name, version),
  };
}

/** Returns the folders of the copy from which servers load packages, each once. */
function packageFoldersOf(suite: Suite, root: string): string[] {
  const named = scenariosOf(suite.tasks).flatMap(({ packages }) => packages);
  const inCopy = named.filter((folder) => foldersUpTo(root, folder).length > 0);
  return [...new Set([...commandFoldersOf(suite), ...inCopy])];
}

/** pnpm keeps what it installed before for some days, though nothing leads to it. */
const STORE_OF_PNPM = 'node_modules/.pnpm/';

/** Returns the versions of a package in a copy that are not this one, each with its folder. */
function otherVersionsIn(root: string, name: string, version: string): string[] {
  const installed = new Bun.Glob(`**/node_modules/${name}/package.json`);
  const files = [...installed.scanSync({ cwd: root, dot: true })];
  // A link to a folder may be followed.
  const folders = new Set(files.map((file) => realpathSync(dirname(join(root, file)))));
  return [...folders].sort().flatMap((folder) => {
    const other = readPackageJson(folder).version;
    const isOther = other !== undefined && other !== version && !folder.includes(STORE_OF_PNPM);
    return isOther ? [`${name} ${other} in ${relative(realpathSync(root), folder)}`] : [];
  });
}

/**
 * Names the version where a folder of the copy finds the package. Returns the projects that are to
 * be installed for that.
 */
function nameVersion(folder: string, root: string, wanted: WantedPackage): string[] {
  const above = foldersUpTo(root, folder);
  const project = above.find(hasPackageJson);
  if (project === undefined) return [];
  const naming = above.find((each) => kindsNaming(wanted, each).length > 0);
  // Elsewhere than beside the lock file, package managers don't read an override.
  const place = naming ?? above.find(lockFileOf) ?? project;
  if (naming === undefined) override(place, wanted, managerOf(above));
  else pin(place, wanted);
  return [place, project];
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
 * Returns what servers find in these folders that have the package.
 * @throws Problem if it is not the wanted version, or if they differ
 */
function installedPackage(
  { name, written, version: wantedVersion }: WantedPackage,
  fromFolders: readonly string[],
): { version: string; digest: string } {
  const folders = fromFolders.flatMap((folder) => findPackage(name, folder) ?? []);
  const found = new Set(folders.map((folder) => readPackageJson(folder).version));
  const [folder] = folders;
  const [version] = found;
  const isOther = wantedVersion !== undefined && version !== wantedVersion;
  // Builds are packed, so what lies outside of node_modules is the working folder itself.
  if (folders.some((each) => !each.includes('/node_modules/')))
    throw new Problem(
      `${name} of this workspace took the place of ${name}@${written}`,
      'Name a tarball: npm pack makes one',
    );
  // A server that lacks the package is measured, too: nothing of it changes.
  if (folder && version && !isOther && found.size === 1)
    return { version, digest: digestOf(folder) };
  const list = [...found].join(', ') || 'none';
  throw new Problem(
    `${name}@${written} was asked for, and the servers find ${list}`,
    'Name a package that the project uses',
  );
}

/** @throws Problem if no server has packages of npm, or if they are in no folder */
function checkPackagesOf(suite: Suite): void {
  const above = commandFoldersOf(suite).flatMap((folder) => foldersUpTo('/', folder));
  if (!above.some(hasPackageJson))
    throw new Problem(
      '--package compares packages of npm, and there is no package.json',
      'Compare revisions (--git), or write a scenario for each version',
    );
  if (above.some((folder) => existsSync(join(folder, '.pnp.cjs'))))
    throw new Problem(
      "By Yarn's Plug'n'Play, packages are in no folder that could be looked into",
      'Set nodeLinker: node-modules in .yarnrc.yml',
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

/**
 * Returns the content of a file; of package.json its data, which is laid out anew as it is packed.
 */
function contentOf(folder: string, file: string): string | Uint8Array {
  return file === 'package.json'
    ? JSON.stringify(readPackageJson(folder))
    : readFileSync(join(folder, file));
}
