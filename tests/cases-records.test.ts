// What servers record that is no request's, and what becomes of it on its way: folders of cases/, after public reports.
import { describe, expect } from 'bun:test';
import { readFileSync } from 'node:fs';
import { caseOf, HI, ROOT, SHORTEST, WHOLE } from './bench.ts';

const suiteOf = (name: string) => `${ROOT}/tests/cases/${name}/suite.json`;

describe('what servers record', () => {
  caseOf('spans-of-no-request: proven, and left out where spans are counted', async (place) => {
    const run = await place.measure([...SHORTEST, '--scenarios', 'on', '--suite', suiteOf('spans-of-no-request')]);
    expect(run.outcome).toEqual(WHOLE);
    const [on] = run.result.pairs.filter(({ scenario }) => scenario === 'on');
    const { spansExpected, spansReceived } = on?.exported.scenario ?? {};
    expect(Number(spansReceived) / Number(spansExpected)).toBeWithin(1, 1.01);
    expect(run.result.proofs).toContainEqual(expect.objectContaining({ scenario: 'on', spans: 200, traces: 200 }));
  });

  caseOf('spans-of-no-request: prove prints the telemetry that its suite has', async (place) => {
    const file = suiteOf('spans-of-no-request');
    const { stdout, status } = await place.run(['prove', 'on', '--suite', file]);
    expect(status).toBe(0);
    const claimed = JSON.parse(readFileSync(file, 'utf8')).scenarios[1].telemetry;
    expect(JSON.parse(stdout)).toEqual([{ name: 'on', request: 'GET /', telemetry: claimed }]);
  });

  caseOf('long-batch: what a batch still holds comes as the server ends, behind a shell, too', async (place) => {
    const run = await place.measure([...SHORTEST, '--scenarios', 'on', '--suite', suiteOf('long-batch')]);
    expect(run.outcome).toEqual(WHOLE);
    expect(run.analysis.warnings.map(({ kind }) => kind)).not.toContain('dropped-spans');
  });

  caseOf('exports to a path that nothing takes: the row is invalid, and says which', async (place) => {
    const send = "fetch(process.env.TO, { method: 'POST', body: 'x' }).catch(() => {})";
    const scenarios = ['base', 'sends'].map((name) => ({ name, command: ['bun', 'run', `${name}.ts`] }));
    const env = { TO: 'http://{sink}/otlp/v1/traces' };
    const handlers = { base: HI, sends: `state.sent ??= ${send}; ${HI}` };
    const suite = place.suite(handlers, { scenarios: [scenarios[0], { ...scenarios[1], env }] });
    const { outcome } = await place.measure([...SHORTEST, '--suite', suite]);
    expect(outcome).toMatchObject({
      status: 1,
      faults: [{ what: 'no span arrived', scenario: 'sends', detail: '1 x POST /otlp/v1/traces was refused' }],
    });
    const claiming = { ...scenarios[1], env, telemetry: { span: { name: 'x' } } };
    place.suite(handlers, { scenarios: [scenarios[0], claiming] });
    const { stderr, status } = await place.run([...SHORTEST, '--out', 'other.json', '--suite', suite]);
    expect(status).toBe(1);
    expect(stderr).toContain('sends what nothing takes: after 200 requests: 1 x POST /otlp/v1/traces was refused');
  });
});
