import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import type { Request } from '../exchange/request-schema.ts';
import { temporaryFolder } from '../processes/watchdog.ts';
import { orProblem, orUndefined, Problem } from '../words/errors.ts';
import { EXIT_STATUS, printToStderr, SUITE_REFERENCE } from '../words/output.ts';
import { chosen } from './select.ts';
import type { Suite } from './suite.ts';
import { suiteSchema } from './suite-schema.ts';
import { swept } from './sweep.ts';

/** What a field begins with that init can't know. */
export const FILL_IN = 'FILL IN';
/** Half of what Linux takes as one argument (MAX_ARG_STRLEN). */
const MAX_ARGUMENT_BYTES = 65_536;
const SUITES = resolve(import.meta.dir, '../../suites');

/** Reads a suite by its name in `suites/`, or its path. @throws Problem if there is none, or with every wrong field. */
export async function readSuite(nameOrPath: string): Promise<Suite> {
  const file = suiteFile(nameOrPath);
  const content = await contentOf(file);
  if (/\bFILL[ _]IN"?:/.test(orUndefined(() => JSON.stringify(content)) ?? ''))
    throw new Problem(`${file} is not filled in`, 'Do what each "FILL IN" says');
  const { data: suite, error } = suiteSchema.safeParse(content);
  if (error)
    throw new Problem(
      `The suite file ${file} is not valid: ${z.prettifyError(error)}`,
      `See ${SUITE_REFERENCE}`,
    );
  const absolute = (field: string, path: string) => {
    const found = resolve(dirname(file), path);
    if (existsSync(found)) return found;
    const cause = `The suite file ${file} names what does not exist: ${found}`;
    throw new Problem(cause, `Fix "${field}": it is relative to the suite file`);
  };
  for (const each of [suite, ...suite.prepare, ...suite.services, ...suite.scenarios])
    if (each.cwd !== undefined) each.cwd = absolute('cwd', each.cwd);
  const requests = suite.tasks.flatMap(({ exchanges }) => exchanges.map(({ request }) => request));
  for (const request of requests)
    if (request.bodyFile !== undefined) request.bodyFile = absolute('bodyFile', request.bodyFile);
  moveLongBodies(requests);
  for (const scenario of suite.scenarios)
    scenario.packages = scenario.packages.map((folder) =>
      dirname(absolute('packages', join(folder, 'package.json'))),
    );
  const whole = swept(suite);
  const claimed = suite.tasks.flatMap(({ exchanges }) =>
    exchanges.flatMap(({ telemetry }) => Object.keys(telemetry)),
  );
  chosen(suite.name, 'scenario for telemetry of', whole.scenarios, claimed);
  return whole;
}

/** Into files, the same for the same body, which are gone when this process ends: what no command line can hold. */
function moveLongBodies(requests: Request[]): void {
  const isLong = ({ body = '' }: Request) =>
    Buffer.byteLength(body) > MAX_ARGUMENT_BYTES || body.includes('\0');
  for (const [body = '', same] of Map.groupBy(requests.filter(isLong), (request) => request.body)) {
    const bodyFile = join(temporaryFolder(), 'body');
    writeFileSync(bodyFile, body);
    for (const request of same) Object.assign(request, { body: undefined, bodyFile });
  }
}

/** What the file exports, or what a function returns that it exports. @throws Problem */
async function contentOf(file: string): Promise<unknown> {
  const read = async () => {
    const { default: exported } = await import(file);
    return typeof exported === 'function' ? exported() : exported;
  };
  const unread = `The suite file ${file} can't be read`;
  const ended = () => {
    printToStderr(`tracetax: ${unread}: it ends the process. Fix the file.`);
    process.exitCode = EXIT_STATUS.usageError;
  };
  process.once('exit', ended);
  return orProblem(read, unread, 'Fix the file').finally(() => process.off('exit', ended));
}

/** Where the suite is: its name in `suites/`, or its path. @throws Problem if there is none. */
export function suiteFile(nameOrPath: string): string {
  const inSuites = [`${nameOrPath}.ts`, join(nameOrPath, 'suite.ts')].map((file) =>
    join(SUITES, file),
  );
  const found = [...inSuites, resolve(nameOrPath)].find((file) => existsSync(file));
  if (found) return found;
  const files = ['*.ts', '*/suite.ts']
    .flatMap((pattern) => [...new Bun.Glob(pattern).scanSync(SUITES)])
    .sort();
  const names = files.map((file) => file.replace(/(\/suite)?\.ts$/, '')).join(', ');
  const remedy = `Use ${names}, or the path of a .ts, .js or .json file; init writes a first one`;
  throw new Problem(`There is no suite ${nameOrPath}`, remedy);
}
