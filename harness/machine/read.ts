import { readdirSync, readFileSync } from 'node:fs';

/** What is read, or undefined if it is not there: other systems have no /proc, and a process may just have ended. */
export function ifThere<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

/** The text of a file; undefined if it is not there. */
export function readText(file: string): string | undefined {
  return ifThere(() => readFileSync(file, 'utf8'));
}

/** The names in a folder; none if it is not there. */
export function namesIn(folder: string): string[] {
  return ifThere(() => readdirSync(folder)) ?? [];
}
