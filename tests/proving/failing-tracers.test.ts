// Tracers that fail in every way that a tracer can, and some that don't: small fakes, so nothing
// comes from the network.
import { expect } from 'bun:test';
import { HI, SEND_SPAN, server } from '../../harness/testing/sources.ts';
import { parseTable } from '../support/results.ts';
import { SHORTEST_RUN } from '../support/short-runs.ts';
import { testConcurrently } from '../support/workplace.ts';

/** A server that records one of so many requests. */
const tracing = (every: number) =>
  server(`state.n = (state.n ?? 0) + 1; if (state.n % ${every} === 0) { ${SEND_SPAN} } ${HI}`);
const SERVERS: Record<string, string> = {
  base: server(HI),
  traces: tracing(1),
  samples: tracing(10),
  silent: server(HI),
  ends: server(
    `state.n = (state.n ?? 0) + 1; if (state.n > 5) process.exit(3); ${SEND_SPAN} ${HI}`,
  ),
  fails: "throw new Error('this runtime is not supported')",
  uninstalled: tracing(1),
  absent: '',
};

testConcurrently(
  'a tracer that fails is skipped, its row says why, and the others are measured',
  async (place) => {
    // Its lock file names a package that is nowhere.
    place.write('broken/package.json', { dependencies: { nowhere: 'file:../nowhere' } });
    place.write(
      'broken/bun.lock',
      '{ "lockfileVersion": 1, "workspaces": { "": {} }, "packages": {} }',
    );
    const span = { name: 'GET /', kind: 'SERVER' };
    const scenarios = Object.entries(SERVERS).map(([name, source]) => ({
      name,
      command:
        name === 'absent' ? ['no-such-program'] : ['bun', 'run', place.write(`${name}.js`, source)],
      optional: true,
      telemetry: name === 'base' ? {} : { span, sampled: name === 'samples' ? 0.1 : 1 },
      ...(name === 'uninstalled' && { packages: 'broken' }),
    }));
    const suite = { name: 'test', baseline: 'base', scenarios, full: { starts: 2 } };
    const args = [...SHORTEST_RUN, '--suite', place.write('suite.json', suite)];
    const { status, stdout, stderr, result } = await place.measure(args);
    expect({ status, stderr: stderr.match(/tracetax:.*/g) }).toEqual({ status: 0, stderr: null });
    const { rows } = parseTable(stdout);
    expect(stdout).toMatch(/^\| Scenario.* Start-up /m);
    expect(Object.keys(rows)).toEqual(
      expect.arrayContaining([
        'silent (records nothing)',
        'absent (has no program "no-such-program" here)',
        'ends (did not answer)',
        'fails (did not start)',
        'uninstalled (lacks its packages)',
      ]),
    );
    const details = result.suite.skipped.map(({ scenario, fault }) => [scenario, fault.detail]);
    expect(Object.fromEntries(details)).toMatchObject({
      fails: expect.stringContaining('this runtime is not supported'),
      silent: expect.stringContaining('expected 200 spans, received 0'),
    });
    expect(result.proofs.find(({ scenario }) => scenario === 'samples')?.spans).toBe(20);
    expect(result.pairs.map(({ scenario }) => scenario).sort()).toEqual([
      'base',
      'samples',
      'traces',
    ]);
    expect(result.startUps.map(({ scenario }) => scenario)).toEqual(['base', 'traces', 'samples']);
    for (const { ms } of result.startUps)
      expect(Math.min(...ms.baseline, ...ms.scenario)).toBeGreaterThan(0);
    await place.waitForEnd();
  },
);
