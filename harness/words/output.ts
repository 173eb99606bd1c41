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

/** Errors of a reader that ended, such as `head`, and of a terminal that was closed. */
const READER_GONE = ['EPIPE', 'EIO'];

/** The first error of stdout and of stderr. */
const errors = new Map<NodeJS.WriteStream, NodeJS.ErrnoException>();

/** Lets a run go on although stdout or stderr fails: `flushOutput` tells of it in the end. */
export function surviveOutputErrors(): void {
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error) => {
      if (!errors.has(stream)) errors.set(stream, error);
    });
}

/**
 * Waits until the readers of stdout and stderr have taken everything that was written, or are gone. Nothing can be written
 * after that. Returns false if stdout failed, as on a full disk, and says so on stderr; a reader that is gone is no failure.
 *
 * Bun keeps in memory what a pipe has no room for, and `process.exit` drops that. To write synchronously would be simpler, but
 * a reader that pauses would then hold up a run in the middle of a measurement. The callback of `end` waits for whatever was
 * written, that of an empty `write` does not (Bun 1.4.5).
 */
export async function flushOutput(): Promise<boolean> {
  await end(process.stdout);
  const { code = '', message } = errors.get(process.stdout) ?? {};
  const isWritten = message === undefined || READER_GONE.includes(code);
  if (!isWritten)
    complain(`tracetax: stdout can't be written: ${message}. Print it again elsewhere.`);
  await end(process.stderr);
  return isWritten;
}

async function end(stream: NodeJS.WriteStream): Promise<void> {
  // A stream that has failed may never call back.
  if (errors.has(stream)) return;
  await new Promise<void>((resolve) => {
    stream.once('error', () => resolve());
    stream.end(() => resolve());
  });
  // The event of an error may come after the callback.
  await new Promise(setImmediate);
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
