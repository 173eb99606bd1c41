import { afterAll, describe, expect, test } from 'bun:test';
import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
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
const server = (text = JSON.stringify(profile())) => ({
  profile: text,
  intervalUs: 500,
  requests: 5,
  cpuNs: 9,
  ranShare: 0.9,
  threadNs: {},
});
const about = { task: 'default', scenario: 'x', pair: 1, cwd: '/' };
let folders = 0;
const written = (text?: string) => {
  const folder = join(top, `${folders++}`);
  writeProfiles(folder, about, { baseline: server(), scenario: server(text) });
  return folder;
};

test('what is kept is read again: stacks of what is JavaScript, and the period of single steps', () => {
  const [pair, ...others] = readProfiles(written(), 'default', 'x');
  expect(others).toEqual([]);
  expect(pair?.scenario).toMatchObject({
    side: 'scenario',
    requests: 5,
    packages: { '/node_modules/hono/app.js': 'hono' },
  });
  expect(
    pair?.scenario.stacks.map(({ frames, samples }) => [
      frames.map(({ functionName }) => functionName).join(),
      samples,
    ]),
  ).toEqual([
    ['', 30],
    [',map', 10],
  ]);
  expect(pair?.baseline.periodUs).toBeCloseTo(520, 6);
});

test('the files are what browsers read', () => {
  const folder = written();
  expect(readdirSync(folder).sort()).toEqual(['1-x-baseline.cpuprofile', '1-x-scenario.cpuprofile']);
  const kept = JSON.parse(readFileSync(join(folder, '1-x-baseline.cpuprofile'), 'utf8'));
  expect(kept).toMatchObject(profile());
});

describe('one line for', () => {
  test('a folder that has nothing of the scenario', () => {
    expect(() => readProfiles(join(top, 'nope'), 'default', 'x')).toThrow('has no profiles of x');
    expect(() => readProfiles(written(), 'default', 'y')).toThrow('has no profiles of y');
  });

  test('a profile that is cut short, is none, or is empty', () => {
    const cut = written();
    truncateSync(join(cut, '1-x-baseline.cpuprofile'), 100);
    expect(() => readProfiles(cut, 'default', 'x')).toThrow('cut short');
    const other = written();
    writeFileSync(join(other, '1-x-baseline.cpuprofile'), '{}');
    expect(() => readProfiles(other, 'default', 'x')).toThrow('no profile of the kit');
    const empty = written(JSON.stringify(profile(0)));
    expect(() => readProfiles(empty, 'default', 'x')).toThrow('10 samples, too few');
  });
});

test('the folder stands beside the result', () => {
  expect(profilesFolder('a/b.json')).toBe('a/b.profiles');
});
