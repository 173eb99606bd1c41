import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { Problem } from '../problem.ts';
import { type Scenario, type Suite, suiteSchema, type Task } from './suite-schema.ts';

const SUITES = resolve(import.meta.dir, '../../suites');

/** A suite ready to be run: its folder absolute, its names resolved, what can't run here left out. */
export interface LoadedSuite
  extends Pick<Suite, 'name' | 'title' | 'cwd' | 'isInstrumentation' | 'isLadder' | 'full' | 'quick'> {
  tasks: LoadedTask[];
  /** Optional scenarios whose program is not on this machine, and tasks that the load tool can't send. */
  skipped: { scenario: string; reason: string }[];
}

export interface LoadedTask extends Pick<Task, 'name' | 'title' | 'exchanges' | 'rate'> {
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
  const parsed = suiteSchema.safeParse(await importSuite(file));
  if (!parsed.success) {
    throw new Problem(`The suite file ${file} is not valid: ${z.prettifyError(parsed.error)}`, 'See docs/suites.md');
  }
  const cwd = resolve(dirname(file), parsed.data.cwd);
  if (!existsSync(cwd))
    throw new Problem(`The suite file ${file} names a folder that does not exist: ${cwd}`, 'Fix "cwd"');
  return resolveTasks({ ...parsed.data, cwd, tasks: parsed.data.tasks.map((task) => withBodies(task, file)) });
}

/** @throws Problem if a body file is not there. */
function withBodies(task: Task, suiteFile: string): Task {
  const exchanges = task.exchanges.map((exchange) => {
    if (exchange.request.bodyFile === undefined) return exchange;
    const bodyFile = resolve(dirname(suiteFile), exchange.request.bodyFile);
    if (!existsSync(bodyFile))
      throw new Problem(
        `The suite file ${suiteFile} names a body file that does not exist: ${bodyFile}`,
        'Fix "bodyFile": it is relative to the suite file',
      );
    return { ...exchange, request: { ...exchange.request, bodyFile } };
  });
  return { ...task, exchanges };
}

function resolveTasks({ name, title, cwd, isInstrumentation, isLadder, full, quick, ...suite }: Suite): LoadedSuite {
  const missing = suite.scenarios.filter(
    ({ optional, command }) => optional && !Bun.which(command[0] as string, { cwd }),
  );
  const present = suite.scenarios.filter((scenario) => !missing.includes(scenario));
  const tasks = suite.tasks.flatMap((task) => {
    const scenarios = present.filter(({ name }) => task.scenarios?.includes(name) ?? true);
    const baseline = present.find(({ name }) => name === (task.baseline ?? suite.baseline));
    return baseline ? [{ ...task, baseline, scenarios }] : [];
  });
  const skipped = missing.map(({ name, title, command }) => ({
    scenario: title ?? name,
    reason: `there is no program "${command[0]}"`,
  }));
  return { name, title, cwd, isInstrumentation, isLadder, full, quick, tasks, skipped };
}

/**
 * The suite with the named scenarios alone, in the suite's own order; baselines always stay, since the others are
 * compared with them.
 * @throws Problem for a name that the suite does not have.
 */
export function selectScenarios(suite: LoadedSuite, names: string[] | undefined): LoadedSuite {
  if (!names) return suite;
  const known = new Set(suite.tasks.flatMap(({ scenarios }) => scenarios.map(({ name }) => name)));
  checkNames(suite, 'scenario', names, [...known]);
  const tasks = suite.tasks.map((task) => ({
    ...task,
    scenarios: task.scenarios.filter((scenario) => scenario === task.baseline || names.includes(scenario.name)),
  }));
  return { ...suite, tasks };
}

/**
 * The suite with the named tasks alone.
 * @throws Problem for a name that the suite does not have.
 */
export function selectTasks(suite: LoadedSuite, names: string[] | undefined): LoadedSuite {
  if (!names) return suite;
  const known = suite.tasks.map(({ name }) => name);
  checkNames(suite, 'endpoint', names, known);
  return { ...suite, tasks: suite.tasks.filter(({ name }) => names.includes(name)) };
}

function checkNames(suite: LoadedSuite, what: string, names: string[], known: string[]): void {
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  throw new Problem(`Suite ${suite.name} has no ${what} "${unknown.join('", "')}"`, `It has: ${known.join(', ')}`);
}

function findSuiteFile(nameOrPath: string): string {
  if (/[/\\]|\.(ts|js|json)$/.test(nameOrPath)) {
    const path = resolve(nameOrPath);
    if (!existsSync(path))
      throw new Problem(`There is no suite file ${path}`, 'Give the path of a .ts, .js or .json file');
    return path;
  }
  const candidates = [join(SUITES, `${nameOrPath}.ts`), join(SUITES, nameOrPath, 'suite.ts')];
  const found = candidates.find((candidate) => existsSync(candidate));
  if (!found) {
    throw new Problem(
      `There is no suite "${nameOrPath}"`,
      `Use ${suiteNames().join(', ')}, or the path of a suite file`,
    );
  }
  return found;
}

function suiteNames(): string[] {
  return readdirSync(SUITES, { withFileTypes: true })
    .filter((entry) => entry.name.endsWith('.ts') || existsSync(join(SUITES, entry.name, 'suite.ts')))
    .map((entry) => entry.name.replace(/\.ts$/, ''))
    .sort();
}

async function importSuite(file: string): Promise<unknown> {
  try {
    const { default: exported } = await import(file);
    return typeof exported === 'function' ? await exported() : exported;
  } catch (error) {
    throw new Problem(`The suite file ${file} can't be read: ${(error as Error).message}`, 'Fix the file');
  }
}
