import { chmodSync, existsSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { Problem } from '../problem.ts';
import { printable } from '../report/printable.ts';

/** Exit statuses: what a shell would give a signal, 2 for a wrong call, 1 for whatever else went wrong. */
export const EXIT = { done: 0, failed: 1, usage: 2, SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

/** Prints to stdout what a terminal will show and not obey. Returns the exit status, for commands that end with it. */
export function print(text: string, status = EXIT.done): number {
  process.stdout.write(`${printable(text)}\n`);
  return status;
}

/** One line to stderr, for people. */
export function complain(line: string): void {
  process.stderr.write(`${printable(line)}\n`);
}

/**
 * Writes beside the file and renames, so that nobody finds half of it; what is a link stays one, with its permissions.
 * @throws Problem where that can't be done.
 */
export function writeWhole(file: string, content: string | Uint8Array): void {
  const isThere = existsSync(file);
  const target = isThere ? realpathSync(file) : file;
  const temporary = `${target}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, content);
    if (isThere) chmodSync(temporary, statSync(target).mode);
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw new Problem(`${file} can't be written: ${(error as Error).message}`, 'Choose another place');
  }
}
