// The project's own suites, for real but as short as can be, and several at a time.
import { expect } from 'bun:test';
import { readdirSync } from 'node:fs';
import type { Result } from '../../harness/result/schema.ts';
import { parseTable, sliceSidesOf } from '../support/results.ts';
import { COMPLETE, SHORT_RUN } from '../support/short-runs.ts';
import { testConcurrently } from '../support/workplace.ts';

/** How many spans each records of a request. */
const LEVELS = {
  baseline: 0,
  'inspector-disabled': 0,
  'trace-disabled': 0,
  'trace-active': 1,
  'trace-10x': 10,
};
/** How many were proven, by scenario. */
const proven = ({ proofs }: Result) =>
  Object.fromEntries(proofs.map(({ scenario, spans, requests }) => [scenario, spans / requests]));

testConcurrently(
  'the five levels: result, proofs, spans that arrived, and the table from the file',
  async (place) => {
    const run = await place.measure([...SHORT_RUN, '--seed', '5']);
    const { stdout, stderr, out, result } = run;
    expect(run.outcome).toEqual(COMPLETE);
    // Relative to where the user is.
    expect(stderr).toContain('The result is in out.json.');
    expect(Object.keys(parseTable(stdout).rows)).toHaveLength(6);
    expect(result).toMatchObject({
      stoppedBy: null,
      configuration: { seed: 5, connections: 4, pairs: 1 },
    });
    const described = result.suite.scenarios.find(({ name }) => name === 'trace-10x');
    expect(described).toMatchObject({
      runtime: { name: 'bun', version: Bun.version },
      export: 'otlp',
    });
    expect(described?.packages).toMatchObject({
      hono: expect.any(String),
      '@opentelemetry/api': expect.any(String),
    });
    expect(result.pairs.map(({ scenario }) => scenario).sort()).toEqual(Object.keys(LEVELS).sort());
    for (const { requests } of sliceSidesOf(result)) expect(requests).toBeGreaterThan(10);
    expect(proven(result)).toEqual(LEVELS);
    for (const { alternating, duets, usage, exported } of result.pairs) {
      const { spansExpected = 0, spansReceived = 0, refused = [] } = exported.scenario ?? {};
      expect(refused).toEqual([]);
      // Under load its own queue may be too short for all.
      expect(spansReceived > 0).toBe(Number(spansExpected) > 0);
      const slices = [...alternating, ...duets].map((slice) => slice.scenario);
      // Two clocks of the same thing, in units of their own; one of them also has what the server
      // did between slices.
      const readUs = slices.reduce((sum, { cpuNs }) => sum + Number(cpuNs) / 1e3, 0);
      const { user = 0, system = 0 } = usage.scenario.cpuUs ?? {};
      expect((user + system) / readUs).toBeWithin(0.8, 5);
      expect(usage.scenario.memoryBytes?.mean).toBeWithin(1e6, 1e9);
    }

    const again = await place.run(['report', out]);
    expect(again).toEqual({ status: 0, stdout, stderr: '' });
    expect(readdirSync(place.temporary)).toEqual([]);
  },
);

testConcurrently('workloads: transforms are proven, and a mix is sent', async (place) => {
  const chosen = ['--suite', 'workloads', '--tasks', 'transforms', '--scenarios', 'transforms'];
  const { outcome, result } = await place.measure([...SHORT_RUN, ...chosen, '--tool', 'wrk']);
  expect(outcome).toEqual(COMPLETE);
  expect(proven(result)).toEqual({ absent: 0, transforms: 1 });
  for (const { requests } of sliceSidesOf(result)) expect(requests).toBeGreaterThan(0);
});

testConcurrently(
  'body-size: the size that was sent, on both runtimes, each against its baseline',
  async (place) => {
    const chosen = [
      '--tasks',
      'bun-web-streams,node-web-streams',
      '--scenarios',
      'bun-web,node-web',
    ];
    const run = await place.measure([
      ...SHORT_RUN,
      '--connections',
      '2',
      '--suite',
      'body-size',
      ...chosen,
    ]);
    expect(run.outcome).toEqual(COMPLETE);
    const { stdout, result } = run;
    expect(result.suite.tasks).toMatchObject(
      ['bun', 'node'].map((name) => ({ baseline: `${name}-raw-web` })),
    );
    for (const { requests } of sliceSidesOf(result)) expect(requests).toBeGreaterThan(0);
    expect(parseTable(stdout).headings.slice(0, 2)).toEqual(['Task', 'Scenario']);
  },
);

testConcurrently('calibrate prints true against measured cost', async (place) => {
  const chosen = ['--tasks', 'busy', '--scenarios', 'busy-40us'];
  // A proxy that is none: nobody may ask it for what is on this machine.
  const proxy = { HTTP_PROXY: 'http://127.0.0.1:9', http_proxy: 'http://127.0.0.1:9' };
  // With two pairs there is an interval that can hold the truth.
  const run = await place.measure(['calibrate', ...SHORT_RUN, '--pairs', '2', ...chosen], proxy);
  expect(run.outcome).toEqual(COMPLETE);
  expect(parseTable(run.stdout).headings).toEqual(
    expect.arrayContaining(['True cost', 'Measured', 'Error', 'Covered']),
  );
  expect(run.stdout).toMatch(/-?[\d.]+ µs \| +((n\.s\.|not known) \()?[+-]?[\d.]+ ±[\d.]+ µs/);
  expect(run.stdout).toMatch(/\d of \d intervals/);
});
