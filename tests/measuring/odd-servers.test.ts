// What public reports tell of: odd requests and answers, limits, environments, and spans of no request.
import { expect } from 'bun:test';
import { readFileSync } from 'node:fs';
import { HI, ON_NODE } from '../../harness/testing/sources.ts';
import { sliceSidesOf } from '../support/results.ts';
import { COMPLETE, FULL_LOAD, ROOT, SHORTEST_RUN } from '../support/short-runs.ts';
import { testConcurrently } from '../support/workplace.ts';

const NOISY = `${ROOT}/tests/fixtures/spans-of-no-request/suite.json`;
const LONG_BATCH = `${ROOT}/tests/fixtures/long-batch/suite.json`;

/** A suite of one server. */
const only = (...command: string[]) => ({ baseline: 'a', scenarios: [{ name: 'a', command }] });

testConcurrently(
  'what is odd and works: a path that is not escaped, a server that is ready late, a timer in the suite',
  async (place) => {
    const isAsked = "new URL(request.url).searchParams.get('q') === 'caffè latte [x]'";
    // The check calls itself what the load tool does.
    const isKnown = "request.headers.get('user-agent') === 'fasthttp'";
    const answer = `return new Response('Hi', { status: ${isAsked} && ${isKnown} && performance.now() > 1_500 ? 200 : 503 })`;
    const { default: suite } = await import(
      place.suite({ a: answer }, { request: { path: '/find?q=caffè latte [x]' } })
    );
    place.write(
      'suite.ts',
      `setInterval(() => {}, 1000);\nexport default ${JSON.stringify(suite)};`,
    );
    const args = [...SHORTEST_RUN, '--tool', 'bombardier', '--suite', './suite.ts'];
    expect((await place.measure(args)).outcome).toEqual(COMPLETE);
  },
);

testConcurrently('a path that the tool would rewrite is refused', async (place) => {
  const suite = place.suite({ base: HI }, { request: { path: '/@a%2Fb' } });
  const run = await place.run([...SHORTEST_RUN, '--tool', 'bombardier', '--suite', suite]);
  expect(run).toMatchObject({ status: 2, stdout: '' });
  expect(run.stderr).toContain('bombardier sends "GET /@a/b" where the suite says "GET /@a%2Fb"');
});

testConcurrently('large headers of answers: the limit of the tool is told, once', async (place) => {
  const headers =
    "{ 'x-request-id': crypto.randomUUID(), 'content-security-policy': 'x'.repeat(5000) }";
  const answer = `return new Response('Hi', { headers: ${headers} })`;
  const suite = place.suite({ a: answer, b: answer });
  const { stdout, result } = await place.measure([
    ...SHORTEST_RUN,
    '--tool',
    'bombardier',
    '--suite',
    suite,
  ]);
  expect(stdout).toContain('the load tool takes no answer with so large headers');
  expect(result.pairs[0]?.faults.length).toBeLessThan(6);
});

testConcurrently('requests that wait for 3 s are measured', async (place) => {
  const suite = place.suite({
    a: `const end = performance.now() + 30; while (performance.now() < end); ${HI}`,
  });
  const { outcome, result } = await place.measure([
    ...SHORTEST_RUN,
    '--suite',
    suite,
    '--connections',
    '80',
  ]);
  expect(outcome).toEqual(COMPLETE);
  for (const { latencyUs } of sliceSidesOf(result)) expect(latencyUs?.mean).toBeGreaterThan(1e6);
});

testConcurrently(
  'a server that may open few files: the limit is named, and the probe does not end it',
  async (place) => {
    const suite = place.suite({}, only('sh', '-c', 'ulimit -n 40; exec node -e "$0"', ON_NODE));
    const { outcome, result } = await place.measure(
      [...SHORTEST_RUN, '--connections', '60', '--suite', suite],
      // Else it would not need all of its connections.
      FULL_LOAD,
    );
    expect(result.pairs).toHaveLength(1);
    expect(outcome.faults[0]?.detail).toContain('ulimit -n');
    expect(outcome.faults.map(({ what }) => what)).not.toContain('the server ended');
  },
);

testConcurrently('a version of Node without --import loads the probe', async (place) => {
  place.write('package.json', '{}');
  const add = ['bun', 'add', `node@npm:node-linux-${process.arch}@18.12.1`];
  expect(
    await Bun.spawn(add, { cwd: place.folder, stdio: ['ignore', 'ignore', 'ignore'] }).exited,
  ).toBe(0);
  const suite = place.suite({}, only('./node_modules/node/bin/node', '-e', ON_NODE));
  const { outcome, result } = await place.measure([...SHORTEST_RUN, '--suite', suite]);
  expect(outcome).toEqual(COMPLETE);
  expect(result.suite.scenarios[0]?.runtime).toEqual({ name: 'node', version: '18.12.1' });
  expect(result.pairs[0]?.usage.scenario.probe?.mode).toBe('production');
});

testConcurrently(
  'a server starts without what instruments, and without the probe if need be; it is told',
  async (place) => {
    place.write('refusing', '#!/bin/sh\n[ -z "$NODE_OPTIONS" ] || exit 9\nexec node "$@"\n', 0o755);
    place.write('.env', 'SENTRY_DSN=x\nDATABASE_URL=x\n');
    const suite = place.suite({}, only('./refusing', '-e', ON_NODE));
    const env = { NODE_OPTIONS: '--require ./agent.cjs', DD_TRACE_ENABLED: '1' };
    const args = [...SHORTEST_RUN, '--suite', suite, '--format', 'full'];
    const { outcome, result, stderr, stdout } = await place.measure(args, env);
    expect(outcome).toEqual(COMPLETE);
    const { removed, supplied } = result.environment.variables;
    expect(removed).toEqual(
      expect.arrayContaining(['DD_TRACE_ENABLED', 'NODE_OPTIONS', 'SENTRY_DSN']),
    );
    expect(supplied).toEqual(['DATABASE_URL']);
    for (const told of [stderr, stdout])
      for (const name of [...removed, ...supplied])
        expect(told).toMatch(new RegExp(`^.*: .*\\b${name}\\b`, 'm'));
    expect(stdout).toContain('Event-loop delay needs a probe, which did not load in a.');
  },
);

testConcurrently(
  'spans of no request: proven, and left out where spans are counted',
  async (place) => {
    const run = await place.measure([...SHORTEST_RUN, '--scenarios', 'on', '--suite', NOISY]);
    expect(run.outcome).toEqual(COMPLETE);
    const [on] = run.result.pairs.filter(({ scenario }) => scenario === 'on');
    const { spansExpected, spansReceived } = on?.exported.scenario ?? {};
    expect(Number(spansReceived) / Number(spansExpected)).toBeWithin(1, 1.01);
    expect(run.result.proofs).toContainEqual(
      expect.objectContaining({ scenario: 'on', spans: 200 }),
    );
  },
);

testConcurrently('prove prints the telemetry that its suite has', async (place) => {
  const { stdout, status } = await place.run(['prove', 'on', '--suite', NOISY]);
  expect(status).toBe(0);
  const claimed = JSON.parse(readFileSync(NOISY, 'utf8')).scenarios[1].telemetry;
  expect(JSON.parse(stdout)).toEqual([{ name: 'on', request: 'GET /', telemetry: claimed }]);
});

testConcurrently(
  'what a batch still holds comes as the server ends, behind a shell, too',
  async (place) => {
    const run = await place.measure([...SHORTEST_RUN, '--scenarios', 'on', '--suite', LONG_BATCH]);
    expect(run.outcome).toEqual(COMPLETE);
    expect(run.warnings).not.toContain('dropped-spans');
  },
);
