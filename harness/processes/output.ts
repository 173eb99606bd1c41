import { statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { readText } from '../words/files.ts';

/** Temporary files may be kept in memory. */
const MAX_BYTES = 16 * 2 ** 20;
/** So much of the end is read for messages. */
const LAST_BYTES = 2_000;
const LAST_LINES = 8;

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
   * Returns `it said: ...`, for messages: the last lines of stderr, or of stdout if stderr is
   * empty.
   */
  lastLines(): string {
    const end = endOf(this.stderrFile) || endOf(this.stdoutFile);
    // The place where an error was thrown helps nobody; what the error says stands before it.
    const lines = end.split('\n').filter((line) => !/^\s+at /.test(line));
    return `it said: ${lines.slice(-LAST_LINES).join('\n') || 'nothing'}`;
  }
}

function endOf(file: string): string {
  const { stdout } = Bun.spawnSync(['tail', '-c', String(LAST_BYTES), file]);
  return stdout.toString().trim();
}
