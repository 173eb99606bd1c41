import { afterAll, describe, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { temporaryFolder } from '../machine/watchdog.ts';
import { probeEnv } from '../server/probe.ts';
import { fakeProfile, frame } from '../testing/fake-profiles.ts';
import { packageOf, packagesIn, profilesFolder, readProfiles, writeProfiles } from './profiles.ts';

const top = mkdtempSync(join(tmpdir(), 'tracetax profiles '));
afterAll(() => rmSync(top, { recursive: true }));

const profile = fakeProfile([[[frame('run', 'hono')], 30]]);
let folders = 0;
const written = async () => {
  const folder = join(top, `${folders++}`);
  await writeProfiles(folder, 1, 'x', { baseline: profile, scenario: profile });
  return folder;
};

test('what is kept, beside the result, is read again', async () => {
  const folder = await written();
  expect(readdirSync(folder).sort()).toEqual(['1-x-baseline.cpuprofile', '1-x-scenario.cpuprofile']);
  expect(readProfiles(folder, 'default', 'x')).toEqual([{ baseline: profile, scenario: profile }]);
  expect(profilesFolder('a/b.json')).toBe('a/b.profiles');
});

describe('one line for', () => {
  const reading = (folder: string, scenario: string) => () => readProfiles(folder, 'default', scenario);

  test('a folder that has nothing of the scenario', async () => {
    expect(reading(join(top, 'nope'), 'x')).toThrow('has no profiles of x');
    expect(reading(await written(), 'y')).toThrow('has no profiles of y');
  });

  test.each([
    ['cut short', (text: string) => text.slice(0, 100)],
    ['empty', () => ''],
    ['none of tracetax', () => '{}'],
  ])('a profile that is %s', async (_, change) => {
    const folder = await written();
    const file = join(folder, '1-x-scenario.cpuprofile');
    writeFileSync(file, change(readFileSync(file, 'utf8')));
    expect(reading(folder, 'x')).toThrow(`${file} is cut short, or not a profile`);
  });

  test('a folder that can not be made', () => {
    writeFileSync(join(top, 'file'), '');
    const writing = writeProfiles(join(top, 'file'), 1, 'x', { baseline: profile, scenario: profile });
    expect(writing).rejects.toThrow("can't be made");
  });
});

describe('whose code a file is', () => {
  const write = (name: string, content: string) => {
    mkdirSync(dirname(join(top, name)), { recursive: true });
    writeFileSync(join(top, name), content);
  };
  write('app/package.json', '{ "name": "app" }');
  write('app/lib/package.json', '{ "name": "@own/lib" }');
  write('app/broken/package.json', '{');
  write('app/node_modules/hono/package.json', '{ "name": "hono" }');
  write('app/node_modules/hono/dist/cjs/package.json', '{ "type": "commonjs" }');
  const cwd = join(top, 'app');

  test.each([
    [join(cwd, 'node_modules/hono/dist/cjs/app.js'), 'hono'],
    [join(cwd, 'server.ts'), 'the application'],
    [pathToFileURL(join(cwd, 'lib/src/deep/file.ts')).href, '@own/lib'],
    [join(cwd, 'broken/file.ts'), 'the application'],
    [join(top, 'no-package.ts'), 'the application'],
    [probeEnv(temporaryFolder(), {}).NODE_OPTIONS?.replace('--require=', '') ?? '', 'the probe of tracetax'],
    ['node:internal/streams/readable', 'the runtime'],
  ])('%s', (url, expected) => {
    expect(packageOf(url, cwd)).toBe(expected);
  });

  test('a built-in function has none', () => {
    const sampled = fakeProfile([[[frame('map', ''), frame('run', 'hono')], 1]]);
    expect(Object.keys(packagesIn(sampled, cwd))).toEqual(['/node_modules/hono/index.js']);
  });
});
