// Limits of load tools and of the system, which are named in place of figures that they would
// spoil.
import { expect } from 'bun:test';
import { HI, ON_NODE } from '../../harness/testing/sources.ts';
import { FULL_LOAD, SHORTEST_RUN } from '../support/short-runs.ts';
import { testConcurrently } from '../support/workplace.ts';

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

const FEW_FILES = ['sh', '-c', 'ulimit -n 40; exec node -e "$0"', ON_NODE];

testConcurrently(
  'connections that a server can not have are told before the load',
  async (place) => {
    const suite = place.suiteOfCommand(...FEW_FILES);
    const run = await place.run([...SHORTEST_RUN, '--connections', '60', '--suite', suite]);
    expect(run).toMatchObject({ status: 1, stdout: '' });
    expect(run.stderr).toMatch(/can't hold 60 connections: it may open 40 files. Raise ulimit -n/);
  },
);

testConcurrently(
  'a server that may open few files: the limit is named, and the probe does not end it',
  async (place) => {
    const suite = place.suiteOfCommand(...FEW_FILES);
    const { outcome, result } = await place.measure(
      [...SHORTEST_RUN, '--connections', '36', '--suite', suite],
      // Else it would not need all of its connections.
      FULL_LOAD,
    );
    expect(result.pairs).toHaveLength(1);
    expect(outcome.faults[0]?.detail).toContain('ulimit -n');
    expect(outcome.faults.map(({ what }) => what)).not.toContain('the server ended');
  },
);
