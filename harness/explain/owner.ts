import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ifThere } from '../machine/read.ts';

export const APPLICATION = 'the application';
export const RUNTIME = 'the runtime';

/**
 * Whose code a file of a profile is: the package's name; `the application` for the package of the server's folder, and for
 * what is in none; `the runtime` for modules of Bun or Node.
 */
export function packageOf(url: string, cwd: string): string {
  if (!url.startsWith('file:') && !url.startsWith('/')) return RUNTIME;
  const file = url.startsWith('file:') ? fileURLToPath(url) : url;
  const [, installed] = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file) ?? [];
  if (installed !== undefined) return installed;
  if (/\/tracetax-\w+\/x-\w+\/probe\.mjs$/.test(file)) return 'the probe of tracetax';
  const root = packageRoot(dirname(file));
  if (root === undefined || root === packageRoot(cwd)) return APPLICATION;
  return ifThere(() => JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).name) || root;
}

/** The nearest folder at or above this one with a package.json. */
function packageRoot(folder: string): string | undefined {
  if (existsSync(join(folder, 'package.json'))) return folder;
  return dirname(folder) === folder ? undefined : packageRoot(dirname(folder));
}
