import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { orProblem, orUndefined, Problem } from '../words/errors.ts';
import { removePath } from '../words/files.ts';
import { KIND, type Result, resultSchema } from './schema.ts';

/** A full run is a few MB; a larger file was not written by tracetax. */
const MAX_BYTES = 64 * 1024 ** 2;

/**
 * Returns `results/<time>-<suite>.json` in the folder where tracetax is called: a run is kept there
 * unless `--out` says otherwise.
 */
export function defaultResultFile(startedAt: Date, suite: string): string {
  const time = startedAt.toISOString().slice(0, 19).replaceAll(':', '');
  return resolve(`results/${time}Z-${suite}.json`);
}

/**
 * Returns a result, or a part of one, as it will be read again.
 * @throws Problem for a part that could not be read: it comes from outside
 */
export function readable<Schema extends z.ZodType>(
  schema: Schema,
  part: z.input<Schema>,
  what: string,
): z.output<Schema> {
  const remedy = 'See what its load tool, its sink and its server tell';
  return orProblem(() => schema.parse(part), `${what} can't be kept`, remedy);
}

/**
 * Writes the whole result at once, for its owner alone, and not to what a link in its place leads
 * to.
 * @param isNew whether the result gets another name if a file has this one
 * @returns the name of the file
 * @throws Problem if the result can't be written, or if nobody could read it
 */
export function writeResult(file: string, result: Result, isNew = false): string {
  const temporary = `${file}.${crypto.randomUUID()}`;
  try {
    makeResultsFolder(dirname(resolve(file)));
    // Without fsync: it would keep the disk busy beside the measurement.
    writeFileSync(temporary, encode(result), { flag: 'wx', mode: 0o600 });
    if (!isNew) {
      renameSync(temporary, file);
      return file;
    }
    if (renameToNew(temporary, file)) return file;
  } catch (error) {
    throw new Problem(
      `The result can't be written to ${file}: ${(error as Error).message}`,
      'Choose another file with --out',
    );
  } finally {
    removePath(temporary);
  }
  return writeResult(nextName(file), result, isNew);
}

/**
 * Returns the size of a file and when it was written, by which another one in its place is told from
 * it; undefined if it can't be read. Not every disk keeps the number of a file.
 */
export function stampOf(file: string): string | undefined {
  return orUndefined(() => {
    const { size, mtimeMs } = statSync(file);
    return `${size} ${mtimeMs}`;
  });
}

/** Makes the folder. Git ignores a new `results`: a project does not publish its runs unasked. */
function makeResultsFolder(folder: string): void {
  const made = mkdirSync(folder, { recursive: true });
  if (made && basename(made) === 'results') writeFileSync(join(made, '.gitignore'), '*\n');
}

/** @throws Error if the text is larger than readers take */
function encode(result: Result): string {
  const text = `${JSON.stringify(resultSchema.encode(result))}\n`;
  checkSize(text.length);
  return text;
}

/**
 * Gives a file a name that no file has. A link, in contrast to a rename, never takes the place of a
 * file; but not every disk has links.
 * @returns whether the name was free
 */
function renameToNew(temporary: string, file: string): boolean {
  try {
    linkSync(temporary, file);
    return true;
  } catch (error) {
    const isTaken = (error as NodeJS.ErrnoException).code === 'EEXIST' || existsSync(file);
    if (isTaken) return false;
    renameSync(temporary, file);
    return true;
  }
}

/** Returns `<name>-2.json` for `<name>.json`. */
function nextName(file: string): string {
  return file.replace(/(\.json)?$/, '-2$1');
}

/** @throws Problem if the file can't be read, is not a result, or has another schema version. */
export function readResult(file: string): Result {
  const text = orProblem(() => readRegularFile(file), `${file} can't be read`, 'Check its name');
  const content = orUndefined((): unknown => JSON.parse(text));
  if (!isMarkedAsResult(content)) throw foreignFile(file, text);
  const { success, data, error } = resultSchema.safeParse(content);
  if (success) return data;
  const { message, path } = error.issues[0] as z.core.$ZodIssue;
  if (path[0] === 'schemaVersion')
    throw new Problem(
      `${file} can't be read: ${message}`,
      'Measure again, or use the version of tracetax that wrote it',
    );
  const field = z.core.toDotPath(path);
  throw new Problem(
    `${file} is damaged: ${field} is missing, or not what tracetax writes there`,
    MEASURE_AGAIN,
  );
}

const MEASURE_AGAIN = 'Measure again, or get the file as it was written';

/** Returns whether the content of a file says that it is a result. */
function isMarkedAsResult(content: unknown): boolean {
  return typeof content === 'object' && content !== null && 'kind' in content
    ? content.kind === KIND
    : false;
}

/** What a result begins with, also one that breaks off. */
const BEGINNING = new RegExp(`^\\s*\\{\\s*"kind":\\s*"${KIND}"`);

function foreignFile(file: string, text: string): Problem {
  return BEGINNING.test(text)
    ? new Problem(`${file} is damaged: it breaks off, or was edited`, MEASURE_AGAIN)
    : new Problem(
        `${file} is not a result of tracetax`,
        'Give a file that a run wrote, such as results/TIME-SUITE.json',
      );
}

/** @throws Error if it is a device or a folder, or larger than any result */
function readRegularFile(file: string): string {
  const stats = statSync(file);
  if (!stats.isFile()) throw new Error('it is not a regular file');
  checkSize(stats.size);
  return readFileSync(file, 'utf8');
}

function checkSize(size: number): void {
  if (size > MAX_BYTES) throw new Error(`it is larger than ${MAX_BYTES / 1024 ** 2} MiB`);
}
