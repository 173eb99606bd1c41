import { afterAll, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from '../machine/watchdog.ts';
import { probeEnv } from '../server/probe.ts';
import { APPLICATION, packageOf, RUNTIME } from './owner.ts';

const folder = mkdtempSync(join(tmpdir(), 'tracetax packages '));
afterAll(() => rmSync(folder, { recursive: true }));
const write = (name: string, content: string) => {
  mkdirSync(join(folder, name, '..'), { recursive: true });
  writeFileSync(join(folder, name), content);
};
write('app/package.json', '{ "name": "app" }');
write('app/lib/package.json', '{ "name": "@own/lib" }');
write('app/broken/package.json', '{');

const cwd = join(folder, 'app');
test.each([
  ['/x/node_modules/hono/dist/app.js', 'hono'],
  ['/x/node_modules/.bun/@hono+otel@1.1.0/node_modules/@hono/otel/dist/index.js', '@hono/otel'],
  ['file:///x/node_modules/a/node_modules/b/index.js', 'b'],
  [join(cwd, 'server.ts'), APPLICATION],
  [pathToFileURL(join(cwd, 'lib/src/deep/file.ts')).href, '@own/lib'],
  [join(cwd, 'broken/file.ts'), join(cwd, 'broken')],
  [join(folder, 'no-package.ts'), APPLICATION],
  [join(String(probeEnv(temporaryFolder(), {}).TRACETAX_PROBE), 'probe.mjs'), 'the probe of tracetax'],
  ['node:internal/streams/readable', RUNTIME],
  ['internal:http', RUNTIME],
])('%s', (url, expected) => {
  expect(packageOf(url, cwd)).toBe(expected);
});
