import { afterAll } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A folder for the tests of a file, which is gone after them. */
export function testFolder(prefix = 'tracetax-test-') {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  afterAll(() => rmSync(folder, { recursive: true }));
  const path = (name: string) => join(folder, name);
  /** Writes a file, what is no text as JSON, and the folders that it is in. Returns its path. */
  const write = (name: string, content: string | object, mode = 0o644) => {
    mkdirSync(dirname(path(name)), { recursive: true });
    writeFileSync(path(name), typeof content === 'string' ? content : JSON.stringify(content), { mode });
    return path(name);
  };
  return { folder, path, write };
}
