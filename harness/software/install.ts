import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Child } from '../processes/child.ts';
import type { Scenario, Suite } from '../suite/suite.ts';
import { Problem, ScenarioProblem } from '../words/errors.ts';
import { quoteCommand } from '../words/text.ts';
import { packageOf, upwards } from './packages.ts';

const END_WITHIN_MS = 1_800_000;

export const BUN = [process.execPath, 'install', '--no-progress'];

/** The command of another package manager; by npx if it is not here, in the version that the project names. */
function manager(name: string, folder: string): string[] {
  const named = /^\w+@[^+]+/.exec(packageOf(folder).packageManager ?? '')?.[0] ?? name;
  // From version 2 on, Yarn is another package.
  const published = named.replace(/^yarn@(?!1\.)/, '@yarnpkg/cli-dist@');
  const program = Bun.which(name) ? [name] : ['npx', '--yes', '--package', published, name];
  return [...program, 'install', '--frozen-lockfile'];
}

/** What installs exactly what a lock file says, by its name. */
const LOCKS: Record<string, (folder: string) => string[]> = {
  'bun.lock': () => [...BUN, '--frozen-lockfile'],
  'bun.lockb': () => [...BUN, '--frozen-lockfile'],
  'package-lock.json': () => ['npm', 'ci'],
  'npm-shrinkwrap.json': () => ['npm', 'ci'],
  'pnpm-lock.yaml': (folder) => manager('pnpm', folder),
  'yarn.lock': (folder) => manager('yarn', folder),
};

/** The name of the folder's lock file; undefined if it has none. */
export const lockOf = (folder: string) =>
  Object.keys(LOCKS).find((name) => existsSync(join(folder, name)));

/**
 * Installs what the folder's lock file says, if that was not done before. Without one it uses the packages above it.
 * @throws Problem with the last words of the package manager.
 */
export async function installPackages(folder: string): Promise<void> {
  const name = lockOf(folder);
  if (!name) return;
  // An installation begins by taking away what is there, and that may be tracetax itself.
  if (import.meta.dir.startsWith(join(folder, 'node_modules/'))) return;
  const lock = join(folder, name);
  // A stamp beside the packages: an unchanged lock file needs no look at them.
  const stamp = join(folder, 'node_modules/.installed-lock');
  if (existsSync(stamp) && readFileSync(lock).equals(readFileSync(stamp))) return;
  await install(LOCKS[name]?.(folder) ?? [], folder);
  // A project without packages has no such folder.
  if (existsSync(dirname(stamp))) copyFileSync(lock, stamp);
}

/** Installs by this command. @throws Problem as above. */
export function install(command: string[], folder: string): Promise<void> {
  return runToEnd(command, folder, 'Packages could not be installed', 'Run it there to see why');
}

/** Installs the packages that a scenario has. @throws ScenarioProblem as above. */
export async function installFor(
  { name, packages }: Scenario,
  tell: (step: string) => void = () => {},
): Promise<void> {
  if (packages.length > 0) tell(`packages: ${name}`);
  for (const folder of packages)
    await installPackages(folder).catch((error) => {
      if (!(error instanceof Problem)) throw error;
      throw new ScenarioProblem(name, 'lacks its packages', error.message, error.remedy);
    });
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

/** Runs what servers need before any is started, one command after the other. @throws Problem with its last lines. */
export async function prepare(
  suite: Suite,
  tell: (step: string) => void = () => {},
): Promise<void> {
  for (const { command, cwd } of suite.prepare) {
    tell(`prepare: ${quoteCommand(command)}`);
    await runToEnd(
      command,
      cwd,
      'The suite\'s "prepare" failed',
      'Fix what it does, or the command',
    );
  }
}

/** @throws Problem with the command's last words if it does not end well. */
async function runToEnd(
  command: string[],
  cwd: string,
  cause: string,
  remedy: string,
): Promise<void> {
  // Compilers complain on stdout, and what runs them on stderr.
  const argv = ['sh', '-c', 'exec "$@" 2>&1', 'sh', ...command];
  await using child = new Child(argv, { cwd, timeout: END_WITHIN_MS });
  const { code, description } = await child.exited;
  if (code === 0) return;
  throw new Problem(
    `${cause}: ${quoteCommand(command)} ended with ${description} in ${cwd}; ${child.output.lastLines()}`,
    remedy,
  );
}
