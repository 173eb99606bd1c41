import { existsSync, mkdtempSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { defaultResultFile } from '../result/file.ts';
import { orProblem, Problem } from '../words/errors.ts';
import { removePath } from '../words/files.ts';

/**
 * Where a result goes. Its name is tried before anything is started, so that one that can't be
 * written costs no time.
 */

/**
 * Returns the file for the result of a new run.
 * @param out what the user asks for; undefined for a name of its own
 * @throws Problem if it exists, or can't be written
 */
export function writableFile(out: string | undefined, suite: string): string {
  const file = out ?? defaultResultFile(new Date(), suite);
  if (file.endsWith('/'))
    throw new Problem(`${file} is no name of a file`, 'Choose a file with --out');
  if (out && existsSync(file))
    throw new Problem(`${file} exists already`, 'Choose another file with --out');
  const cause = `The result can't be written to ${file}`;
  orProblem(() => tryToWrite(file), cause, 'Choose another file with --out');
  return file;
}

/**
 * Tries the file of a run that goes on, as `writableFile` does with a new one. Returns its name.
 * @throws Problem if it can't be written
 */
export function rewritableFile(file: string): string {
  orProblem(
    () => tryToWrite(file),
    `The result can't be written to ${file}`,
    'Let its folder be written, or copy the file elsewhere and go on with the copy',
  );
  return file;
}

/**
 * Leaves nothing behind, not even a folder: the run may fail before it has a result. @throws Error
 * if the name is too long
 */
function tryToWrite(file: string): void {
  let folder = dirname(resolve(file));
  while (!existsSync(folder)) folder = dirname(folder);
  removePath(mkdtempSync(join(folder, `${basename(file)}.${crypto.randomUUID()}`)));
}
