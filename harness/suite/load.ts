import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { orProblem, Problem } from '../problem.ts';
import { type Scenario, type Suite, suiteSchema, type Task } from './suite-schema.ts';

const SUITES = resolve(import.meta.dir, '../../suites');

/** A suite ready to be run: its paths absolute, its names resolved, what can't run here left out. */
export interface LoadedSuite extends Omit<Suite, 'tasks'> {
  tasks: LoadedTask[];
  /** Optional scenarios whose program is not on this machine, and tasks that the load tool can't send. */
  skipped: { scenario: string; reason: string }[];
}

export interface LoadedTask extends Omit<Task, 'baseline' | 'scenarios'> {
  baseline: Scenario;
  /** The baseline among them. */
  scenarios: Scenario[];
}

/**
 * Reads a suite by its name (a file of `suites/`) or from a path to a `.ts`, `.js` or `.json` file.
 * @throws Problem if there is none, or if it does not fit its schema: names every wrong field.
 */
export async function loadSuite(nameOrPath: string): Promise<LoadedSuite> {
  const file = findSuiteFile(nameOrPath);
  const content = await orProblem(() => importDefault(file), `The suite file ${file} can't be read`, 'Fix the file');
  const { data: suite, error } = suiteSchema.safeParse(content);
  if (error) throw new Problem(`The suite file ${file} is not valid: ${z.prettifyError(error)}`, 'See docs/suites.md');
  suite.cwd = absolute(file, 'cwd', suite.cwd, 'folder');
  for (const { request } of suite.tasks.flatMap(({ exchanges }) => exchanges)) {
    if (request.bodyFile !== undefined) request.bodyFile = absolute(file, 'bodyFile', request.bodyFile, 'body file');
  }
  return resolveTasks(suite);
}

function findSuiteFile(nameOrPath: string): string {
  if (/[/\\]|\.(ts|js|json)$/.test(nameOrPath)) {
    const path = resolve(nameOrPath);
    if (existsSync(path)) return path;
    throw new Problem(`There is no suite file ${path}`, 'Give the path of a .ts, .js or .json file');
  }
  const files = ['*.ts', '*/suite.ts'].flatMap((pattern) => [...new Bun.Glob(pattern).scanSync(SUITES)]).sort();
  const byName = new Map(files.map((file) => [file.replace(/(\/suite)?\.ts$/, ''), join(SUITES, file)]));
  const found = byName.get(nameOrPath);
  if (found) return found;
  const names = [...byName.keys()].join(', ');
  throw new Problem(`There is no suite "${nameOrPath}"`, `Use ${names}, or the path of a suite file`);
}

async function importDefault(file: string): Promise<unknown> {
  const { default: exported } = await import(file);
  return typeof exported === 'function' ? exported() : exported;
}

/** A path that the suite file names. @throws Problem if nothing is there. */
function absolute(suiteFile: string, field: string, path: string, what: string): string {
  const found = resolve(dirname(suiteFile), path);
  if (existsSync(found)) return found;
  throw new Problem(
    `The suite file ${suiteFile} names a ${what} that does not exist: ${found}`,
    `Fix "${field}": it is relative to the suite file`,
  );
}

function resolveTasks(suite: Suite): LoadedSuite {
  const isHere = ({ optional, command }: Scenario) => !optional || Bun.which(command[0] ?? '', { cwd: suite.cwd });
  const present = suite.scenarios.filter(isHere);
  const tasks = suite.tasks.flatMap((task) => {
    const scenarios = present.filter(({ name }) => task.scenarios?.includes(name) ?? true);
    const baseline = present.find(({ name }) => name === (task.baseline ?? suite.baseline));
    return baseline ? [{ ...task, baseline, scenarios }] : [];
  });
  const skipped = suite.scenarios
    .filter((scenario) => !present.includes(scenario))
    .map(({ name, title = name, command }) => ({ scenario: title, reason: `there is no program "${command[0]}"` }));
  return { ...suite, tasks, skipped };
}

/**
 * The suite with the named tasks and the named scenarios alone, in its own order. Baselines always stay, since the others
 * are compared with them.
 * @throws Problem for a name that the suite does not have.
 */
export function select(suite: LoadedSuite, names: { endpoints?: string[]; scenarios?: string[] }): LoadedSuite {
  const tasks = chosen(suite, 'endpoint', suite.tasks, names.endpoints);
  const scenarios = chosen(
    suite,
    'scenario',
    tasks.flatMap((task) => task.scenarios),
    names.scenarios,
  );
  const isKept = (task: LoadedTask) => (each: Scenario) => each === task.baseline || scenarios.includes(each);
  return { ...suite, tasks: tasks.map((task) => ({ ...task, scenarios: task.scenarios.filter(isKept(task)) })) };
}

function chosen<T extends { name: string }>(
  suite: LoadedSuite,
  what: string,
  all: T[],
  names: string[] | undefined,
): T[] {
  if (!names) return all;
  const known = new Set(all.map(({ name }) => name));
  const unknown = names.filter((name) => !known.has(name)).join('", "');
  if (unknown !== '')
    throw new Problem(`Suite ${suite.name} has no ${what} "${unknown}"`, `It has: ${[...known].join(', ')}`);
  return all.filter(({ name }) => names.includes(name));
}
