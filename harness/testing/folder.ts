// Folders of files for tests.
import { afterAll } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Writes files into a folder, what is no text as JSON, and the folders that they are in. Returns their paths. */
export function writerOf(folder: string) {
  return (name: string, content: string | object, mode = 0o644) => {
    const file = join(folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content), { mode });
    return file;
  };
}

/** A folder for the tests of a file, which is gone after them. */
export function testFolder(prefix = 'tracetax-test-') {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  afterAll(() => rmSync(folder, { recursive: true }));
  return { folder, path: (name: string) => join(folder, name), write: writerOf(folder) };
}
