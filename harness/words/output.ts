import { existsSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { orProblem } from './errors.ts';
import { printable } from './text.ts';

/** How the user called tracetax, for messages that name a command; scripts/bench.sh says so. */
export const CALLED = process.env.TRACETAX_CALLED ?? 'bunx tracetax';

/** Where the fields of a suite are explained, as seen from the current folder. */
export const REFERENCE = relative('', join(import.meta.dir, '../../docs/reference.md'));

/** Exit statuses: 2 for a wrong call, what a shell gives for a signal, 1 for whatever else went wrong. */
export const EXIT = { done: 0, failed: 1, usage: 2, SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

/** Prints to stdout. Returns the exit status, for commands that end with it. */
export function print(text: string, status = EXIT.done): number {
  process.stdout.write(`${text}\n`);
  return status;
}

/** One line to stderr, for people. It may hold words of a file or a server. */
export function complain(line: string): void {
  process.stderr.write(`${printable(line)}\n`);
}

/** Removes what is there. If it can't, that hides nothing that went wrong before. */
export function remove(path: string): void {
  try {
    if (existsSync(path)) rmSync(path, { recursive: true, force: true });
  } catch (error) {
    complain(`Warning: ${(error as Error).message}`);
  }
}

/** Writes the whole file at once, or leaves the old one. @throws Problem if that can't be done. */
export function writeWhole(file: string, content: string | Uint8Array): Promise<void> {
  const write = () => writeFileAtomic(file, Buffer.from(content));
  return orProblem(write, `${file} can't be written`, 'Choose another place');
}
