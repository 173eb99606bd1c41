// What the environment would instrument is not measured as a part of a server.
import { expect } from 'bun:test';
import { ON_NODE } from '../../harness/testing/sources.ts';
import { COMPLETE, SHORTEST_RUN } from '../support/short-runs.ts';
import { testConcurrently } from '../support/workplace.ts';

testConcurrently(
  'a server starts without what instruments, and without the probe if need be; it is told',
  async (place) => {
    place.write('refusing', '#!/bin/sh\n[ -z "$NODE_OPTIONS" ] || exit 9\nexec node "$@"\n', 0o755);
    place.write('.env', 'SENTRY_DSN=x\nDATABASE_URL=x\n');
    const suite = place.suiteOfCommand('./refusing', '-e', ON_NODE);
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
