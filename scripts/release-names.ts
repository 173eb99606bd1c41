/**
 * Writes the repository and the version of package.json wherever a document names them:
 * `bun scripts/release-names.ts`. A release calls it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { repository, version } from '../package.json';

const ROOT = resolve(import.meta.dir, '..');

/** The documents that name the action, or the packed file. */
export const NAMING_DOCUMENTS = [
  'README.md',
  'docs/ci.md',
  'docs/github-actions.yml',
  'docs/start.md',
];

/** What documents name of a release. */
export interface ReleaseNames {
  /** As GitHub Actions name it: `owner/name`. */
  repository: string;
  version: string;
}

/** Returns what package.json says. */
export function releaseNames(): ReleaseNames {
  const path = new URL(repository.url.replace(/^git\+/, '')).pathname;
  return { repository: path.replace(/^\/|\.git$/g, ''), version };
}

/** Returns the text of a document with these names in the place of others. */
export function withReleaseNames(text: string, { repository, version }: ReleaseNames): string {
  return text
    .replace(/(\buses: )[\w.-]+\/tracetax@v[\w.-]+/g, `$1${repository}@v${version}`)
    .replace(/\btracetax-\d[\w.-]*\.tgz/g, `tracetax-${version}.tgz`);
}

if (import.meta.main)
  for (const document of NAMING_DOCUMENTS) {
    const file = join(ROOT, document);
    writeFileSync(file, withReleaseNames(readFileSync(file, 'utf8'), releaseNames()));
  }
