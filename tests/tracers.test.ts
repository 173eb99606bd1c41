// Tracers that fail in every way that a tracer can, and some that don't: small fakes, so nothing comes from the network.
import { expect, test } from 'bun:test';
import { mkdirSync } from 'node:fs';
import { LIMIT_MS, SHORT, server, tableIn, Workplace } from './bench.ts';

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
  hangs: `process.on('SIGTERM', () => {});\n${server(tracing(1))}`,
  uninstalled: server(tracing(1)),
  absent: '',
};

function suite(place: Workplace, names: string[], more: Record<string, object> = {}): string {
  for (const name of names) place.write(`${name}.js`, SERVERS[name] as string);
  const span = { name: 'GET /', kind: 'SERVER' };
  const scenarios = names.map((name) => ({
    name,
    command: ['bun', 'run', `${name}.js`],
    optional: true,
    telemetry: name === 'base' ? {} : { span, sampled: name === 'samples' ? 0.1 : 1 },
    ...more[name],
  }));
  return place.write('suite.json', JSON.stringify({ name: 'test', baseline: 'base', scenarios, full: { starts: 2 } }));
}

/** A folder whose lock file names a package that is nowhere. */
function brokenPackages(place: Workplace): { packages: string } {
  mkdirSync(place.path('broken'));
  place.write('broken/package.json', JSON.stringify({ dependencies: { nowhere: 'file:../nowhere' } }));
  place.write('broken/bun.lock', '{ "lockfileVersion": 1, "workspaces": { "": {} }, "packages": {} }');
  return { packages: 'broken' };
}

test(
  'a tracer that fails is skipped, its row says why, and the others are measured',
  async () => {
    await using place = new Workplace();
    const absent = { command: ['no-such-program'] };
    const file = suite(place, Object.keys(SERVERS), { uninstalled: brokenPackages(place), absent });
    const { status, stdout, stderr, result } = await place.measure([...SHORT, '--suite', file]);
    expect({ status, stderr: stderr.match(/tracetax:.*/g) }).toEqual({ status: 0, stderr: null });
    const { headings, rows } = tableIn(stdout);
    expect(headings).toContain('Start-up');
    const titles = Object.keys(rows);
    expect(titles).toContain(`silent (records nothing on Bun ${Bun.version})`);
    expect(titles).toContain('absent (has no program "no-such-program" here)');
    expect(titles).toContain('hangs (did not end on SIGTERM)');
    expect(titles).toContainEqual(expect.stringMatching(/^ends \(did not answer/));
    expect(titles).toContainEqual(expect.stringMatching(/^fails \(The server of scenario fails ended with status 1/));
    expect(titles).toContainEqual(
      expect.stringMatching(/^uninstalled \(The packages of .*broken could not be installed\)$/),
    );
    const reasons = Object.fromEntries(result.suite.skipped.map(({ scenario, reason }) => [scenario, reason]));
    expect(reasons.fails).toContain('this runtime is not supported');
    expect(reasons.silent).toContain('expected 200 spans, 1 a request, received 0');
    for (const measured of ['traces', 'samples']) expect(rows[measured]?.[1]).toContain(' µs');
    const samples = result.proofs.find(({ scenario }) => scenario === 'samples');
    expect(samples?.traces).toBeWithin(3, 38);
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

test(
  'a task whose baseline fails has no rows; if none is left, that is an error',
  async () => {
    await using place = new Workplace();
    const file = suite(place, ['base', 'traces'], { base: brokenPackages(place) });
    const run = await place.run([...SHORT, '--suite', file]);
    expect(run.status).toBe(1);
    expect(run.stderr).toMatch(/The packages of .*broken could not be installed/);
    expect(run.stderr).toContain('Nothing was measured.');
    await place.end();
  },
  LIMIT_MS,
);

test(
  'a folder without a package.json is an error of the suite',
  async () => {
    await using place = new Workplace();
    const file = suite(place, ['base', 'traces'], { traces: { packages: 'nowhere' } });
    const run = await place.run([...SHORT, '--suite', file]);
    expect(run.status).toBe(2);
    expect(run.stderr).toMatch(/names a file that does not exist: .*nowhere\/package.json. Fix "packages"/);
  },
  LIMIT_MS,
);
