// Folders of files for tests.
import { afterAll } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * Writes a file, and makes the folders that it is in. What is no text is written as JSON. Returns
 * the path.
 */
export type WriteFile = (name: string, content: string | object, mode?: number) => string;

/** A folder that is gone after the tests of a file. */
export interface TestFolder {
  folder: string;
  /** The path of what has that name in the folder. */
  path: (name: string) => string;
  write: WriteFile;
}

/** Returns what writes files into a folder. */
export function writerOf(folder: string): WriteFile {
  return (name, content, mode = 0o644) => {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content), { mode });
    return file;
  };
}

/** Makes a folder for the tests of a file, which is gone after them. */
export function testFolder(prefix = 'tracetax-test-'): TestFolder {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  afterAll(() => rmSync(folder, { recursive: true }));
  return {
    folder,
    path: (name) => join(folder, name),
    write: writerOf(folder),
  };
}
