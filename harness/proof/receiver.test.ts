import { expect, test } from 'bun:test';
import { Receiver } from './receiver.ts';

const attributes = [
  { key: 'status', value: { intValue: '200' } },
  { key: 'tags', value: { arrayValue: { values: [{ stringValue: 'a' }, { boolValue: true }] } } },
];
const histogram = (count: number, aggregationTemporality: number) => {
  const metric = {
    name: 'duration',
    histogram: { aggregationTemporality, dataPoints: [{ count: String(count), attributes }] },
  };
  return JSON.stringify({ resourceMetrics: [{ resource: {}, scopeMetrics: [{ metrics: [metric] }] }] });
};

const send = (
  address: string,
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
) => {
  const all = { 'content-type': 'application/json', ...headers };
  return fetch(`http://${address}${path}`, { method: 'POST', body, headers: all });
};

test.each([
  ['cumulative series keep their last value', 2, 7],
  ['delta series add up', 1, 12],
])('%s', async (_, temporality, count) => {
  await using receiver = new Receiver();
  const address = await receiver.listen();
  for (const each of [5, 7]) await send(address, '/v1/metrics', histogram(each, temporality));
  const found = { metric: 'duration', count, attributes: { status: 200, tags: ['a', true] } };
  expect(receiver.points).toMatchObject([found]);
});

test('gzip, unknown paths, and bodies that are no OTLP', async () => {
  await using receiver = new Receiver();
  const address = await receiver.listen();
  const zipped = Bun.gzipSync(histogram(1, 2));
  expect((await send(address, '/v1/metrics', zipped, { 'content-encoding': 'gzip' })).status).toBe(200);
  expect(receiver.points).toHaveLength(1);
  expect((await send(address, '/v1/nope', '{}')).status).toBe(404);
  expect((await send(address, '/v1/traces', 'nonsense')).status).toBe(400);
  const protobuf = { 'content-type': 'application/x-protobuf' };
  expect((await send(address, '/v1/traces', new Uint8Array([255, 1]), protobuf)).status).toBe(400);
  expect(receiver.fault).toStartWith('/v1/traces: ');
  expect(receiver.refused).toEqual(['1 x POST /v1/nope was refused']);
});
