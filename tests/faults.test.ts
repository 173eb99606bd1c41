// Faults of "what makes a number wrong" that are built into a real run, and must be caught there. Others are caught in
// bad-input.test.ts (a stale server on the port, a full pipe, errors under load, all connections refused), in the tests
// of the load tools' adapters (throughput, units), in order.ts's tests (order), and in verdicts.test.ts.
import { expect, test } from 'bun:test';
import { resolve } from 'node:path';
import { planPinning } from '../harness/process/pinning.ts';
import { readResult } from '../harness/results/file.ts';
import type { Result } from '../harness/results/schema.ts';
import type { SuiteInput } from '../harness/suite/schema.ts';
import levels from '../suites/levels.ts';
import { bench, finished, HI, SHORT, until, Workplace } from './bench.ts';

const LIMIT_MS = 60_000;
const ROOT = resolve(import.meta.dir, '..');
const pinning = planPinning(true);

/** A suite of servers of this repository, with the first as its baseline. */
function suiteOf(place: Workplace, ...scenarios: SuiteInput['scenarios']): string {
  const suite = { name: 'test', cwd: ROOT, answer: { body: 'Hi' }, baseline: scenarios[0]?.name, scenarios };
  return place.write('suite.json', JSON.stringify(suite));
}

const level = (name: string) =>
  levels.scenarios.find((scenario) => scenario.name === name) as never as Scenario;
type Scenario = SuiteInput['scenarios'][number];
const verdict = ({ verdicts }: Result, kind: string) => verdicts.find((each) => each.kind === kind);

test(
  'a tracer left on: "disabled" that still creates spans stops the run',
  async () => {
    using place = new Workplace();
    const left = { ...level('trace-active'), name: 'left-on', telemetry: {} };
    const run = await finished(
      bench([...SHORT, '--suite', suiteOf(place, left), '--out', place.path('o.json')]),
    );
    expect(run.status).toBe(1);
    expect(run.stderr).toContain('Scenario left-on does not do what it claims, after 200 requests');
    expect(run.stderr).toContain('expected no span, received 200 (SERVER "GET /")');
    expect(run.stderr).toContain('Nothing was measured.');
  },
  LIMIT_MS,
);

test(
  'a scenario whose middleware never ran stops the run',
  async () => {
    using place = new Workplace();
    const idle = { ...level('trace-10x'), command: ['bun', 'run', 'baseline.ts'] };
    const run = await finished(
      bench([...SHORT, '--suite', suiteOf(place, idle), '--out', place.path('o.json')]),
    );
    expect(run.status).toBe(1);
    expect(run.stderr).toContain('expected 2000 spans, 10 a request, received 0');
    expect(run.stderr).toContain(
      'expected 200 requests in the metric http.server.request.duration, received 0',
    );
  },
  LIMIT_MS,
);

test(
  "a user's own server with any SDK that speaks OTLP by protobuf is proven too; one that counts nothing is marked",
  async () => {
    using place = new Workplace();
    const out = place.path('o.json');
    const own: Scenario = {
      name: 'own',
      command: ['bun', 'run', 'tests/fixtures/sdk.ts'],
      telemetry: {
        span: {
          name: 'request',
          kind: 'SERVER',
          attributes: { sure: true, size: 2 },
          children: [{ name: 'inner' }],
        },
        metrics: [{ name: 'requests', attributes: { status: 200 } }],
      },
    };
    const run = await finished(bench([...SHORT, '--suite', suiteOf(place, own), '--out', out]));
    expect(run.stderr).not.toContain('tracetax:');
    const result = readResult(out);
    expect(result.proofs).toMatchObject([{ scenario: 'own', requests: 200, spans: 400, traces: 200 }]);
    expect(verdict(result, 'unaccounted')).toMatchObject({ scenario: 'own' });
  },
  LIMIT_MS,
);

test(
  'a span queue that overflows: every request is accounted for, and the row is marked',
  async () => {
    using place = new Workplace();
    const out = place.path('o.json');
    const dropping = {
      ...level('trace-active'),
      name: 'dropping',
      title: 'Dropping',
      command: ['bun', 'run', 'tests/fixtures/dropping.ts'],
    };
    const suite = suiteOf(place, level('baseline'), dropping);
    const run = await finished(bench([...SHORT, '--suite', suite, '--out', out, '--strict']));
    expect(run.stdout).toContain('| Dropping † ');
    expect(run.stdout).toMatch(/Dropping dropped \d+ % of its spans: it did less work than it claims/);
    expect(run.stderr).toContain('--strict');
    expect(run.status).toBe(1);
    const result = readResult(out);
    const own = result.soloRounds[0]?.measurements.find(({ scenario }) => scenario === 'dropping');
    const counts = own?.usage?.telemetry;
    expect(own?.invalid).toEqual([]);
    expect(counts?.spansDropped).toBeGreaterThan(counts?.spansExported as number);
    expect(Number(counts?.spansExported) + Number(counts?.spansDropped)).toBe(counts?.spansStarted as number);
  },
  LIMIT_MS,
);

test(
  'accounting under load: spans = requests x 10, and every figure is of the process that was measured',
  async () => {
    using place = new Workplace();
    const out = place.path('o.json');
    await finished(bench([...SHORT, '--scenarios', 'trace-10x', '--out', out]));
    const measurements = readResult(out).soloRounds.flatMap((round) => round.measurements);
    expect(new Set(measurements.map(({ usage }) => usage?.pid)).size).toBe(2);
    for (const { scenario, usage, load, cpuNs } of measurements) {
      const spans = scenario === 'trace-10x' ? 10 : 0;
      const requests = Number(usage?.telemetry?.spansExported) / Math.max(spans, 1);
      if (spans > 0) {
        expect(requests).toBeGreaterThanOrEqual(load.requests);
        expect(requests).toBeLessThanOrEqual(load.requests + 8);
      }
      // Two clocks of the same thing, in units of their own.
      const ownNs = (Number(usage?.cpuUserUs) + Number(usage?.cpuSystemUs)) * 1_000;
      expect(ownNs / Number(cpuNs)).toBeGreaterThan(0.8);
      expect(ownNs / Number(cpuNs)).toBeLessThan(1.25);
    }
  },
  LIMIT_MS,
);

test(
  'development mode is marked',
  async () => {
    using place = new Workplace();
    const out = place.path('o.json');
    const command = ['sh', '-c', 'NODE_ENV=development exec bun run baseline.ts'];
    const suite = suiteOf(place, { name: 'dev', command, telemetry: {} });
    await finished(bench([...SHORT, '--suite', suite, '--out', out]));
    expect(verdict(readResult(out), 'development-mode')?.message).toContain('development mode');
  },
  LIMIT_MS,
);

test('a fixed rate in the stated load is refused', async () => {
  using place = new Workplace();
  const load = { TRACETAX_LOAD: 'bombardier --fasthttp -r 100 -c 100 -d 30s' };
  const run = await finished(bench(['--suite', place.suite({ a: HI }), '--out', place.path('o.json')], load));
  expect(run.status).toBe(2);
  expect(run.stderr).toContain('is not of the form');
});

test.skipIf(!('pinning' in pinning))(
  'a weak load tool: the server idles, and the row is marked',
  async () => {
    using place = new Workplace();
    const out = place.path('o.json');
    place.write('weak.ts', WEAK_TOOL);
    const tool = place.write('bombardier', `#!/bin/sh\nexec bun ${place.path('weak.ts')} "$@"\n`, 0o755);
    const args = [
      ...SHORT,
      '--suite',
      place.suite({ base: HI, other: HI }),
      '--tool',
      'bombardier',
      '--out',
      out,
    ];
    const run = await finished(bench(args, { BOMBARDIER: tool }));
    expect(run.stdout).toContain('| other † ');
    expect(verdict(readResult(out), 'tool-bottleneck')?.message).toContain('it was the bottleneck');
  },
  LIMIT_MS,
);

/** Speaks as bombardier does, and is busy with itself most of the time. */
const WEAK_TOOL = `
if (process.argv.includes('--version')) {
  console.log('bombardier version weak linux/amd64');
  process.exit();
}
const started = performance.now();
let req2xx = 0;
while (performance.now() - started < 1_500) {
  await (await fetch(process.argv.at(-1))).text();
  req2xx++;
  const until = performance.now() + 20;
  while (performance.now() < until);
}
const none = { req1xx: 0, req3xx: 0, req4xx: 0, req5xx: 0, others: 0 };
console.log(JSON.stringify({ result: {
  ...none, req2xx, bytesRead: 1, bytesWritten: 1, timeTakenSeconds: (performance.now() - started) / 1_000,
  latency: { mean: 1000, stddev: 1, max: 2000, percentiles: {} }, rps: { mean: 1, stddev: 1, max: 1, percentiles: {} },
} }));
`;

test.skipIf(!('pinning' in pinning))(
  'a stolen core: somebody else computes beside the server',
  async () => {
    using place = new Workplace();
    const out = place.path('o.json');
    const core = 'pinning' in pinning ? pinning.pinning.serverCore : '';
    const thief = Bun.spawn(['taskset', '-c', core, 'sh', '-c', 'while :; do :; done']);
    try {
      await until(() => thief.pid > 0);
      await finished(bench([...SHORT, '--suite', place.suite({ a: HI }), '--out', out]));
    } finally {
      thief.kill('SIGKILL');
    }
    expect(verdict(readResult(out), 'other-load')?.message).toContain("of the server's core");
  },
  LIMIT_MS,
);

test(
  'doctor prints what a run would use and what it would mark; without a load tool it says so',
  async () => {
    const run = await finished(bench(['doctor']));
    expect(run.status).toBe(0);
    for (const label of ['machine', 'runtime', 'load tool', 'cores', 'CPU clock'])
      expect(run.stdout).toContain(label);
    expect(run.stdout).toMatch(/would be marked\.\n$/);
    const without = await finished(bench(['doctor', '--tool', 'bombardier'], { BOMBARDIER: '/nope' }));
    expect(without.status).toBe(2);
    expect(without.stderr).toContain('bombardier is not on this machine');
  },
  LIMIT_MS,
);
