/**
 * Code made ready: this room installs packages, runs what a suite prepares, checks out other
 * revisions, and finds out which runtime and which packages a server has. A suite, or a folder,
 * goes in; what is installed is on disk, and versions come out. Starting what was made ready does
 * not belong here.
 */
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Child } from '../processes/child.ts';
import type { Scenario, Suite } from '../suite/suite.ts';
import { Problem, ScenarioProblem } from '../words/errors.ts';
import { quoteCommand } from '../words/text.ts';
import { BUN_INSTALL, frozenInstallOf, lockFileOf } from './lock-files.ts';
import { foldersUpTo, readPackageJson } from './packages.ts';

/** Compilers may take long. */
const COMMAND_ENDS_WITHIN_MS = 1_800_000;

const PREPARE_REMEDY = 'Run it by hand in its "cwd" until it succeeds, or correct it in the suite';

/** Tells the user what is done now. */
type TellStep = (step: string) => void;

/**
 * Installs what the folder's lock file says, if that was not done before. Without one it uses the
 * packages above it.
 * @throws Problem with the last words of the package manager
 */
export async function installPackages(folder: string): Promise<void> {
  const lockFile = lockFileOf(folder);
  if (!lockFile || hasTracetax(folder)) return;
  const lock = join(folder, lockFile);
  // A copy beside the packages is a stamp: an unchanged lock file needs no look at them.
  const stamp = join(folder, 'node_modules/.installed-lock');
  const isInstalled = existsSync(stamp) && readFileSync(lock).equals(readFileSync(stamp));
  if (isInstalled) return;
  await install(frozenInstallOf(lockFile, folder), folder);
  // A project without packages has no such folder.
  if (existsSync(dirname(stamp))) copyFileSync(lock, stamp);
}

/**
 * Whether tracetax is a package of this folder: an installation begins by taking away what is
 * there.
 */
function hasTracetax(folder: string): boolean {
  return import.meta.dir.startsWith(join(folder, 'node_modules/'));
}

/** Installs by this command. @throws Problem with its last words if it does not end well */
export function install(command: readonly string[], folder: string): Promise<void> {
  return runToEnd(command, folder, 'Packages could not be installed', 'Run it there to see why');
}

/** The folder of a copy is gone when somebody reads what failed in it. */
export const COPY_REMEDY =
  'Try it in a copy of the project; for a revision in a fresh clone of it, ' +
  'which lacks what git ignores unless "files" of the suite names it';

/**
 * Installs what these folders of a checkout need, as `installProject` does.
 * @throws Problem that names the revision
 */
export async function installInCopy(
  root: string,
  folders: readonly string[],
  title: string,
): Promise<void> {
  try {
    await installProject(root, folders);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { message, shown, keepOutput } = error;
    throw new Problem(`${title}: ${message}`, COPY_REMEDY, shown, keepOutput);
  }
}

/**
 * Installs the packages that a scenario has.
 * @throws ScenarioProblem with the last words of the package manager
 */
export async function installFor(
  { name, packages }: Scenario,
  tellStep: TellStep = () => {},
): Promise<void> {
  if (packages.length > 0) tellStep(`packages: ${name}`);
  try {
    for (const folder of packages) await installPackages(folder);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const { message, remedy, shown, keepOutput } = error;
    throw new ScenarioProblem(name, 'lacks its packages', message, remedy, shown, keepOutput);
  }
}

/**
 * Installs what these folders of a checkout, and those above them, need: by their lock files, else
 * what npm finds.
 * @throws Problem
 */
export async function installProject(root: string, folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    const above = foldersUpTo(root, folder);
    for (const each of above) await installPackages(each);
    if (above.some(lockFileOf)) continue;
    const project = above.find(hasDependencies);
    if (project) await install(Bun.which('npm') ? ['npm', 'install'] : BUN_INSTALL, project);
  }
}

function hasDependencies(folder: string): boolean {
  const { dependencies, devDependencies } = readPackageJson(folder);
  return dependencies !== undefined || devDependencies !== undefined;
}

/**
 * Runs what servers need before any is started, one command after the other.
 * @throws Problem with its last lines
 */
export async function prepare(suite: Suite, tellStep: TellStep = () => {}): Promise<void> {
  const cause = 'The suite\'s "prepare" failed';
  const remedy = suite.comparesRevisions ? COPY_REMEDY : PREPARE_REMEDY;
  for (const { command, cwd } of suite.prepare) {
    tellStep(`prepare: ${quoteCommand(command)}`);
    await runToEnd(command, cwd, cause, remedy);
  }
}

/** @throws Problem with the command's last words if it does not end well */
export async function runToEnd(
  command: readonly string[],
  cwd: string,
  cause: string,
  remedy: string,
): Promise<void> {
  // Compilers complain on stdout, and what runs them on stderr.
  const argv = ['sh', '-c', 'exec "$@" 2>&1', 'sh', ...command];
  await using child = new Child(argv, { cwd, timeoutMs: COMMAND_ENDS_WITHIN_MS });
  const { code, description } = await child.exited;
  if (code === 0) return;
  const ending = `${quoteCommand([...command])} ended with ${description} in ${cwd}`;
  const said = child.output.lastLines();
  throw new Problem(`${cause}: ${ending}; ${said}`, remedy, '', child.output.keeper());
}
