/**
 * Which of the packages that a folder pins have newer versions, and which are held where they are
 * on purpose. A folder says that in its package.json:
 *
 *     "held": { "because": "rows of SDK 2", "packages": { "@opentelemetry/sdk-*": "2.x" } }
 *
 * The first name that fits a package counts. Versions in that range are still newer ones.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A package that a folder pins, and a newer version of it. */
export interface Newer {
  name: string;
  pinned: string;
  latest: string;
}

/** What a folder holds back, and why. */
export interface Held {
  because: string;
  /** The versions that are wanted, by names of packages: `*` stands for any part but `/`. */
  packages: Record<string, string>;
}

/** What came of a package with a newer version. */
export interface Finding extends Newer {
  /** Why it is held back; undefined if it is out of date. */
  because?: string;
}

/** Returns all versions of a package that were published. */
export type VersionsOf = (name: string) => Promise<string[]>;

/** What `bun outdated` prints of a folder: a row for each package that has a newer version. */
export function newerIn(table: string): Newer[] {
  const rows = table.matchAll(/^\| (\S+)(?: \(\w+\))?\s+\| (\d\S*)\s+\| \S+\s+\| (\S+)/gm);
  return [...rows].map(([, name = '', pinned = '', latest = '']) => ({ name, pinned, latest }));
}

/** Returns what a folder holds back; undefined if that is nothing. */
export function heldIn(folder: string): Held | undefined {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).held;
}

/** Returns the versions of a package that a folder wants; undefined if it takes any. */
export function heldRange({ packages }: Held, name: string): string | undefined {
  const names = Object.keys(packages).find((pattern) => new Bun.Glob(pattern).match(name));
  return names === undefined ? undefined : packages[names];
}

/**
 * Returns whether a package with a newer version is out of date, and if so which version to take:
 * one that is held back may have a newer one of those that are wanted.
 */
export async function findingOf(
  newer: Newer,
  held: Held | undefined,
  versionsOf: VersionsOf,
): Promise<Finding> {
  const range = held && heldRange(held, newer.name);
  if (held === undefined || range === undefined) return newer;
  const wanted = (await versionsOf(newer.name)).filter((version) =>
    Bun.semver.satisfies(version, range),
  );
  const newest = wanted.toSorted(Bun.semver.order).at(-1) ?? newer.pinned;
  return Bun.semver.order(newest, newer.pinned) > 0
    ? { ...newer, latest: newest }
    : { ...newer, because: held.because };
}

/** Asks the registry, once for each package. */
export function publishedVersions(): VersionsOf {
  const asked = new Map<string, Promise<string[]>>();
  const ask = async (name: string): Promise<string[]> =>
    JSON.parse(await Bun.$`bun pm view ${name} versions`.text());
  return (name) => {
    const versions = asked.get(name) ?? ask(name);
    asked.set(name, versions);
    return versions;
  };
}

/** Returns in a line what is held back, by the reason: `rows of SDK 2 (FOLDER): a 1.0.0 -> 2.0.0`. */
export function heldText(findings: readonly (Finding & { folder: string })[]): string {
  const reasons = [...Map.groupBy(findings, ({ because = '' }) => because)];
  return reasons
    .map(([because, held]) => {
      const folders = [...new Set(held.map(({ folder }) => folder))].join(', ');
      const packages = held.map(({ name, pinned, latest }) => `${name} ${pinned} -> ${latest}`);
      return `${because} (${folders}): ${[...new Set(packages)].join(', ')}`;
    })
    .join('; ');
}
