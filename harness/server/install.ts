import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { Child } from '../machine/child.ts';
import { readText } from '../machine/read.ts';
import { Problem, ScenarioProblem } from '../words/errors.ts';
import { packageOf } from './packages.ts';

const WITHIN_MS = 600_000;

/** Which version of pnpm has written a lock file, by the version of its format; from 9 on, they read each other's. */
const PNPM = { '5': '7', '6': '8' } as Record<string, string>;

/** A package manager; by npx if it is not here, in the version that the project names, or the lock file is of. */
function manager(name: string, folder: string, version: string): string[] {
  if (Bun.which(name)) return [name];
  const named = /^[a-z]+@([^+]+)/.exec(packageOf(folder).packageManager ?? '')?.[1] ?? version;
  // From version 2 on, Yarn is another package.
  const published = name === 'yarn' && !named.startsWith('1') ? '@yarnpkg/cli-dist' : name;
  return ['npx', '--yes', '--package', `${published}@${named}`, name];
}

function pnpm(folder: string, lock: string): string[] {
  const format = /^lockfileVersion: '?(\d+)/m.exec(lock)?.[1] ?? '';
  return [...manager('pnpm', folder, PNPM[format] ?? '9'), 'install', '--frozen-lockfile'];
}

function yarn(folder: string, lock: string): string[] {
  const isFirst = !/^__metadata:/m.test(lock);
  return [...manager('yarn', folder, isFirst ? '1' : '4'), 'install', isFirst ? '--frozen-lockfile' : '--immutable'];
}

export const BUN = [process.execPath, 'install', '--no-progress'];

/** What installs exactly what a lock file says, by its name. */
const LOCKS: Record<string, (folder: string, lock: string) => string[]> = {
  'bun.lock': () => [...BUN, '--frozen-lockfile'],
  'bun.lockb': () => [...BUN, '--frozen-lockfile'],
  'package-lock.json': () => ['npm', 'ci'],
  'npm-shrinkwrap.json': () => ['npm', 'ci'],
  'pnpm-lock.yaml': pnpm,
  'yarn.lock': yarn,
};

/** The name of the folder's lock file; undefined if it has none. */
export const lockOf = (folder: string) => Object.keys(LOCKS).find((name) => existsSync(join(folder, name)));

/** The folder and those above it, up to this root. */
export function upwards(folder: string, root: string): string[] {
  if (relative(root, folder).startsWith('..')) return [];
  return folder === root ? [root] : [folder, ...upwards(dirname(folder), root)];
}

/**
 * Installs what the folder's lock file says, if that was not done before. Without one it uses the packages above it.
 * @throws Problem with the last words of the package manager; ScenarioProblem if it is for one.
 */
export async function installPackages(folder: string, scenario?: string): Promise<void> {
  const name = lockOf(folder);
  if (!name) return;
  const lock = join(folder, name);
  // A stamp beside the packages: an unchanged lock file needs no look at them.
  const stamp = join(folder, 'node_modules/.installed-lock');
  if (existsSync(stamp) && readFileSync(lock).equals(readFileSync(stamp))) return;
  await install(LOCKS[name]?.(folder, readText(lock) ?? '') ?? [], folder, scenario);
  // A project without packages has no such folder.
  if (existsSync(dirname(stamp))) copyFileSync(lock, stamp);
}

/** Installs by this command. @throws Problem, ScenarioProblem as above. */
export async function install(command: string[], folder: string, scenario?: string): Promise<void> {
  await using child = new Child(command, { cwd: folder, timeout: WITHIN_MS });
  if ((await child.exited).code === 0) return;
  const [what, detail] = ['could not be installed', `in ${folder}: ${child.complaint()}`];
  const remedy = `Run "${[basename(command[0] ?? ''), ...command.slice(1)].join(' ')}" there to see why`;
  if (scenario !== undefined) throw new ScenarioProblem(scenario, `has packages that ${what}`, detail, remedy);
  throw new Problem(`Packages ${what} ${detail}`, remedy);
}

/** Installs what these folders of a checkout and those above them need; what npm finds where no lock file is. @throws Problem */
export async function installProject(root: string, folders: string[]): Promise<void> {
  for (const each of folders.map((folder) => upwards(folder, root))) {
    for (const folder of each) await installPackages(folder);
    if (each.some(lockOf)) continue;
    const project = each.find((at) => packageOf(at).dependencies ?? packageOf(at).devDependencies);
    if (project) await install(Bun.which('npm') ? ['npm', 'install'] : BUN, project);
  }
}
