import { existsSync, readdirSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { Problem } from '../problem.ts';
import { describeIssues } from '../schema-issues.ts';
import { type Scenario, type Suite, suiteSchema } from './schema.ts';

const SUITES = resolve(import.meta.dir, '../../suites');

/** A suite with its folder made absolute: ready to be run. */
export interface LoadedSuite extends Suite {
  cwd: string;
}

/**
 * Reads a suite by its name (a file of `suites/`) or from a path to a `.ts`, `.js` or `.json` file.
 * @throws Problem where there is none, or where it does not fit its schema: names every wrong field.
 */
export async function loadSuite(nameOrPath: string): Promise<LoadedSuite> {
  const file = findSuiteFile(nameOrPath);
  const parsed = suiteSchema.safeParse(await importDefault(file));
  if (!parsed.success) {
    throw new Problem(
      `The suite file ${file} is not valid: ${describeIssues(parsed.error)}`,
      'See docs/suites.md',
    );
  }
  const cwd = isAbsolute(parsed.data.cwd) ? parsed.data.cwd : resolve(dirname(file), parsed.data.cwd);
  if (!existsSync(cwd))
    throw new Problem(`The suite file ${file} names a folder that is not there: ${cwd}`, 'Mend "cwd"');
  return { ...parsed.data, cwd };
}

/**
 * The suite with the named scenarios alone, in the suite's own order; its baseline always stays, since the
 * others are compared with it.
 * @throws Problem for a name that the suite does not have.
 */
export function selectScenarios<T extends Suite>(suite: T, names: string[] | undefined): T {
  if (!names) return suite;
  const known = suite.scenarios.map((scenario) => scenario.name);
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new Problem(
      `Suite ${suite.name} has no scenario "${unknown.join('", "')}"`,
      `It has: ${known.join(', ')}`,
    );
  }
  const isWanted = ({ name }: Scenario) => name === suite.baseline || names.includes(name);
  return { ...suite, scenarios: suite.scenarios.filter(isWanted) };
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

async function importDefault(file: string): Promise<unknown> {
  try {
    const module = await import(file);
    return module.default;
  } catch (error) {
    throw new Problem(`The suite file ${file} can't be read: ${(error as Error).message}`, 'Mend the file');
  }
}
