// Servers that export while they are measured, and all that can go wrong between them and the sink.
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { analyse } from '../harness/analysis/analysis.ts';
import { readResult } from '../harness/result/file.ts';
import { finished, HI, LIMIT_MS, ROOT, SHORTEST, until, verdictOf, WHOLE, Workplace } from './bench.ts';

const fixture = (name: string) => ['bun', 'run', `${ROOT}/tests/fixtures/${name}.ts`];
const root = { name: 'request', kind: 'SERVER' };
const base = { name: 'base', command: ['bun', 'run', 'base.ts'] };
const sdk = {
  name: 'sdk',
  title: 'SDK',
  command: fixture('sdk'),
  // So that none is dropped, however slow the machine is.
  env: { OTEL_BSP_MAX_QUEUE_SIZE: '10000000' },
  telemetry: { span: { ...root, children: [{ name: 'inner' }] }, metrics: [{ name: 'requests' }] },
};

test.concurrent(
  'any SDK exports to the sink while it is measured, and every span is counted; nobody else has a sink',
  async () => {
    await using place = new Workplace();
    const suite = place.suite({ base: HI }, { scenarios: [base, sdk] });
    const run = await place.measure([...SHORTEST, '--suite', suite, '--format', 'full']);
    expect(run.outcome).toEqual(WHOLE);
    expect(run.result.configuration.export).toBe('otlp');
    const [ofSdk] = run.result.pairs.filter(({ scenario }) => scenario === 'sdk');
    const { spansReceived = 0, spansExpected, fault } = ofSdk?.exported.scenario ?? {};
    const requests = ofSdk?.alternating.reduce((sum, { scenario }) => sum + scenario.requests, 1) ?? 0;
    expect(requests).toBeGreaterThan(100);
    // The first request is the one that checks its answer.
    expect({ spansExpected, fault }).toEqual({ spansExpected: 2 * requests, fault: null });
    expect(spansReceived).toBeGreaterThanOrEqual(2 * requests);
    expect(ofSdk?.alternating[0]?.scenario.sinkCpuNs).toBeGreaterThan(0);
    expect(ofSdk?.exported.baseline).toBeNull();
    expect(run.analysis.tasks[0]?.rows[0]?.figures?.exported?.receivedShare).toBe(1);
    expect(run.stdout).toContain('spans exported');
    expect(run.stdout).toMatch(/\| SDK .*\| +100\.00 % \|/);
  },
  LIMIT_MS,
);

test.concurrent(
  'a queue of 64 that overflows under load: the share that never arrived marks the row',
  async () => {
    await using place = new Workplace();
    const overflowing = { name: 'small', title: 'Small', command: fixture('overflowing'), telemetry: { span: root } };
    const suite = place.suite({ base: HI }, { scenarios: [base, overflowing] });
    const run = await place.measure([...SHORTEST, '--suite', suite, '--strict']);
    expect(run.outcome).toEqual({ ...WHOLE, status: 1 });
    expect(run.stderr).toMatch(/tracetax: --strict: \d+ warnings/);
    expect(run.stdout).toContain('| Small † ');
    const verdict = verdictOf(run.analysis, 'dropped-spans');
    expect(verdict).toMatchObject({ scenario: 'small', changesReading: true });
    expect(verdict?.message).toMatch(/^\d+ % of the spans of Small never arrived/);
  },
  LIMIT_MS,
);

test.concurrent(
  'more spans under load than the requests can have made: invalid',
  async () => {
    await using place = new Workplace();
    const doubles = { name: 'doubles', command: ['bun', 'run', 'doubles.ts'], telemetry: { span: root } };
    const suite = place.suite({ base: HI, doubles: DOUBLING }, { scenarios: [base, doubles] });
    const run = await place.measure([...SHORTEST, '--suite', suite]);
    expect(run.status).toBe(1);
    const pair = run.result.pairs.find(({ scenario }) => scenario === 'doubles');
    expect(pair?.invalid).toEqual([expect.stringMatching(/^doubles: \d+ spans arrived, but \d+ requests make \d+$/)]);
  },
  LIMIT_MS,
);

/** Sends a span for each request, and from the 300th on two: after its proof. */
const DOUBLING = `
  const id = (bytes) => crypto.getRandomValues(new Uint8Array(bytes)).toHex();
  state.count = (state.count ?? 0) + 1;
  const spans = Array.from({ length: state.count < 300 ? 1 : 2 }, () => ({ traceId: id(16), spanId: id(8), name: 'request', kind: 2 }));
  const url = process.env.OTEL_EXPORTER_OTLP_ENDPOINT + '/v1/traces';
  await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }) });
  ${HI};`;

test.concurrent(
  'what is no payload marks the row with the first reason',
  async () => {
    await using place = new Workplace();
    const send = "fetch(process.env.TRACES, { method: 'POST', body: 'garbage' })";
    const sends = { name: 'sends', command: ['bun', 'run', 'sends.ts'], env: { TRACES: 'http://{sink}/v1/traces' } };
    const suite = place.suite({ base: HI, sends: `state.sent ??= ${send}; ${HI}` }, { scenarios: [base, sends] });
    const run = await place.measure([...SHORTEST, '--suite', suite, '--export', 'none']);
    expect(run.outcome).toEqual(WHOLE);
    const [pair] = run.result.pairs.filter(({ scenario }) => scenario === 'sends');
    expect(pair?.exported.scenario).toMatchObject({ spansReceived: 0, spansExpected: null });
    const verdict = verdictOf(run.analysis, 'sink-fault');
    expect(verdict).toMatchObject({ scenario: 'sends', changesReading: true });
    expect(verdict?.message).toMatch(/could not be counted in 1 of 1 pairs: \/v1\/traces: /);
  },
  LIMIT_MS,
);

test.skipIf(process.platform !== 'linux').concurrent(
  'a sink that dies: the run goes on, and the row is marked',
  async () => {
    await using place = new Workplace();
    const suite = place.suite({ base: HI }, { scenarios: [base, sdk] });
    const run = place.start([...SHORTEST, '--suite', suite]);
    const sinks = () => place.processes().filter((pid) => commandOf(pid).includes('sink-main.ts'));
    await until(() => sinks().length > 0, 60_000);
    for (const pid of sinks()) process.kill(pid, 'SIGKILL');
    const { status, stdout } = await finished(run);
    expect(status).toBe(0);
    expect(stdout).toContain('| SDK † ');
    const result = readResult(place.path('out.json'));
    expect(result.pairs).toHaveLength(2);
    const verdict = verdictOf(analyse(result), 'sink-fault');
    expect(verdict?.message).toContain('could not be counted in 1 of 1 pairs: the sink ended with signal SIGKILL');
  },
  LIMIT_MS,
);

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    // It has ended.
    return '';
  }
}
