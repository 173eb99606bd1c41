import { expect, test } from 'bun:test';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Host } from './host.ts';

test.skipIf(!Bun.which('ssh'))('a lost connection is made anew once, if two ask for it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tracetax-test-'));
  const { PATH } = process.env;
  const host = new Host('a', undefined);
  try {
    writeFileSync(join(folder, 'ssh'), '#!/bin/sh\necho made >>"$0.log"\necho /there 2\nexec cat\n', { mode: 0o755 });
    process.env.PATH = `${folder}:${PATH}`;
    await host.connected();
    expect(host.cores).toBe(2);
    await host.disconnect();
    await Promise.all([host.connected(), host.connected()]);
    expect(readFileSync(join(folder, 'ssh.log'), 'utf8')).toBe('made\nmade\n');
  } finally {
    process.env.PATH = PATH;
    await host.disconnect();
    rmSync(folder, { recursive: true });
  }
});
