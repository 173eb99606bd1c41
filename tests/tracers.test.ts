// Tracers that fail in every way that a tracer can, and some that don't: small fakes, so nothing comes from the network.
import { expect, test } from 'bun:test';
import { mkdirSync } from 'node:fs';
import { LIMIT_MS, SHORTEST, server, tableIn, Workplace } from './bench.ts';

/** Sends a span for the share of its requests, by OTLP in JSON. */
const tracing = (share: number) => `
  const id = (bytes) => crypto.getRandomValues(new Uint8Array(bytes)).toHex();
  const span = { traceId: id(16), spanId: id(8), name: 'GET /', kind: 2 };
  const body = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] });
  const url = process.env.OTEL_EXPORTER_OTLP_ENDPOINT + '/v1/traces';
  if (Math.random() < ${share}) await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  return new Response('Hi');`;

const SERVERS: Record<string, string> = {
  base: server("return new Response('Hi')"),
  traces: server(tracing(1)),
  samples: server(tracing(0.1)),
  silent: server("return new Response('Hi')"),
  ends: server(`state.n = (state.n ?? 0) + 1; if (state.n > 5) process.exit(3); ${tracing(1)}`),
  fails: "throw new Error('this runtime is not supported')",
  uninstalled: server(tracing(1)),
  absent: '',
};

test(
  'a tracer that fails is skipped, its row says why, and the others are measured',
  async () => {
    await using place = new Workplace();
    // Its lock file names a package that is nowhere.
    mkdirSync(place.path('broken'));
    place.write('broken/package.json', JSON.stringify({ dependencies: { nowhere: 'file:../nowhere' } }));
    place.write('broken/bun.lock', '{ "lockfileVersion": 1, "workspaces": { "": {} }, "packages": {} }');
    const span = { name: 'GET /', kind: 'SERVER' };
    const scenarios = Object.entries(SERVERS).map(([name, source]) => ({
      name,
      command: name === 'absent' ? ['no-such-program'] : ['bun', 'run', place.write(`${name}.js`, source)],
      optional: true,
      telemetry: name === 'base' ? {} : { span, sampled: name === 'samples' ? 0.1 : 1 },
      ...(name === 'uninstalled' && { packages: 'broken' }),
    }));
    const suite = JSON.stringify({ name: 'test', baseline: 'base', scenarios, full: { starts: 2 } });
    const { status, stdout, stderr, result } = await place.measure([
      ...[...SHORTEST, '--suite', place.write('suite.json', suite)],
    ]);
    expect({ status, stderr: stderr.match(/tracetax:.*/g) }).toEqual({ status: 0, stderr: null });
    const { rows } = tableIn(stdout);
    expect(stdout).toMatch(/^\| Scenario.* Start-up /m);
    expect(Object.keys(rows)).toEqual(
      expect.arrayContaining([
        `silent (records nothing on Bun ${Bun.version})`,
        'absent (has no program "no-such-program" here)',
        'ends (did not answer)',
        'fails (did not start)',
        'uninstalled (has packages that could not be installed)',
      ]),
    );
    const details = result.suite.skipped.map(({ scenario, fault }) => [scenario, fault.detail]);
    expect(Object.fromEntries(details)).toMatchObject({
      fails: expect.stringContaining('this runtime is not supported'),
      silent: expect.stringContaining('expected 200 spans, 1 a request, received 0'),
    });
    expect(result.proofs.find(({ scenario }) => scenario === 'samples')?.traces).toBeWithin(3, 38);
    expect(result.pairs.map(({ scenario }) => scenario).sort()).toEqual(['base', 'samples', 'traces']);
    expect(result.startUps.map(({ scenario, ms }) => [scenario, ms.baseline.length, ms.scenario.length])).toEqual([
      ['base', 2, 2],
      ['traces', 2, 2],
      ['samples', 2, 2],
    ]);
    for (const { ms } of result.startUps) expect(Math.min(...ms.baseline, ...ms.scenario)).toBeGreaterThan(0);
    await place.end();
  },
  LIMIT_MS,
);
