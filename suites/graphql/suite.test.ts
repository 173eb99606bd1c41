import { expect, test } from 'bun:test';
import { readSuite } from '../../harness/suite/read-suite.ts';
import { flattenSpan } from '../../harness/suite/telemetry.ts';

test('each option leaves out spans: of HTTP, of the query, of 101 resolvers, of 301', async () => {
  const { scenarios } = await readSuite('graphql');
  const spans = scenarios.map(({ name, telemetry }) => [
    name,
    telemetry?.span ? flattenSpan(telemetry.span).length : 0,
  ]);
  const perOption = { http: 1, none: 4, own: 4 + 1 + 100, all: 4 + 1 + 300 };
  const ofSdk = (sdk: number) =>
    Object.entries(perOption).map(([option, count]) => [`${option}-${sdk}`, count]);
  expect(spans).toEqual([['bare', 0], ...ofSdk(2), ...ofSdk(3), ['sentry', 4]]);
});
