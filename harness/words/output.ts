import { join, relative } from 'node:path';
import { printable } from './text.ts';

/*
 * This room has what every other one may use: errors with a remedy, printing, progress, units,
 * quoting, and files that may not be there. It knows nothing of servers, suites or results, and
 * imports no other room.
 */

/** How the user called tracetax, for messages that name a command; scripts/bench.sh says so. */
export const INVOKED_AS = process.env.TRACETAX_CALLED ?? 'bunx tracetax';

/** The page that explains the fields of a suite, as seen from the current folder. */
export const SUITE_REFERENCE = relative('', join(import.meta.dir, '../../docs/reference.md'));

/**
 * Exit statuses. Those of signals are what a shell gives; a limit that is exceeded is a failure.
 */
export const EXIT_STATUS = {
  success: 0,
  failure: 1,
  usageError: 2,
  /** Nobody knows yet whether a limit is exceeded. */
  undecided: 4,
  SIGHUP: 129,
  SIGINT: 130,
  SIGTERM: 143,
};

/**
 * Prints a text and a line end to stdout. Returns the exit status, for commands that end with it.
 */
export function print(text: string, status = EXIT_STATUS.success): number {
  process.stdout.write(`${text}\n`);
  return status;
}

/**
 * Prints a line to stderr, for people. What a terminal would obey is replaced: a line may quote a
 * server.
 */
export function printToStderr(line: string): void {
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
 * Waits until the readers of stdout and stderr have taken everything that was written, or are gone.
 * Nothing can be written after that. Returns false if stdout failed, as on a full disk, and says so
 * on stderr; a reader that is gone is no failure.
 *
 * Bun keeps in memory what a pipe has no room for, and `process.exit` drops that. To write
 * synchronously would be simpler, but a reader that pauses would then hold up a run in the middle
 * of a measurement. The callback of `end` waits for whatever was written, that of an empty `write`
 * does not (Bun 1.4.5).
 */
export async function flushOutput(): Promise<boolean> {
  await end(process.stdout);
  const { code = '', message } = errors.get(process.stdout) ?? {};
  const isWritten = message === undefined || READER_GONE.includes(code);
  if (!isWritten)
    printToStderr(`tracetax: stdout can't be written: ${message}. Print it again elsewhere.`);
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
