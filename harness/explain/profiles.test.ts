import { afterAll, describe, expect, test } from 'bun:test';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { profilesFolder, readProfiles, writeProfiles } from './profiles.ts';

const top = mkdtempSync(join(tmpdir(), 'tracetax-profiles-'));
afterAll(() => rmSync(top, { recursive: true }));

const callFrame = (functionName: string, url: string) => ({
  functionName,
  url,
  scriptId: '1',
  lineNumber: 3,
  columnNumber: 4,
});
/** Samples every 500 µs or so; no JavaScript ran for some of the time. */
const profile = (hitCount = 30) => ({
  nodes: [
    { id: 1, callFrame: callFrame('(root)', ''), hitCount: 0, children: [2, 4] },
    { id: 2, callFrame: callFrame('', '/node_modules/hono/app.js'), hitCount, children: [3] },
    { id: 3, callFrame: callFrame('map', ''), hitCount: 10 },
    { id: 4, callFrame: callFrame('(program)', ''), hitCount: 7 },
  ],
  startTime: 0,
  endTime: 1,
  samples: [],
  timeDeltas: [0, 500, 520, 1_040, 540, 2_600, 480, 1_500, 560],
});
const server = (content: unknown = profile()) => ({
  profile: content,
  intervalUs: 500,
  requests: 5,
  cpuNs: 9,
  ranShare: 0.9,
  threadNs: {},
  kernel: null,
});
const about = { task: 'default', scenario: 'x', pair: 1, folders: { baseline: '/', scenario: '/' } };
let folders = 0;
const written = async (content?: unknown) => {
  const folder = join(top, `${folders++}`);
  await writeProfiles(folder, about, { baseline: server(), scenario: server(content) });
  return folder;
};

test('what is kept is read again, with the period of single steps', async () => {
  const [pair, ...others] = readProfiles(await written(), 'default', 'x');
  expect(others).toEqual([]);
  expect(pair?.scenario).toMatchObject({
    side: 'scenario',
    requests: 5,
    packages: { '/node_modules/hono/app.js': 'hono' },
  });
  expect(pair?.scenario.nodes.map(({ hitCount }) => hitCount)).toEqual([0, 30, 10, 7]);
  expect(pair?.baseline.periodUs).toBeCloseTo(520, 6);
});

test('the files are what browsers read', async () => {
  const folder = await written();
  expect(readdirSync(folder).sort()).toEqual(['1-x-baseline.cpuprofile', '1-x-scenario.cpuprofile']);
  const kept = JSON.parse(readFileSync(join(folder, '1-x-baseline.cpuprofile'), 'utf8'));
  expect(kept).toMatchObject(profile());
});

describe('one line for', () => {
  const reading =
    (folder: string, scenario = 'x') =>
    () =>
      readProfiles(folder, 'default', scenario);

  test('a folder that has nothing of the scenario', async () => {
    expect(reading(join(top, 'nope'))).toThrow('has no profiles of x');
    expect(reading(await written(), 'y')).toThrow('has no profiles of y');
  });

  test.each([
    ['cut short', (text: string) => text.slice(0, 100)],
    ['empty', () => ''],
    ['none of the kit', () => '{}'],
  ])('a profile that is %s', async (_, change) => {
    const folder = await written();
    const file = join(folder, '1-x-baseline.cpuprofile');
    writeFileSync(file, change(readFileSync(file, 'utf8')));
    expect(reading(folder)).toThrow(`${file} is cut short, or not a profile`);
  });

  test('half a pair', async () => {
    const folder = await written();
    rmSync(join(folder, '1-x-scenario.cpuprofile'));
    expect(reading(folder)).toThrow('1-x-scenario.cpuprofile is cut short, or not a profile');
  });

  test('a profile with hardly a sample', async () => {
    expect(reading(await written(profile(0)))).toThrow('10 samples, too few');
  });

  test('what is no profile', () => {
    expect(written({ nodes: [] })).rejects.toThrow('The server gave no profile');
  });

  test('a folder that can not be made, and a file that can not be written', async () => {
    const servers = { baseline: server(), scenario: server() };
    writeFileSync(join(top, 'file'), '');
    expect(writeProfiles(join(top, 'file'), about, servers)).rejects.toThrow("can't be made");
    const taken = join(top, 'taken');
    mkdirSync(join(taken, '1-x-baseline.cpuprofile'), { recursive: true });
    expect(writeProfiles(taken, about, servers)).rejects.toThrow("1-x-baseline.cpuprofile can't be written");
  });
});

test('the folder stands beside the result', () => {
  expect(profilesFolder('a/b.json')).toBe('a/b.profiles');
});
