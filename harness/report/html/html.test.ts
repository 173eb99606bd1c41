import { expect, test } from 'bun:test';
import { resolve } from 'node:path';
import { readResult } from '../../results/file.ts';
import type { Result } from '../../results/schema.ts';
import { fakeDuetFork, fakeMeasurement, fakeResult, fakeUsage } from '../../testing/fakes.ts';
import { htmlReport } from './html.ts';
import { plotSvgs } from './plots.ts';

const RESULTS = resolve(import.meta.dir, '../../../results');
const ALL_PLOTS = ['cpu-per-request', 'change-per-request', 'slices', 'rounds', 'latency'];

/** Text that a browser would show: without tags, styles and attributes. */
const shown = (page: string) => page.replace(/<style>.*?<\/style>/s, '').replace(/<[^>]*>/g, ' ');

const withUsage = (scenario: string, latencyUs: number) => ({
  ...fakeMeasurement(scenario, latencyUs, 100_000),
  usage: fakeUsage(),
});

function wholeResult(): Result {
  const rounds = [0, 1, 2].map((round) => [
    withUsage('base', 1_650 + round),
    withUsage('other', 3_860 + round),
  ]);
  const duetForks = [0, 0.1, 0.2].flatMap((more) => [
    fakeDuetFork('base', 10, 10 + more / 10),
    fakeDuetFork('other', 10, 12 + more),
  ]);
  return { ...fakeResult(rounds), duetForks };
}

test('has all its parts, and nothing that is loaded or run', async () => {
  const page = await htmlReport(wholeResult());
  const text = shown(page);
  for (const part of [
    'Result',
    'Verdicts',
    'Cost per request',
    'Noise',
    'Latency and throughput',
    'CPU time and memory',
    'Proofs',
    'Environment',
    'Configuration',
  ]) {
    expect(page).toContain(`<h2>${part}</h2>`);
  }
  for (const figure of [
    '+2.21 ms',
    '12.1 µs',
    'x1.21',
    '8.00 µs',
    '95.4 MiB',
    '190.7 MiB',
    'Test CPU',
    'v1.2.6',
  ])
    expect(text).toContain(figure);
  expect(text).toContain('bombardier http://127.0.0.1:3000/');
  expect(page.match(/<svg /g)).toHaveLength(ALL_PLOTS.length);
  expect(page).toContain(
    `content="default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;; img-src data:"`,
  );
  expect(page).not.toMatch(/<script|<link (?!rel="icon" href="data:,")|<img|src=|@import|url\(/);
  expect(text).not.toMatch(/NaN|undefined|\[object/);
});

test('whatever stands in the file stays text', async () => {
  const hostile = `<script>alert(1)</script>"'><img src=x onerror=alert(2)>\u0000`;
  const result = wholeResult();
  result.suite.title = hostile;
  result.environment.cpu = hostile;
  result.environment.packages = { [hostile]: hostile };
  result.stoppedBy = hostile;
  for (const scenario of result.suite.scenarios) scenario.title = hostile;
  for (const measurement of result.soloRounds.flatMap(({ measurements }) => measurements))
    measurement.command = [hostile];
  result.proofs = [
    {
      scenario: hostile,
      requests: 0,
      concurrency: 1,
      spans: 0,
      traces: 0,
      metrics: [{ name: hostile, attributes: {}, count: 1 }],
    },
  ];
  const page = await htmlReport(result);
  const svgs = Object.values(await plotSvgs(result));
  for (const text of [page, ...svgs]) {
    expect(text).not.toMatch(/<script|<img/);
    expect(text).toContain('&lt;script');
  }
  expect(shown(page)).not.toContain('NaN');
});

const MISSING: [string, (result: Result) => void, string[]][] = [
  ['nothing was measured', (result) => Object.assign(result, { soloRounds: [], duetForks: [] }), []],
  [
    'no duets',
    (result) => Object.assign(result, { duetForks: [] }),
    ['change-per-request', 'rounds', 'latency'],
  ],
  [
    'duets only, no clock, no proofs',
    (result) => {
      result.soloRounds = [];
      result.configuration.rounds = 0;
      result.proofs = [];
      result.cpuClock = { missing: 'no clock' };
    },
    ['cpu-per-request', 'slices'],
  ],
  [
    'one round and no interval',
    (result) =>
      Object.assign(result, {
        soloRounds: result.soloRounds.slice(0, 1),
        duetForks: result.duetForks.slice(0, 2),
      }),
    ALL_PLOTS,
  ],
  [
    'every measurement is invalid, without latency and requests',
    (result) => {
      for (const { measurements } of result.soloRounds)
        for (const each of measurements)
          Object.assign(each, { invalid: ['refused'], load: { ...each.load, latencyUs: null, requests: 0 } });
      for (const fork of result.duetForks) fork.invalid = ['refused'];
    },
    [],
  ],
  [
    'valid by name, and still without latency and requests',
    (result) => {
      for (const { measurements } of result.soloRounds)
        for (const { load } of measurements)
          Object.assign(load, { latencyUs: null, requests: 0, seconds: 0 });
      for (const fork of result.duetForks) fork.slices = [];
    },
    [],
  ],
  [
    'it is still running',
    (result) =>
      Object.assign(result, {
        endedAt: null,
        stoppedBy: 'interrupted by SIGINT',
        pinning: { unpinned: 'one core' },
      }),
    ALL_PLOTS,
  ],
];

test.each(MISSING)('%s: what is there is shown, and nothing is made up', async (_, change, plots) => {
  const result = wholeResult();
  change(result);
  const page = await htmlReport(result);
  expect(shown(page)).not.toMatch(/NaN|Infinity|undefined|\[object/);
  const svgs = await plotSvgs(result);
  expect(Object.keys(svgs)).toEqual(plots);
  expect(Object.values(svgs).join('')).not.toMatch(/NaN|Infinity|undefined/);
});

test('several tasks: each has its tables and plots, by its own name', async () => {
  const result = wholeResult();
  const task = (name: string) => ({
    name,
    title: `Task ${name}`,
    baseline: 'base',
    scenarios: ['base', 'other'],
    requests: [{ method: 'GET', path: '/', weight: 1 }],
    bodyBytes: null,
  });
  result.suite.tasks = [task('a'), task('../b')];
  for (const { task: name, soloRounds, duetForks } of [
    { task: 'a', ...wholeResult() },
    { task: '../b', ...wholeResult() },
  ]) {
    result.soloRounds.push(...soloRounds.map((round) => ({ ...round, task: name })));
    result.duetForks.push(...duetForks.map((fork) => ({ ...fork, task: name })));
  }
  const page = await htmlReport(result);
  expect(page).toContain('<h2>Result: Task a</h2>');
  expect(page).toContain('<h2>Noise: Task ../b</h2>');
  const files = Object.keys(await plotSvgs(result));
  expect(files).toEqual([
    ...ALL_PLOTS.map((name) => `1-a-${name}`),
    ...ALL_PLOTS.map((name) => `2-_b-${name}`),
  ]);
});

test('a very long run stays below 2 MB', async () => {
  const result = wholeResult();
  for (const scenario of ['base', 'other'])
    for (let fork = 0; fork < 300; fork++) {
      const each = fakeDuetFork(scenario, 10, 12);
      result.duetForks.push({ ...each, slices: Array.from({ length: 60 }, () => each.slices[0] as never) });
    }
  for (let round = 0; round < 3_000; round++)
    result.soloRounds.push({ ...(result.soloRounds[0] as Result['soloRounds'][number]) });
  const page = await htmlReport(result);
  expect(page.length).toBeLessThan(2_000_000);
  expect(page).toMatch(/One in \d+ of \d+ values is shown/);
});

test.each(['levels', 'calibration'])('the published result of %s', async (name) => {
  const result = readResult(`${RESULTS}/${name}-epyc-2core.json`);
  const page = await htmlReport(result);
  expect(shown(page)).not.toMatch(/NaN|undefined|\[object/);
  expect(page.length).toBeLessThan(500_000);
  expect(page.includes('True against measured cost')).toBe(name === 'calibration');
});

test('a plot stands alone: with its own paper, ink and label', async () => {
  const { latency = '' } = await plotSvgs(wholeResult());
  expect(latency).toMatch(
    /^<svg color="#1b1f24" xmlns="http:..www.w3.org.2000.svg" role="img" aria-label="Latency percentiles: Baseline p99 4.95 ms; Other p99 11.58 ms" width="340"/,
  );
  expect(latency).toContain('<rect width="100%" height="100%" fill="#ffffff"/>');
});
