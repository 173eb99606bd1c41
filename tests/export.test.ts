// Servers that export while they are measured, and what can go wrong between them and the sink.
import { expect } from 'bun:test';
import { caseOf, HI, ROOT, SHORTEST, tableIn, WHOLE } from './bench.ts';

const fixture = (name: string) => ['bun', 'run', `${ROOT}/tests/fixtures/${name}.ts`];
const root = { name: 'request', kind: 'SERVER' };
const base = { name: 'base', command: ['bun', 'run', 'base.ts'] };

caseOf('every span of any SDK is counted; a queue that overflows marks its row', async (place) => {
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
});

caseOf('what no sink can take makes the row invalid, or ends the proof, and is told', async (place) => {
  const sends = (name: string, path: string, more = {}) => {
    return { name, command: ['bun', 'run', 'sends.ts'], env: { TO: `http://{sink}${path}` }, ...more };
  };
  const send = "fetch(process.env.TO, { method: 'POST', body: 'garbage' }).catch(() => {})";
  const handlers = { base: HI, sends: `state.sent ??= ${send}; ${HI}` };
  const scenarios = [base, sends('garbage', '/v1/traces'), sends('elsewhere', '/otlp/v1/traces')];
  const run = await place.measure([...SHORTEST, '--suite', place.suite(handlers, { scenarios })]);
  const refused = '1 x POST /otlp/v1/traces was refused';
  expect(run.outcome.status).toBe(1);
  // Pairs come in any order.
  const faults = run.outcome.faults.toSorted((one, other) => (one.what < other.what ? -1 : 1));
  expect(faults).toMatchObject([
    { what: 'exports not counted', scenario: 'garbage' },
    { what: 'no span arrived', scenario: 'elsewhere', detail: refused },
  ]);
  const [pair] = run.result.pairs.filter(({ scenario }) => scenario === 'garbage');
  expect(pair?.exported.scenario).toMatchObject({ spansReceived: 0, spansExpected: null });
  expect(pair?.exported.scenario?.fault).toStartWith('/v1/traces: ');
  const invalid = run.analysis.warnings.filter(({ kind }) => kind === 'invalid');
  expect(invalid.map(({ scenario }) => scenario)).toEqual(['garbage', 'elsewhere']);
  expect(tableIn(run.stdout).rows.garbage?.[0]).not.toMatch(/ ms/);
  const claiming = sends('sends', '/otlp/v1/traces', { telemetry: { span: { name: 'x' } } });
  place.suite(handlers, { scenarios: [base, claiming] });
  const { stderr, status } = await place.run([...SHORTEST, '--out', 'other.json', '--suite', 'suite.json']);
  expect(status).toBe(1);
  expect(stderr).toContain(`sends what nothing takes: after 200 requests: ${refused}`);
});
