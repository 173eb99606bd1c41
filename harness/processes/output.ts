import { closeSync, openSync, readSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type KeepOutput, orUndefined } from '../words/errors.ts';
import { readText } from '../words/files.ts';
import { quotationOf } from '../words/quotation.ts';

/** Temporary files may be kept in memory. */
const MAX_BYTES = 16 * 2 ** 20;
/** So much of the end is read for messages. */
const LAST_BYTES = 64 * 2 ** 10;

/** What a child writes. It goes to files: an unread pipe would fill, and stall the child. */
export class ChildOutput {
  readonly stdoutFile: string;
  readonly stderrFile: string;

  constructor(folder: string) {
    this.stdoutFile = join(folder, 'stdout');
    this.stderrFile = join(folder, 'stderr');
  }

  /** Returns what was written to stdout so far; nothing once the folder is gone. */
  stdout(): string {
    return readText(this.stdoutFile) ?? '';
  }

  /**
   * Frees what was written, if that is much: the next lines are kept again. A server may log each
   * of its requests.
   */
  trim(maxBytes = MAX_BYTES): void {
    for (const file of [this.stdoutFile, this.stderrFile]) {
      if (statSync(file).size > maxBytes) truncateSync(file);
    }
  }

  /**
   * Returns `it said: ...`, for messages: its error and the last lines of stderr, or of stdout if
   * stderr is empty.
   */
  lastLines(): string {
    const { lines } = quotationOf(endOf(this.spokenFile));
    return `it said: ${lines.join('\n') || 'nothing'}`;
  }

  /** Returns what keeps all that was written so far, if `lastLines` has only a part of it. */
  keeper(): KeepOutput {
    const file = this.spokenFile;
    const isWhole = sizeOf(file) <= LAST_BYTES && quotationOf(endOf(file)).isWhole;
    if (isWhole) return () => '';
    const whole = readText(file) ?? '';
    return () => keptText(whole);
  }

  /** Where it says what goes wrong: stderr, or stdout if that is empty. */
  private get spokenFile(): string {
    return endOf(this.stderrFile) === '' ? this.stdoutFile : this.stderrFile;
  }
}

/** Writes the text where its owner alone can read it. */
function keptText(text: string): string {
  const file = join(tmpdir(), `tracetax-output-${crypto.randomUUID()}.txt`);
  return (
    orUndefined(() => {
      writeFileSync(file, text, { flag: 'wx', mode: 0o600 });
      return `; all that it said is in ${file}`;
    }) ?? ''
  );
}

function sizeOf(file: string): number {
  return orUndefined(() => statSync(file).size) ?? 0;
}

/** Returns the last part of what a file holds; nothing if it can't be read. */
function endOf(file: string): string {
  return (orUndefined(() => readEnd(file)) ?? '').trim();
}

/** Starts no process: there may be none left when a failure is to be described. */
function readEnd(file: string): string {
  const { size } = statSync(file);
  const bytes = Buffer.alloc(Math.min(size, LAST_BYTES));
  const descriptor = openSync(file, 'r');
  try {
    const length = readSync(descriptor, bytes, 0, bytes.length, size - bytes.length);
    return bytes.toString('utf8', 0, length);
  } finally {
    closeSync(descriptor);
  }
}
