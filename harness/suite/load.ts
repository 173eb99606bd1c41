import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { orProblem, Problem, remoteProblem } from '../words/errors.ts';
import { complain, EXIT, REFERENCE } from '../words/output.ts';
import { type LoadedSuite, suiteSchema } from './suite-schema.ts';
import { swept } from './sweep.ts';

/** What a field begins with that init can't know. */
export const FILL_IN = 'FILL IN';
const SUITES = resolve(import.meta.dir, '../../suites');

/** Reads a suite by its name in `suites/`, or its path. @throws Problem if there is none, or with every wrong field. */
export async function loadSuite(nameOrPath: string): Promise<LoadedSuite> {
  const file = suiteFile(nameOrPath);
  const read = async () => {
    const { default: exported } = await import(file);
    return typeof exported === 'function' ? exported() : exported;
  };
  const unread = `The suite file ${file} can't be read`;
  const ended = () => {
    complain(`tracetax: ${unread}: it ends the process. Fix the file.`);
    process.exitCode = EXIT.usage;
  };
  process.once('exit', ended);
  const content = await orProblem(read, unread, 'Fix the file').finally(() => process.off('exit', ended));
  const open = leftOpen(content);
  for (const line of open) complain(line);
  if (open.length > 0) throw new Problem(`${file} is not filled in`, 'Do what each "FILL IN" says');
  const { data: suite, error } = suiteSchema.safeParse(content);
  // A service, as in http://{service:NAME}, is here. What a server calls, or what a header names, may be anywhere.
  const elsewhere = /"(path|url|baseUrl|target|origin|host)":"https?:(?!\/\/\{)/i;
  const named = (key: string, value: unknown) => (key === 'env' || key === 'headers' ? undefined : value);
  if (error && elsewhere.test(JSON.stringify(content, named))) throw remoteProblem();
  const invalid = (why: string) => new Problem(`The suite file ${file} is not valid: ${why}`, `See ${REFERENCE}`);
  if (error) throw invalid(z.prettifyError(error));
  const absolute = (field: string, path: string, what: string) => {
    const found = resolve(dirname(file), path);
    if (existsSync(found)) return found;
    const cause = `The suite file ${file} names a ${what} that does not exist: ${found}`;
    throw new Problem(cause, `Fix "${field}": it is relative to the suite file`);
  };
  for (const each of [suite, ...suite.prepare, ...suite.services, ...suite.scenarios])
    if (each.cwd !== undefined) each.cwd = absolute('cwd', each.cwd, 'folder');
  for (const { request } of suite.tasks.flatMap(({ exchanges }) => exchanges))
    if (request.bodyFile !== undefined) request.bodyFile = absolute('bodyFile', request.bodyFile, 'body file');
  for (const scenario of suite.scenarios)
    scenario.packages = scenario.packages.map((folder) =>
      dirname(absolute('packages', join(folder, 'package.json'), 'file')),
    );
  const whole = swept(suite);
  const names = whole.scenarios.map(({ name }) => name);
  const claimed = suite.tasks.flatMap(({ exchanges }) => exchanges.flatMap(({ telemetry }) => Object.keys(telemetry)));
  const unknown = claimed.find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw invalid(`tasks[].exchanges[].telemetry: "${unknown}" is not one of the scenarios (${names.join(', ')})`);
  return whole;
}

/** A line for each field that still says FILL IN: where it is, and what it wants. */
const leftOpen = (content: unknown, path: string[] = []): string[] =>
  typeof content === 'string'
    ? [`${path.join('.')}: ${content}`].filter((line) => /\bFILL[ _]IN: /.test(line))
    : Object.entries(content ?? {}).flatMap(([key, value]) => leftOpen(value, [...path, key]));

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
