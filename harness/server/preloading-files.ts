import { homedir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { orUndefined } from '../words/errors.ts';
import { readText } from '../words/files.ts';
import { hasPreloadingOption } from './instrumenting-variables.ts';

/** A command, and the folder in which it runs. */
interface Command {
  command: readonly string[];
  cwd: string;
}

const NODE_PACKAGE_MANAGERS = ['npm', 'npx', 'pnpm', 'yarn'];

/** Returns the names of files of a server's project that make its command preload code. */
export function filesThatPreload({ command, cwd }: Command): string[] {
  const [program = '', ...words] = command;
  const runner = basename(program);
  const isBun = runner === 'bun';
  const isPackageManager = NODE_PACKAGE_MANAGERS.includes(runner);
  const files: string[] = [];
  if (isBun && bunfigPreloads(cwd)) files.push('bunfig.toml');
  if (isPackageManager && npmrcPreloads(cwd)) files.push('.npmrc');
  if ((isBun || isPackageManager) && scriptPreloads(cwd, words)) files.push('package.json');
  return files;
}

function bunfigPreloads(cwd: string): boolean {
  const text = readText(resolve(cwd, 'bunfig.toml')) ?? '';
  const bunfig = orUndefined(() => Bun.TOML.parse(text)) as { preload?: unknown } | undefined;
  return Boolean(bunfig?.preload);
}

/** Whether options for Node are set in the project's .npmrc, or in the user's. */
function npmrcPreloads(cwd: string): boolean {
  const texts = [cwd, homedir()].map((folder) => readText(resolve(folder, '.npmrc')) ?? '');
  const options = texts.map((text) => /^\s*node-options\s*=.*$/m.exec(text)?.[0] ?? '');
  return options.some(hasPreloadingOption);
}

/** Whether a script of package.json preloads that one of the words names. */
function scriptPreloads(cwd: string, words: readonly string[]): boolean {
  const text = readText(join(cwd, 'package.json')) ?? '';
  const scripts: Record<string, string> = orUndefined(() => JSON.parse(text).scripts) ?? {};
  return words.some((word) => hasPreloadingOption(scripts[word] ?? ''));
}
