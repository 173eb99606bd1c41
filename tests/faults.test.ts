// Faults that make a number wrong, built into a real run that must catch them. Others are caught in bad-input.test.ts (a
// stale server on the port), in the tests of the load tools' adapters (throughput, units), and in those of the analysis.
import { expect, test } from 'bun:test';
import { planPinning } from '../harness/machine/pinning.ts';
import type { ScenarioInput } from '../harness/suite/suite-schema.ts';
import { level } from '../suites/levels.ts';
import { HI, LIMIT_MS, ROOT, SHORT, server, tableIn, verdictOf, Workplace } from './bench.ts';

const FIXTURES = `${ROOT}/harness/load/fixtures`;
const pinning = planPinning(true);

/** A suite of servers of this repository, with the first as its baseline. */
function suiteOf(place: Workplace, ...scenarios: ScenarioInput[]): string {
  const suite = { name: 'test', cwd: ROOT, answer: { body: 'Hi' }, baseline: scenarios[0]?.name, scenarios };
  return place.write('suite.json', JSON.stringify(suite));
}

/** Runs with a load tool that makes no load, and prints what bombardier once did. Nobody waits for spans of that. */
function measureWithRecording(place: Workplace, recording: string, ...args: string[]) {
  const tool = place.bombardier(`sleep 0.2\nexec cat '${FIXTURES}/${recording}.json'`);
  return place.measure([...SHORT, '--tool', 'bombardier', '--export', 'none', ...args], { BOMBARDIER: tool });
}

test.concurrent(
  'a tracer left on: a server that claims no span and records some ends the run',
  async () => {
    await using place = new Workplace();
    const left = { ...level('trace-active'), name: 'left-on', telemetry: {} };
    const { status, stderr } = await place.run([...SHORT, '--suite', suiteOf(place, left)]);
    expect(status).toBe(1);
    expect(stderr).toContain('Scenario left-on does not do what it claims, after 200 requests');
    expect(stderr).toContain('expected no span, received 200 (SERVER "GET /")');
    expect(stderr).toContain('Nothing was measured.');
  },
  LIMIT_MS,
);

test.concurrent(
  'a server whose middleware never ran ends the run',
  async () => {
    await using place = new Workplace();
    const idle = { ...level('trace-10x'), command: ['bun', 'run', 'baseline.ts'] };
    const { status, stderr } = await place.run([...SHORT, '--suite', suiteOf(place, idle)]);
    expect(status).toBe(1);
    expect(stderr).toContain('expected 2000 spans, 10 a request, received 0');
    expect(stderr).toContain('expected 200 requests in the metric http.server.request.duration, received 0');
  },
  LIMIT_MS,
);

test.concurrent(
  'a server that dies or answers with errors under load: an invalid row that says why, and the other rows stay',
  async () => {
    await using place = new Workplace();
    const suite = place.suite({
      base: HI,
      dies: `state.n = (state.n ?? 0) + 1; if (state.n > 500) { console.error('no memory left'); process.exit(9); } ${HI}`,
      errors: `state.n = (state.n ?? 0) + 1; return new Response('Hi', { status: state.n > 50 ? 500 : 200 })`,
      // A pipe of 64 KiB would be full after 33 requests, and the server stalled.
      chatty: `console.log('x'.repeat(2000)); ${HI}`,
    });
    const { status, stdout, result, analysis } = await place.measure([...SHORT, '--suite', suite]);
    expect(status).toBe(1);
    const { rows } = tableIn(stdout);
    expect(rows.dies).toEqual(['invalid', 'invalid', 'invalid']);
    expect(rows.errors).toEqual(['invalid', 'invalid', 'invalid']);
    expect(rows.base?.[0]).toMatch(/^[\d.]+ ms$/);
    expect(rows['Baseline against itself']?.[0]).toMatch(/^[+-]?[\d.]+ ms/);
    const [, , row] = analysis.tasks[0]?.rows ?? [];
    expect(row).toMatchObject({ scenario: 'chatty', invalid: [] });
    const reasons = (name: string) => result.pairs.find(({ scenario }) => scenario === name)?.invalid.join('\n');
    expect(reasons('dies')).toContain(
      'alternating slice 1: dies: the server ended with status 9 under load; it said: no memory left',
    );
    expect(reasons('dies')).toMatch(/duet slice 1: dies: the server ended with/);
    expect(reasons('errors')).toMatch(/duet slice 1: errors: \d+ x status /);
    expect(analysis.verdicts.map(({ kind, scenario }) => `${kind} ${scenario}`)).toContain('invalid dies');
    const chatty = result.pairs.find(({ scenario }) => scenario === 'chatty');
    expect(chatty?.alternating[0]?.scenario.requests).toBeGreaterThan(200);
  },
  LIMIT_MS,
);

test.concurrent(
  'a server that dies while it warms up: nobody waits for it, and its slices get no longer',
  async () => {
    await using place = new Workplace();
    const suite = place.suite({ base: HI, dies: `setTimeout(() => process.exit(9), 100); ${HI}` });
    const run = await measureWithRecording(place, 'bombardier-refused', '--suite', suite, '--warmup', '60s');
    const pair = run.result.pairs.find(({ scenario }) => scenario === 'dies');
    expect(pair).toMatchObject({ sliceSeconds: 1, warmUp: { isSteady: false } });
    expect(pair?.invalid.join()).toContain('dies: the server ended with status 9 under load');
  },
  LIMIT_MS,
);

test.concurrent(
  'a server that answers no more: its slices get no longer',
  async () => {
    await using place = new Workplace();
    const suite = place.suite({ base: HI });
    const { result } = await measureWithRecording(place, 'bombardier-timeouts', '--suite', suite, '--warmup', '2s');
    expect(result.pairs).toMatchObject([{ sliceSeconds: 1, alternating: [{ baseline: { requests: 0 } }] }]);
  },
  LIMIT_MS,
);

test.concurrent(
  'a load tool that reports a latency though every connection was refused: invalid',
  async () => {
    await using place = new Workplace();
    const suite = place.suite({ base: HI });
    const run = await measureWithRecording(place, 'bombardier-refused', '--suite', suite);
    expect(run.status).toBe(1);
    expect(run.stdout).toContain('28688 x dial tcp 127.0.0.1:3299: connect: connection refused');
    expect(run.stdout).not.toMatch(/\d ms/);
    expect(run.analysis.tasks[0]?.noiseFloor).toMatchObject({ pairs: 0, figures: null });
  },
  LIMIT_MS,
);

test(
  "a user's own server with any SDK that speaks OTLP by protobuf is proven too",
  async () => {
    await using place = new Workplace();
    const own: ScenarioInput = {
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
    const suite = suiteOf(place, own);
    const { status, result } = await measureWithRecording(place, 'bombardier-ok', '--suite', suite);
    expect(status).toBe(0);
    expect(result.proofs).toMatchObject([{ scenario: 'own', requests: 200, spans: 400, traces: 200 }]);
  },
  LIMIT_MS,
);

test(
  'development mode is marked',
  async () => {
    await using place = new Workplace();
    const command = ['sh', '-c', 'NODE_ENV=development exec bun run baseline.ts'];
    const suite = suiteOf(place, { name: 'dev', command });
    const { analysis } = await measureWithRecording(place, 'bombardier-ok', '--suite', suite);
    expect(verdictOf(analysis, 'development-mode')?.message).toContain('NODE_ENV development');
    expect(verdictOf(analysis, 'unproven')?.message).toContain('Nothing proves what dev recorded');
  },
  LIMIT_MS,
);

test.skipIf('missing' in pinning)(
  'a weak load tool: the server idles, and that is said',
  async () => {
    await using place = new Workplace();
    const tool = place.bombardier(`exec bun ${place.write('weak.ts', WEAK_TOOL)} "$@"`);
    // Whatever else is to be said of a busy machine.
    const args = [...SHORT, '--suite', place.suite({ base: HI }), '--tool', 'bombardier', '--format', 'full'];
    const { stdout, analysis } = await place.measure(args, { BOMBARDIER: tool });
    expect(verdictOf(analysis, 'tool-bottleneck')?.message).toContain('The load tool was the bottleneck');
    expect(stdout).toContain('The load tool was the bottleneck');
  },
  LIMIT_MS,
);

/** Prints as bombardier does, and is busy with itself most of the time. */
const WEAK_TOOL = `
const startedAt = performance.now();
let req2xx = 0;
while (performance.now() - startedAt < 500) {
  await (await fetch(process.argv.at(-1))).text();
  req2xx++;
  const end = performance.now() + 20;
  while (performance.now() < end);
}
const none = { req1xx: 0, req3xx: 0, req4xx: 0, req5xx: 0, others: 0 };
const timeTakenSeconds = (performance.now() - startedAt) / 1_000;
const latency = { mean: 1000, max: 2000, percentiles: {} };
console.log(JSON.stringify({ result: { ...none, req2xx, timeTakenSeconds, latency } }));
`;

test.skipIf('missing' in pinning)(
  'a stolen core: somebody else computes beside the server',
  async () => {
    await using place = new Workplace();
    const core = 'missing' in pinning ? '' : pinning.serverCore;
    const thief = Bun.spawn(['taskset', '-c', core, 'sh', '-c', 'while :; do :; done']);
    try {
      const suite = place.suite({ base: HI });
      const { analysis, stdout } = await measureWithRecording(place, 'bombardier-ok', '--suite', suite);
      expect(verdictOf(analysis, 'other-load')?.message).toContain("of the server's core");
      expect(stdout).toMatch(/^- Other processes took \d+ % of the server's core/m);
    } finally {
      thief.kill('SIGKILL');
      await thief.exited;
    }
  },
  LIMIT_MS,
);

test(
  '--precision that would take more pairs than anyone waits for: the pairs so far are kept',
  async () => {
    await using place = new Workplace();
    const suite = place.suite({ base: HI });
    // Something that differs from pair to pair.
    place.write('base.ts', `setInterval(() => crypto.getRandomValues(new Uint8Array(65_536)), 5);\n${server(HI)}`);
    const args = ['--suite', suite, '--pairs', '3', '--precision', '0.000000001us'];
    const run = await measureWithRecording(place, 'bombardier-ok', ...args);
    expect(run.status).toBe(1);
    expect(run.stderr).toMatch(/tracetax: --precision would take \d+ pairs of each scenario/);
    expect(run.result.pairs.length).toBe(3);
    expect(run.result.stoppedBy).toContain('would take');
  },
  LIMIT_MS,
);
