import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { orProblem, Problem } from '../problem.ts';
import { type Scenario, type Suite, suiteSchema, type Task } from './suite-schema.ts';

const SUITES = resolve(import.meta.dir, '../../suites');

/** A suite ready to be run: its paths absolute, its names resolved, what can't run here left out. */
export interface LoadedSuite extends Omit<Suite, 'tasks'> {
  tasks: LoadedTask[];
  /**
   * Optional scenarios that can't be measured here, each with the tasks that it would have been in, and tasks that have no
   * baseline or that the load tool can't send.
   */
  skipped: { scenario: string; reason: string; tasks: string[] }[];
}

export interface LoadedTask extends Omit<Task, 'baseline' | 'scenarios'> {
  baseline: Scenario;
  /** The baseline among them, if it is to be measured against itself. */
  scenarios: Scenario[];
}

/**
 * Reads a suite by its name (a file of `suites/`) or from a path to a `.ts`, `.js` or `.json` file.
 * @throws Problem if there is none, or if it does not fit its schema: names every wrong field.
 */
export async function loadSuite(nameOrPath: string): Promise<LoadedSuite> {
  const file = suiteFile(nameOrPath);
  const content = await orProblem(() => importDefault(file), `The suite file ${file} can't be read`, 'Fix the file');
  const { data: suite, error } = suiteSchema.safeParse(content);
  if (error) throw new Problem(`The suite file ${file} is not valid: ${z.prettifyError(error)}`, 'See docs/suites.md');
  suite.cwd = absolute(file, 'cwd', suite.cwd, 'folder');
  for (const { request } of suite.tasks.flatMap(({ exchanges }) => exchanges)) {
    if (request.bodyFile !== undefined) request.bodyFile = absolute(file, 'bodyFile', request.bodyFile, 'body file');
  }
  for (const scenario of suite.scenarios) {
    if (scenario.cwd !== undefined) scenario.cwd = absolute(file, 'cwd', scenario.cwd, 'folder');
    if (scenario.packages === undefined) continue;
    scenario.packages = dirname(absolute(file, 'packages', join(scenario.packages, 'package.json'), 'file'));
  }
  return resolveTasks(suite);
}

/** Where the suite is. @throws Problem if there is none. */
export function suiteFile(nameOrPath: string): string {
  if (/[/\\]|\.(ts|js|json)$/.test(nameOrPath)) {
    const path = resolve(nameOrPath);
    if (existsSync(path)) return path;
    throw new Problem(
      `There is no suite file ${path}`,
      'Give the path of a .ts, .js or .json file; init writes a first one',
    );
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
  const tasks = suite.tasks.map((task) => {
    const scenarios = suite.scenarios.filter(({ name }) => task.scenarios?.includes(name) ?? true);
    return {
      ...task,
      baseline: scenarios.find(({ name }) => name === (task.baseline ?? suite.baseline)) as Scenario,
      scenarios,
    };
  });
  return suite.scenarios
    .filter(({ optional, cwd = suite.cwd, command: [program = ''] }) => optional && !Bun.which(program, { cwd }))
    .reduce((rest, missing) => withoutScenario(rest, missing, `there is no program "${missing.command[0]}"`), {
      ...suite,
      tasks,
      skipped: [] as LoadedSuite['skipped'],
    });
}

/** Every scenario of these tasks once, their baselines first. */
export function scenariosOf(tasks: LoadedTask[]): Scenario[] {
  return [...new Set(tasks.flatMap(({ baseline, scenarios }) => [baseline, ...scenarios]))];
}

/** The suite without the scenario, and without the tasks of which it is the baseline; reports say the reason. */
export function withoutScenario(suite: LoadedSuite, scenario: Scenario, reason: string): LoadedSuite {
  const { name, title = name } = scenario;
  const kept = suite.tasks.filter(({ baseline }) => baseline !== scenario);
  const lost = suite.tasks.filter((task) => !kept.includes(task));
  const tasks = kept.filter(({ scenarios }) => scenarios.includes(scenario)).map((task) => task.name);
  const follow = lost.map((task) => ({
    scenario: task.title ?? task.name,
    reason: `its baseline ${title} was skipped`,
    tasks: [],
  }));
  return {
    ...suite,
    tasks: kept.map((task) => ({ ...task, scenarios: task.scenarios.filter((each) => each !== scenario) })),
    skipped: [...suite.skipped, { scenario: title, reason, tasks }, ...follow],
  };
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
