import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from '../processes/watchdog.ts';
import { probeEnv } from '../server/probe.ts';
import { fakeProfile, frame } from '../testing/fake-profiles.ts';
import { testFolder } from '../testing/folder.ts';
import {
  codeOwner,
  packagesByUrl,
  profilesFolder,
  readProfiles,
  writeProfiles,
} from './profiles.ts';

const { folder: top, ...files } = testFolder('tracetax profiles ');

const profile = fakeProfile([[[frame('run', 'hono')], 30]]);
const write = (folder: string) =>
  writeProfiles(folder, 1, 'x', { baseline: profile, scenario: profile });

test('profiles are written beside the result, and read again', async () => {
  const folder = profilesFolder(join(top, 'kept.json'));
  expect(folder).toBe(join(top, 'kept.profiles'));
  await write(folder);
  expect(readdirSync(folder).sort()).toEqual([
    '1-x-baseline.cpuprofile',
    '1-x-scenario.cpuprofile',
  ]);
  expect(readProfiles(folder, 'default', 'x')).toEqual([{ baseline: profile, scenario: profile }]);
  expect(() => readProfiles(folder, 'default', 'y')).toThrow('has no profiles of y');
  expect(() => readProfiles(join(top, 'nope'), 'default', 'x')).toThrow('has no profiles of x');
});

test('a broken profile, and a folder that can not be made, are problems of one line', async () => {
  const folder = join(top, 'broken');
  await write(folder);
  const file = join(folder, '1-x-scenario.cpuprofile');
  for (const text of [readFileSync(file, 'utf8').slice(0, 100), '', '{}']) {
    writeFileSync(file, text);
    expect(() => readProfiles(folder, 'default', 'x')).toThrow(
      `${file} is cut short, or not a profile`,
    );
  }
  await expect(write(file)).rejects.toThrow("can't be made");
});

describe('owners of code', () => {
  for (const [folder, content] of [
    ['app', '{ "name": "app" }'],
    ['app/lib', '{ "name": "@own/lib" }'],
    ['app/broken', '{'],
    ['app/node_modules/hono', '{ "name": "hono" }'],
    ['app/node_modules/hono/dist/cjs', '{ "type": "commonjs" }'],
  ] as const)
    files.write(`${folder}/package.json`, content);
  const cwd = join(top, 'app');

  test.each([
    [join(cwd, 'node_modules/hono/dist/cjs/app.js'), 'hono'],
    [join(cwd, 'server.ts'), 'the application'],
    [pathToFileURL(join(cwd, 'lib/src/deep/file.ts')).href, '@own/lib'],
    [join(cwd, 'broken/file.ts'), 'the application'],
    [join(top, 'no-package.ts'), 'the application'],
    [
      probeEnv(temporaryFolder(), {}).NODE_OPTIONS?.replace('--require=', '') ?? '',
      'the probe of tracetax',
    ],
    ['node:internal/streams/readable', 'the runtime'],
  ])('the code of %s has its owner', (url, expected) => {
    expect(codeOwner(url, cwd)).toBe(expected);
  });

  test('a built-in function belongs to nobody', () => {
    const sampled = fakeProfile([[[frame('map', ''), frame('run', 'hono')], 1]]);
    expect(Object.keys(packagesByUrl(sampled, cwd))).toEqual(['/node_modules/hono/index.js']);
  });
});
