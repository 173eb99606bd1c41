import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import writeFileAtomic from 'write-file-atomic';
import { orProblem, orUndefined } from './errors.ts';
import { printToStderr } from './output.ts';

/** Returns the text of a file; undefined if it can't be read. */
export function readText(file: string): string | undefined {
  return orUndefined(() => readFileSync(file, 'utf8'));
}

/** Returns the names in a folder; none if it can't be read. */
export function namesIn(folder: string): string[] {
  return orUndefined(() => readdirSync(folder)) ?? [];
}

/**
 * Writes the whole file, or leaves the old one as it is. @throws Problem if it can't be written.
 */
export function writeFileAtomically(file: string, content: string | Uint8Array): Promise<void> {
  const write = () => writeFileAtomic(file, Buffer.from(content));
  return orProblem(write, `${file} can't be written`, 'Choose another place');
}

/**
 * Removes a file or a folder. A failure is a warning only: it must not hide what went wrong before.
 */
export function removePath(path: string): void {
  try {
    if (existsSync(path)) rmSync(path, { recursive: true, force: true });
  } catch (error) {
    printToStderr(`Warning: ${(error as Error).message}`);
  }
}
