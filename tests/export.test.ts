// Servers that export while they are measured, and what can go wrong between them and the sink.
import { expect, test } from 'bun:test';
import { HI, LIMIT_MS, ROOT, SHORTEST, tableIn, WHOLE, Workplace, warningOf } from './bench.ts';

const fixture = (name: string) => ['bun', 'run', `${ROOT}/tests/fixtures/${name}.ts`];
const root = { name: 'request', kind: 'SERVER' };
const base = { name: 'base', command: ['bun', 'run', 'base.ts'] };

test.concurrent(
  'any SDK exports to the sink, and every span is counted; a queue that overflows marks its row; nobody else has a sink',
  async () => {
    await using place = new Workplace();
    const sdk = {
      name: 'sdk',
      command: fixture('sdk'),
      // So that none is dropped, however slow the machine is.
      env: { OTEL_BSP_MAX_QUEUE_SIZE: '10000000' },
      telemetry: { span: { ...root, children: [{ name: 'inner' }] }, metrics: [{ name: 'requests' }] },
    };
    const small = { name: 'small', title: 'Small', command: fixture('overflowing'), telemetry: { span: root } };
    const suite = place.suite({ base: HI }, { scenarios: [base, sdk, small] });
    const run = await place.measure([...SHORTEST, '--suite', suite]);
    expect(run.outcome).toEqual(WHOLE);
    const [ofSdk] = run.result.pairs.filter(({ scenario }) => scenario === 'sdk');
    const { spansReceived = 0, ...exported } = ofSdk?.exported.scenario ?? {};
    // The checks of the answer, before, under and after the load, are requests, too.
    const requests = ofSdk?.alternating.reduce((sum, { scenario }) => sum + scenario.requests, 3) ?? 0;
    expect(requests).toBeGreaterThan(100);
    expect(exported).toMatchObject({ spansExpected: 2 * requests, spansDeviation: 0, refused: [], fault: null });
    expect(spansReceived).toBeGreaterThanOrEqual(2 * requests);
    expect(ofSdk?.alternating[0]?.scenario.sinkCpuNs).toBeGreaterThan(0);
    expect(ofSdk?.exported.baseline).toBeNull();
    expect(run.result.proofs.map(({ scenario }) => scenario)).toEqual(['sdk', 'small']);
    const dropped = run.analysis.warnings.filter(({ kind }) => kind === 'dropped-spans');
    expect(dropped).toMatchObject([{ scenario: 'small' }]);
    expect(run.stdout).toContain('| Small † ');
  },
  LIMIT_MS,
);

test.concurrent(
  'what is no payload makes the row invalid, with the first reason',
  async () => {
    await using place = new Workplace();
    const send = "fetch(process.env.TRACES, { method: 'POST', body: 'garbage' })";
    const sends = { name: 'sends', command: ['bun', 'run', 'sends.ts'], env: { TRACES: 'http://{sink}/v1/traces' } };
    const suite = place.suite({ base: HI, sends: `state.sent ??= ${send}; ${HI}` }, { scenarios: [base, sends] });
    const run = await place.measure([...SHORTEST, '--suite', suite, '--export', 'none']);
    expect(run.outcome).toEqual({ ...WHOLE, status: 1 });
    const [pair] = run.result.pairs.filter(({ scenario }) => scenario === 'sends');
    expect(pair?.exported.scenario).toMatchObject({ spansReceived: 0, spansExpected: null });
    expect(pair?.exported.scenario?.fault).toStartWith('/v1/traces: ');
    expect(warningOf(run.analysis, 'invalid')).toMatchObject({ scenario: 'sends' });
    expect(tableIn(run.stdout).rows.sends?.[0]).not.toMatch(/ ms/);
  },
  LIMIT_MS,
);
