import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { testFolder } from '../testing/folder.ts';
import { Host } from './host.ts';

const { folder, path, write } = testFolder();

test.skipIf(!Bun.which('ssh'))(
  'a lost connection is made anew once, if two ask for it',
  async () => {
    const { PATH } = process.env;
    const host = new Host('a');
    try {
      write('ssh', '#!/bin/sh\necho made >>"$0.log"\necho /there 2\nexec cat\n', 0o755);
      process.env.PATH = `${folder}:${PATH}`;
      await host.connected();
      expect(host.cores).toBe(2);
      await host.disconnect();
      await Promise.all([host.connected(), host.connected()]);
      expect(readFileSync(path('ssh.log'), 'utf8')).toBe('made\nmade\n');
    } finally {
      process.env.PATH = PATH;
      await host.disconnect();
    }
  },
);
