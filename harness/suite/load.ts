import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { orProblem, Problem } from '../words/errors.ts';
import { type Exchange, type LoadedSuite, type LoadedTask, type Scenario, suiteSchema } from './suite-schema.ts';
import { swept } from './sweep.ts';

export type { LoadedSuite, LoadedTask };

const SUITES = resolve(import.meta.dir, '../../suites');

/** Reads a suite by its name in `suites/`, or its path. @throws Problem if there is none, or with every wrong field. */
export async function loadSuite(nameOrPath: string): Promise<LoadedSuite> {
  const file = suiteFile(nameOrPath);
  const read = async () => {
    const { default: exported } = await import(file);
    return typeof exported === 'function' ? exported() : exported;
  };
  const content = await orProblem(read, `The suite file ${file} can't be read`, 'Fix the file');
  const { data: suite, error } = suiteSchema.safeParse(content);
  if (error) throw new Problem(`The suite file ${file} is not valid: ${z.prettifyError(error)}`, 'See docs/suites.md');
  const absolute = (field: string, path: string, what: string) => {
    const found = resolve(dirname(file), path);
    if (existsSync(found)) return found;
    const cause = `The suite file ${file} names a ${what} that does not exist: ${found}`;
    throw new Problem(cause, `Fix "${field}": it is relative to the suite file`);
  };
  suite.cwd = absolute('cwd', suite.cwd, 'folder');
  for (const { request } of suite.tasks.flatMap(({ exchanges }) => exchanges))
    if (request.bodyFile !== undefined) request.bodyFile = absolute('bodyFile', request.bodyFile, 'body file');
  for (const scenario of suite.scenarios) {
    if (scenario.cwd !== undefined) scenario.cwd = absolute('cwd', scenario.cwd, 'folder');
    if (scenario.packages !== undefined)
      scenario.packages = dirname(absolute('packages', join(scenario.packages, 'package.json'), 'file'));
  }
  return swept(suite);
}

/** Where the suite is. @throws Problem if there is none. */
export function suiteFile(nameOrPath: string): string {
  if (/[/\\]|\.(ts|js|json)$/.test(nameOrPath)) {
    const path = resolve(nameOrPath);
    if (existsSync(path)) return path;
    const remedy = 'Give the path of a .ts, .js or .json file; init writes a first one';
    throw new Problem(`There is no suite file ${path}`, remedy);
  }
  const files = ['*.ts', '*/suite.ts'].flatMap((pattern) => [...new Bun.Glob(pattern).scanSync(SUITES)]).sort();
  const byName = new Map(files.map((file) => [file.replace(/(\/suite)?\.ts$/, ''), join(SUITES, file)]));
  const found = byName.get(nameOrPath);
  if (found) return found;
  const names = [...byName.keys()].join(', ');
  throw new Problem(`There is no suite "${nameOrPath}"`, `Use ${names}, or the path of a suite file`);
}

/** Every scenario of these tasks once, their baselines first. */
export function scenariosOf(tasks: LoadedTask[]): Scenario[] {
  return [...new Set(tasks.flatMap(({ baseline, scenarios }) => [baseline, ...scenarios]))];
}

/** Every scenario of every task: what has pairs of its own. */
export function cellsOf(tasks: LoadedTask[]) {
  return tasks.flatMap((task) => task.scenarios.map((scenario) => ({ task, scenario })));
}

/** What a task sends, in its warm-up too. */
export function sentIn({ exchanges, warmUp }: LoadedTask): Exchange[] {
  return [...exchanges, ...(warmUp?.exchanges ?? [])];
}

/** What is sent to the scenario in all of these tasks. */
export function exchangesOf(tasks: LoadedTask[], scenario: Scenario): Exchange[] {
  return tasks.filter((task) => scenariosOf([task]).includes(scenario)).flatMap((task) => task.exchanges);
}

/** The suite without the scenario, and without the tasks of which it is the baseline; reports say the reason. */
export function withoutScenario(suite: LoadedSuite, scenario: Scenario, reason: string): LoadedSuite {
  const isLost = ({ baseline }: LoadedTask) => baseline === scenario;
  const others = suite.tasks.filter((task) => !isLost(task) && task.scenarios.includes(scenario));
  const skipped = [...suite.skipped, { scenario: scenario.title, reason, tasks: others.map(({ name }) => name) }];
  const left = withoutTasks({ ...suite, skipped }, isLost, `its baseline ${scenario.title} was skipped`);
  const without = (scenarios: Scenario[]) => scenarios.filter((each) => each !== scenario);
  return { ...left, tasks: left.tasks.map((task) => ({ ...task, scenarios: without(task.scenarios) })) };
}

/** The suite without such tasks; reports say the reason. */
export function withoutTasks(suite: LoadedSuite, isLost: (task: LoadedTask) => boolean, reason: string): LoadedSuite {
  const lost = suite.tasks.filter(isLost).map(({ title }) => ({ scenario: title, reason, tasks: [] }));
  return { ...suite, tasks: suite.tasks.filter((task) => !isLost(task)), skipped: [...suite.skipped, ...lost] };
}

/** The suite with only the named tasks and scenarios, and their baselines. @throws Problem for a name it lacks. */
export function select(suite: LoadedSuite, names: { endpoints?: string[]; scenarios?: string[] }): LoadedSuite {
  const tasks = chosen(suite.name, 'endpoint', suite.tasks, names.endpoints);
  const scenarios = chosen(suite.name, 'scenario', scenariosOf(tasks), names.scenarios);
  const isKept = (task: LoadedTask) => (each: Scenario) => each === task.baseline || scenarios.includes(each);
  const kept = tasks.filter((task) => task.scenarios.some((each) => scenarios.includes(each)));
  return { ...suite, tasks: kept.map((task) => ({ ...task, scenarios: task.scenarios.filter(isKept(task)) })) };
}

/** Those that are named; all if no names are given. @throws Problem for a name that the suite does not have */
export function chosen<Named extends { name: string }>(suite: string, what: string, all: Named[], names?: string[]) {
  const unknown = names?.filter((name) => !all.some((each) => each.name === name)) ?? [];
  if (unknown.length === 0) return all.filter(({ name }) => names?.includes(name) ?? true);
  const known = all.map(({ name }) => name).join(', ');
  throw new Problem(`Suite ${suite} has no ${what} "${unknown.join('", "')}"`, `It has: ${known}`);
}
