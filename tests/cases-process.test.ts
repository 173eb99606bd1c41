// What a server is made of, and what its environment adds: folders of cases/, after public reports.
import { describe, expect, test } from 'bun:test';
import { LIMIT_MS, SHORT, WHOLE, Workplace } from './bench.ts';

interface Case {
  suite: string;
  prepare?: (place: Workplace) => void;
  options?: string[];
  env?: Record<string, string>;
}

/** Measures a suite of a case; whatever it started has ended afterwards. */
async function measured(name: string, { suite, prepare, options = [], env = {} }: Case) {
  await using place = new Workplace();
  place.copy(name);
  prepare?.(place);
  const run = await place.measure([...SHORT, '--suite', `./${suite}`, ...options], env);
  await place.end();
  const full = await place.run(['report', run.out, '--format', 'full']);
  const { usage, duets } = run.result.pairs.find(({ scenario }) => !/one|plain/.test(scenario)) ?? {};
  return { ...run, usage: usage?.scenario, baseline: usage?.baseline, duets, full: full.stdout };
}

/** A suite of one server. */
const only = (...command: string[]) =>
  JSON.stringify({ name: 'x', baseline: 'a', scenarios: [{ name: 'a', command }] });

describe('the processes, the probe and the environment of a server', () => {
  const cases = (name: string, run: () => Promise<void>) => test.concurrent(name, run, LIMIT_MS);

  cases('cluster-memory: figures are of all processes', async () => {
    const { outcome, usage, baseline } = await measured('cluster-memory', { suite: 'suite.json' });
    expect(outcome).toEqual(WHOLE);
    // Two workers hold some 100 MB each.
    expect(Number(usage?.memoryBytes?.mean) - Number(baseline?.memoryBytes?.mean)).toBeGreaterThan(100e6);
    expect(Number(usage?.probe?.heapBytes.mean) - Number(baseline?.probe?.heapBytes.mean)).toBeGreaterThan(100e6);
  });

  cases('detached-server: it is measured, and it ends', async () => {
    const { outcome, usage, duets } = await measured('detached-server', { suite: 'setsid.json' });
    expect(outcome).toEqual(WHOLE);
    expect(duets?.[0]?.scenario.cpuNs).toBeGreaterThan(1e6);
    expect(usage?.probe?.mode).toBe('production');
  });

  cases('old-node: a version without --import loads the probe', async () => {
    const add = ['bun', 'add', `node@npm:node-linux-${process.arch}@18.12.1`];
    const prepare = ({ folder }: Workplace) => expect(Bun.spawnSync(add, { cwd: folder }).exitCode).toBe(0);
    const { outcome, usage, result } = await measured('old-node', { suite: 'suite.json', prepare });
    expect(outcome).toEqual(WHOLE);
    expect(result.suite.scenarios[0]?.runtime).toEqual({ name: 'node', version: '18.12.1' });
    expect(usage?.probe?.mode).toBe('production');
  });

  cases('few-files: nothing of the probe ends a server without a descriptor', async () => {
    const prepare = (place: Workplace) =>
      place.write('plain.json', only('sh', '-c', 'ulimit -n 40; exec node plain.mjs'));
    const options = ['--connections', '60'];
    const { outcome, result } = await measured('few-files', { suite: 'plain.json', prepare, options });
    expect(result.pairs).toHaveLength(1);
    expect(outcome.faults.map(({ what }) => what)).not.toContain('the server ended');
  });

  cases('a server starts without what instruments, and without the probe if need be; all of it is told', async () => {
    const prepare = (place: Workplace) => {
      place.write('refusing', '#!/bin/sh\n[ -z "$NODE_OPTIONS" ] || exit 9\nexec node "$@"\n', 0o755);
      place.write('suite.json', only('./refusing', 'plain.mjs'));
      place.write('.env', 'SENTRY_DSN=x\nDATABASE_URL=x\n');
    };
    const env = { NODE_OPTIONS: '--require ./agent.cjs', DD_TRACE_ENABLED: '1' };
    const { outcome, result, stderr, full } = await measured('old-node', { suite: 'suite.json', prepare, env });
    expect(outcome).toEqual(WHOLE);
    const { removed, supplied } = result.environment.variables;
    expect(removed).toEqual(expect.arrayContaining(['DD_TRACE_ENABLED', 'NODE_OPTIONS', 'SENTRY_DSN']));
    expect(supplied).toEqual(['DATABASE_URL']);
    for (const told of [stderr, full])
      for (const name of [...removed, ...supplied]) expect(told).toMatch(new RegExp(`^.*: .*\\b${name}\\b`, 'm'));
    expect(full).toContain('Heap and event-loop delay need a probe, which did not load in a.');
  });
});
