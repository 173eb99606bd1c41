// The suites with servers of their own, for real but as short as can be.
import { expect, test } from 'bun:test';
import { readResult } from '../harness/results/file.ts';
import { bench, finished, SHORT, Workplace } from './bench.ts';

const LIMIT_MS = 90_000;

test(
  'workloads: bodies and transformed fields are proven, a mix is sent, and the report has a line for each endpoint',
  async () => {
    using place = new Workplace();
    const out = place.path('o.json');
    const endpoints = ['--endpoints', 'simple,small-post,transforms', '--tool', 'wrk'];
    const run = await finished(bench([...SHORT, '--suite', 'workloads', ...endpoints, '--out', out]));
    expect(run.stderr).not.toContain('tracetax:');
    expect(run.status).toBe(0);
    const result = readResult(out);
    expect(result.proofs.map(({ scenario, spans, requests }) => [scenario, spans / requests])).toEqual([
      ['absent', 0],
      ['disabled', 0],
      ['active', 1],
      ['transforms', 1],
    ]);
    expect(result.soloRounds.map(({ task }) => task).sort()).toEqual(['simple', 'small-post', 'transforms']);
    for (const { measurements } of result.soloRounds) {
      for (const { scenario, usage, load, invalid } of measurements) {
        expect(invalid).toEqual([]);
        expect(load.histogram?.length).toBeGreaterThan(1);
        const isRecording = scenario === 'active' || scenario === 'transforms';
        if (isRecording) expect(usage?.telemetry?.spansExported).toBeGreaterThanOrEqual(load.requests);
      }
    }
    expect(run.stdout).toMatch(
      /\| Endpoint +\| +Absent \| +Disabled \| +Active \| +Active with transforms \|/,
    );
    expect(run.stdout).toMatch(/\| POST login and users in turn +\|/);
    expect(run.stdout).toMatch(/\| Task +\| Test +\| +CPU user \|/);
  },
  LIMIT_MS,
);

test(
  'a mix for a load tool that can send one request only: a clear error',
  async () => {
    using place = new Workplace();
    const args = ['--suite', 'workloads', '--tool', 'autocannon', '--out', place.path('o.json')];
    const run = await finished(bench([...SHORT, ...args]));
    expect(run.status).toBe(2);
    expect(run.stderr).toContain('The load tool autocannon sends one request over and over');
    expect(run.stderr).toContain('--tool wrk');
    const unknown = await finished(bench([...args, '--endpoints', 'nope']));
    expect(unknown.stderr).toContain('Suite workloads has no endpoint "nope". It has: simple, simple-post');
  },
  LIMIT_MS,
);

test(
  'body-size: every server tells the size that was sent, on both runtimes, against the baseline of its kind',
  async () => {
    using place = new Workplace();
    const out = place.path('o.json');
    const size = ['--body-size', '10MB', '--connections', '2'];
    const short = ['--no-duet', '--rounds', '1', '--duration', '1s', '--warmup', '0s'];
    const run = await finished(bench([...short, ...size, '--suite', 'body-size', '--out', out]));
    expect(run.stderr).not.toContain('tracetax:');
    expect(run.status).toBe(0);
    const { suite, soloRounds } = readResult(out);
    expect(suite.tasks.map(({ baseline }) => baseline).slice(0, 4)).toEqual([
      'bun-raw',
      'bun-raw-web',
      'bun-raw',
      'bun-array-buffer',
    ]);
    expect(suite.tasks[0]?.bodyBytes).toBe(10_000_000);
    for (const { measurements } of soloRounds)
      for (const { load, invalid } of measurements) {
        expect(invalid).toEqual([]);
        expect(load.requests).toBeGreaterThan(3);
      }
    expect(run.stdout).toMatch(/\| Bun, node:http, web streams +\| raw-web \(baseline\) +\|/);
    expect(run.stdout).toContain('CPU per MB');
    if (Bun.which('node'))
      expect(run.stdout).toMatch(/\| CPU per request +\| +bun \S+ \| +node \S+ \| +Ratio \|/);
  },
  LIMIT_MS,
);

test(
  'body-size: a server that counts wrong is not measured',
  async () => {
    using place = new Workplace();
    const suite = place.suite(
      {
        wrong: "await request.arrayBuffer(); return new Response(null, { headers: { 'x-body-size': '7' } })",
      },
      { answer: { headers: { 'x-body-size': '5' } }, request: { method: 'POST', body: 'hello' } },
    );
    const run = await finished(bench([...SHORT, '--suite', suite, '--out', place.path('o.json')]));
    expect(run.status).toBe(1);
    expect(run.stderr).toContain('expected header x-body-size "5", received "7"');
  },
  LIMIT_MS,
);
