// Spans that belong to no request, and spans that come late, are told from those of requests.
import { expect } from 'bun:test';
import { readFileSync } from 'node:fs';
import { COMPLETE, ROOT, SHORTEST_RUN } from '../support/short-runs.ts';
import { testConcurrently } from '../support/workplace.ts';

const FIXTURES = `${ROOT}/tests/fixtures`;
const NOISY = `${FIXTURES}/spans-of-no-request/suite.json`;
const LONG_BATCH = `${FIXTURES}/long-batch/suite.json`;

testConcurrently(
  'spans of no request: proven, and left out where spans are counted',
  async (place) => {
    const run = await place.measure([...SHORTEST_RUN, '--scenarios', 'on', '--suite', NOISY]);
    expect(run.outcome).toEqual(COMPLETE);
    const [on] = run.result.pairs.filter(({ scenario }) => scenario === 'on');
    const { spansExpected, spansReceived } = on?.exported.scenario ?? {};
    expect(Number(spansReceived) / Number(spansExpected)).toBeWithin(1, 1.01);
    expect(run.result.proofs).toContainEqual(
      expect.objectContaining({ scenario: 'on', spans: 200 }),
    );
  },
);

testConcurrently('prove prints the telemetry that its suite has', async (place) => {
  const { stdout, status } = await place.run(['prove', 'on', '--suite', NOISY]);
  expect(status).toBe(0);
  const claimed = JSON.parse(readFileSync(NOISY, 'utf8')).scenarios[1].telemetry;
  expect(JSON.parse(stdout)).toEqual([{ name: 'on', request: 'GET /', telemetry: claimed }]);
});

testConcurrently(
  'what a batch still holds comes as the server ends, behind a shell, too',
  async (place) => {
    const run = await place.measure([...SHORTEST_RUN, '--scenarios', 'on', '--suite', LONG_BATCH]);
    expect(run.outcome).toEqual(COMPLETE);
    expect(run.warnings).not.toContain('dropped-spans');
  },
);
