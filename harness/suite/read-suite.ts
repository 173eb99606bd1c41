import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Request } from '../exchange/request-schema.ts';
import { temporaryFolder } from '../processes/watchdog.ts';
import { orProblem, orUndefined, Problem } from '../words/errors.ts';
import { issuesText, PLAINLY } from '../words/issues.ts';
import { EXIT_STATUS, printToStderr, SUITE_REFERENCE } from '../words/output.ts';
import { selectByName } from './select.ts';
import type { Scenario, Suite } from './suite.ts';
import { suiteSchema } from './suite-schema.ts';
import { expandSweep } from './sweep.ts';

/** What a field begins with that init can't know. */
export const FILL_IN = 'FILL IN';
/** Half of what Linux takes as one argument (MAX_ARG_STRLEN). */
const MAX_ARGUMENT_BYTES = 65_536;
const SUITES = resolve(import.meta.dir, '../../suites');

/**
 * Reads a suite by its name in `suites/`, or its path.
 * @throws Problem if there is none, or with every wrong field.
 */
export async function readSuite(nameOrPath: string): Promise<Suite> {
  const file = suiteFile(nameOrPath);
  const suite = parseSuite(file, await contentOf(file));
  resolvePaths(suite, file);
  moveLongBodies(requestsOf(suite));
  const expanded = expandSweep(suite);
  checkClaims(suite, expanded.scenarios);
  return expanded;
}

/**
 * Returns the path of the suite: one in `suites/` by its name, or any by its path.
 * @throws Problem if there is none
 */
export function suiteFile(nameOrPath: string): string {
  const candidates = [
    join(SUITES, `${nameOrPath}.ts`),
    join(SUITES, nameOrPath, 'suite.ts'),
    resolve(nameOrPath),
  ];
  const found = candidates.find((file) => existsSync(file));
  if (found) return found;
  const names = namesOfSuites().join(', ');
  const remedy = `Use ${names}, or the path of a .ts, .js or .json file; init writes a first one`;
  throw new Problem(`There is no suite ${nameOrPath}`, remedy);
}

function namesOfSuites(): string[] {
  const patterns = ['*.ts', '*/suite.ts'];
  const files = patterns.flatMap((pattern) => [...new Bun.Glob(pattern).scanSync(SUITES)]);
  return files.sort().map((file) => file.replace(/(\/suite)?\.ts$/, ''));
}

/** Returns what the file exports, or what a function returns that it exports. @throws Problem */
async function contentOf(file: string): Promise<unknown> {
  const cause = `The suite file ${file} can't be read`;
  const read = async () => {
    const { default: exported } = await import(file);
    return typeof exported === 'function' ? exported() : exported;
  };
  const onExit = () => {
    printToStderr(
      `tracetax: ${cause}: it ends the process. Let it export a suite, and end nothing.`,
    );
    process.exitCode = EXIT_STATUS.usageError;
  };
  process.once('exit', onExit);
  return orProblem(read, cause, 'Correct that in the file').finally(() =>
    process.off('exit', onExit),
  );
}

/** @throws Problem if a field is wrong, or was left by `init` to be filled in */
function parseSuite(file: string, content: unknown): Suite {
  const text = orUndefined(() => JSON.stringify(content)) ?? '';
  if (/\bFILL[ _]IN"?:/.test(text))
    throw new Problem(`${file} is not filled in`, 'Do what each "FILL IN" says');
  const { data: suite, error } = suiteSchema.safeParse(content, PLAINLY);
  if (suite) return suite;
  const cause = `The suite file ${file} is not valid: ${issuesText(error)}`;
  throw new Problem(cause, `Correct that in the file: ${SUITE_REFERENCE} has every field`);
}

/**
 * Makes the paths of a suite absolute. It does so in place, since tasks share their scenarios and
 * their requests.
 * @throws Problem for what does not exist
 */
function resolvePaths(suite: Suite, file: string): void {
  for (const owner of [suite, ...suite.prepare, ...suite.services, ...suite.scenarios])
    if (owner.cwd !== undefined) owner.cwd = existingPath(file, 'cwd', owner.cwd);
  for (const request of requestsOf(suite))
    if (request.bodyFile !== undefined)
      request.bodyFile = existingPath(file, 'bodyFile', request.bodyFile);
  for (const scenario of suite.scenarios)
    scenario.packages = scenario.packages.map((folder) =>
      dirname(existingPath(file, 'packages', join(folder, 'package.json'))),
    );
}

/**
 * Returns the absolute path of what a field of a suite file names.
 * @throws Problem if it does not exist
 */
function existingPath(file: string, field: string, path: string): string {
  const absolute = resolve(dirname(file), path);
  if (existsSync(absolute)) return absolute;
  const cause = `The suite file ${file} names what does not exist: ${absolute}`;
  throw new Problem(cause, `Fix "${field}": it is relative to the suite file`);
}

function requestsOf({ tasks }: Suite): Request[] {
  return tasks.flatMap(({ exchanges }) => exchanges.map(({ request }) => request));
}

/**
 * Moves bodies that no command line can hold into files, one for equal bodies. The files go when
 * this process ends.
 */
function moveLongBodies(requests: Request[]): void {
  for (const [body = '', same] of Map.groupBy(requests, (request) => request.body)) {
    if (fitsArgument(body)) continue;
    const bodyFile = join(temporaryFolder(), 'body');
    writeFileSync(bodyFile, body);
    for (const request of same) Object.assign(request, { body: undefined, bodyFile });
  }
}

/** Whether a command line can hold the text as one argument. */
function fitsArgument(text: string): boolean {
  return Buffer.byteLength(text) <= MAX_ARGUMENT_BYTES && !text.includes('\0');
}

/**
 * @throws Problem if a task claims telemetry of a scenario that is not there, such as one that
 * became several by a sweep
 */
function checkClaims({ name, tasks }: Suite, scenarios: readonly Scenario[]): void {
  const exchanges = tasks.flatMap((task) => task.exchanges);
  const claimed = exchanges.flatMap(({ telemetry }) => Object.keys(telemetry));
  selectByName(name, 'scenario for telemetry of', scenarios, claimed);
}
