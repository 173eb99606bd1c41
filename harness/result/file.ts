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
import type { z } from 'zod';
import { orProblem, Problem } from '../words/errors.ts';
import { removePath } from '../words/files.ts';
import { type Result, resultSchema } from './schema.ts';

/** A full run is a few MB; a larger file was not written by tracetax. */
const MAX_BYTES = 64 * 1024 ** 2;

/**
 * `results/<time>-<suite>.json` in the folder where tracetax is called: a run is kept there unless
 * `--out` says otherwise.
 */
export function defaultResultFile(startedAt: Date, suite: string): string {
  const time = startedAt.toISOString().slice(0, 19).replaceAll(':', '');
  return resolve(`results/${time}Z-${suite}.json`);
}

/**
 * A result, or a part of one, as it is read again. @throws Problem for what could not be: it comes
 * from outside.
 */
export function readable<Schema extends z.ZodType>(
  schema: Schema,
  part: z.input<Schema>,
  what: string,
) {
  const remedy = 'See what its load tool, its sink and its server tell';
  return orProblem(() => schema.parse(part), `${what} can't be kept`, remedy);
}

/**
 * Writes the whole result at once, for its owner alone, and not to what a link in its place leads
 * to. A new one gets another name if this is taken. Returns the name. @throws Problem if it can't
 * be written, or if nobody could read it.
 */
export function writeResult(file: string, result: Result, isNew = false): string {
  const written = `${file}.${crypto.randomUUID()}`;
  try {
    const made = mkdirSync(dirname(resolve(file)), { recursive: true });
    // A project does not publish its runs unasked.
    if (made && basename(made) === 'results') writeFileSync(join(made, '.gitignore'), '*\n');
    const text = `${JSON.stringify(resultSchema.encode(result))}\n`;
    if (text.length > MAX_BYTES) throw new Error(`it is larger than ${MAX_BYTES / 1024 ** 2} MiB`);
    // Without fsync: it would keep the disk busy beside the measurement.
    writeFileSync(written, text, { flag: 'wx', mode: 0o600 });
    if (isNew) newName(written, file);
    else renameSync(written, file);
    return file;
  } catch (error) {
    const { message, code, syscall } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && syscall === 'link')
      return writeResult(file.replace(/(\.json)?$/, '-2$1'), result, isNew);
    throw new Problem(
      `The result can't be written to ${file}: ${message}`,
      'Choose another file with --out',
    );
  } finally {
    removePath(written);
  }
}

/**
 * A link, in contrast to a new name, never takes the place of a file; but not every disk has links.
 * @throws EEXIST if it is taken
 */
function newName(written: string, file: string): void {
  try {
    linkSync(written, file);
  } catch (error) {
    const isTaken = (error as NodeJS.ErrnoException).code === 'EEXIST' || existsSync(file);
    if (isTaken) throw Object.assign(error as Error, { code: 'EEXIST', syscall: 'link' });
    renameSync(written, file);
  }
}

/** @throws Problem if the file can't be read, is not a result, or has another schema version. */
export function readResult(file: string): Result {
  const read = () => {
    const found = statSync(file);
    if (!found.isFile()) throw new Error('it is not a regular file');
    if (found.size > MAX_BYTES) throw new Error(`it is larger than ${MAX_BYTES / 1024 ** 2} MiB`);
    return readFileSync(file, 'utf8');
  };
  const text = orProblem(read, `${file} can't be read`, 'Check its name');
  const cause = `${file} is not a result of tracetax`;
  const remedy = 'Measure again, or give a file that this version wrote';
  return orProblem(() => resultSchema.parse(JSON.parse(text)), cause, remedy);
}
