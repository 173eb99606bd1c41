import { copyFileSync, existsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '../processes/watchdog.ts';
import { orUndefined, Problem } from '../words/errors.ts';
import { namesIn } from '../words/files.ts';
import { runToEnd } from './install.ts';
import { BUN } from './lock-files.ts';

/** One of several versions, or builds, of a package. */
export interface WantedPackage {
  name: string;
  /** What the user wrote behind the name: `4.5.0`, or `../a.tgz` without `file:`. */
  written: string;
  /** What package.json says to have it installed. */
  specifier: string;
  /** What must be installed then; undefined for what may be any version, such as a tag. */
  version: string | undefined;
}

/** What a specifier begins with that names a file or a folder: npm, pnpm and yarn know these. */
const PATH_PROTOCOL = /^(file|link|portal):/;
const PATH = /^(\.{0,2}\/|~\/|\.{1,2}$)/;
const TARBALL = /^[^:]*\.(tgz|tar\.gz|tar)$/;

/**
 * Returns what is to be installed for each `NAME@VERSION`. Builds are made ready: a folder is
 * packed, and a tarball is copied, so that no package manager takes an earlier one of its cache.
 * Paths are relative to where the user stands.
 * @throws Problem if these are not several of one package, or if a build is not there
 */
export async function wantedPackages(texts: readonly string[]): Promise<WantedPackage[]> {
  const parsed = texts.map(parseText);
  const [first, ...others] = parsed;
  const isOfOne = first && others.length > 0 && others.every((each) => each?.name === first.name);
  if (!isOfOne)
    throw new Problem(
      '--package takes two versions of one package, or more',
      'Write --package NAME@OLD NAME@NEW: each a version, a tarball or a folder',
    );
  const wanted: WantedPackage[] = [];
  for (const each of parsed) if (each) wanted.push(await withBuild(each));
  return wanted;
}

/** Returns undefined for a text that names no version. */
function parseText(text: string): WantedPackage | undefined {
  const [, name, specifier] = /^((?:@[^/@]+\/)?[^@]+)@(.+)$/s.exec(text) ?? [];
  if (!name || !specifier) return undefined;
  const [version] = /^\d+\.\d+\.\d+.*/s.exec(specifier) ?? [];
  return { name, written: specifier.replace(PATH_PROTOCOL, ''), specifier, version };
}

/** Returns the package with the place of its build, if it is one that no registry has. */
async function withBuild(wanted: WantedPackage): Promise<WantedPackage> {
  const { specifier } = wanted;
  if (![PATH_PROTOCOL, PATH, TARBALL].some((pattern) => pattern.test(specifier))) return wanted;
  const path = pathOf(wanted);
  const folder = temporaryFolder();
  if (statSync(path).isDirectory()) await pack(path, folder);
  else copyFileSync(path, join(folder, basename(path)));
  const tarball = join(folder, namesIn(folder)[0] ?? '');
  return { ...wanted, specifier: `file:${tarball}`, version: versionIn(tarball) };
}

/** Returns the version of a packed package; undefined if it can't be read. */
function versionIn(tarball: string): string | undefined {
  const { stdout } = Bun.spawnSync(['tar', '-xOf', tarball, 'package/package.json']);
  return orUndefined(() => JSON.parse(stdout.toString()).version);
}

/** @throws Problem if there is no such file or folder */
function pathOf({ name, written }: WantedPackage): string {
  const path = written.startsWith('//') ? fileURLToPath(`file:${written}`) : written;
  const absolute = resolve(path.replace(/^~(?=\/)/, homedir()));
  if (existsSync(absolute)) return absolute;
  throw new Problem(
    `${name}@${written} is not there: ${absolute}`,
    'Name a tarball, or the folder of a package, as seen from this folder',
  );
}

/** Packs the package of a folder as it would be published, but runs none of its scripts. */
async function pack(from: string, to: string): Promise<void> {
  if (!existsSync(join(from, 'package.json')))
    throw new Problem(`${from} is no package: it has no package.json`, 'Name the folder of one');
  const command = [BUN, 'pm', 'pack', '--ignore-scripts', '--quiet', '--destination', to];
  const remedy = 'Pack it by its own package manager, and name the tarball';
  await runToEnd(command, from, 'The package could not be packed', remedy);
}
