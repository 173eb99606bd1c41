// Servers that export while they are measured, and what can go wrong between them and the sink.
import { expect } from 'bun:test';
import { HI } from '../../harness/testing/sources.ts';
import { parseTable } from '../support/results.ts';
import { ROOT, SHORTEST_RUN } from '../support/short-runs.ts';
import { testConcurrently } from '../support/workplace.ts';

testConcurrently(
  'every span of any SDK is counted; lost ones mark their row; what no sink takes makes it invalid',
  async (place) => {
    const span = { name: 'request', kind: 'SERVER', children: [{ name: 'inner' }] };
    const sdk = {
      name: 'sdk',
      command: ['bun', 'run', `${ROOT}/tests/fixtures/sdk.ts`],
      // So that none is dropped, and all are sent in time, however slow the machine is.
      env: { OTEL_BSP_MAX_QUEUE_SIZE: '10000000', OTEL_BSP_SCHEDULE_DELAY: '500' },
      telemetry: { span, metrics: [{ name: 'requests' }] },
    };
    const small = { ...sdk, name: 'small', title: 'Small', env: { SLOW_MS: '1000' } };
    const base = { name: 'base', command: ['bun', 'run', 'base.ts'] };
    const env = { TO: 'http://{sink}/otlp/v1/traces' };
    const elsewhere = { name: 'elsewhere', command: ['bun', 'run', 'elsewhere.ts'], env };
    const send = "fetch(process.env.TO, { method: 'POST', body: 'garbage' }).catch(() => {})";
    const handlers = { base: HI, elsewhere: `state.sent ??= ${send}; ${HI}` };
    const suite = place.suite(handlers, { scenarios: [base, sdk, small, elsewhere] });
    const run = await place.measure([...SHORTEST_RUN, '--suite', suite]);
    const detail = '1 x POST /otlp/v1/traces was refused';
    const faults = [{ what: 'no span arrived', scenario: 'elsewhere', detail }];
    expect(run.outcome).toMatchObject({ status: 1, stoppedBy: null, faults });
    expect(parseTable(run.stdout).rows.elsewhere?.[0]).toBe('invalid');
    const [ofSdk] = run.result.pairs.filter(({ scenario }) => scenario === 'sdk');
    const { spansReceived = 0, ...exported } = ofSdk?.exported.scenario ?? {};
    // Whatever asks the server besides the load is a request, too: checks of its answer, and of its
    // connections if somebody else on the machine opens many.
    const loaded =
      ofSdk?.alternating.reduce((sum, { scenario }) => sum + scenario.requests, 0) ?? 0;
    const requests = ofSdk?.exported.scenario?.payloads?.requests ?? 0;
    expect(loaded).toBeGreaterThan(10);
    expect(requests).toBeGreaterThanOrEqual(loaded + 3);
    expect(exported).toMatchObject({
      spansExpected: 2 * requests,
      spansDeviation: 0,
      refused: [],
      fault: null,
    });
    expect(spansReceived).toBeGreaterThanOrEqual(2 * requests);
    expect(ofSdk?.exported.baseline).toBeNull();
    expect(run.result.proofs.map(({ scenario }) => scenario)).toEqual(['sdk', 'small']);
    const dropped = run.analysis.warnings.filter(({ kind }) => kind === 'dropped-spans');
    expect(dropped).toMatchObject([{ scenario: 'small' }]);
    expect(run.stdout).toContain('| Small † ');
  },
);
