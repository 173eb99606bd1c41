import { expect, test } from 'bun:test';
import { Receiver } from './receiver.ts';

const histogram = (count: number, aggregationTemporality: number) => ({
  resourceMetrics: [
    {
      resource: { attributes: [{ key: 'service.name', value: { stringValue: 'x' } }] },
      scopeMetrics: [
        {
          metrics: [
            {
              name: 'duration',
              histogram: {
                aggregationTemporality,
                dataPoints: [
                  {
                    count: String(count),
                    attributes: [
                      { key: 'status', value: { intValue: '200' } },
                      {
                        key: 'tags',
                        value: { arrayValue: { values: [{ stringValue: 'a' }, { boolValue: true }] } },
                      },
                    ],
                  },
                ],
              },
            },
          ],
        },
      ],
    },
  ],
});

const send = (
  receiver: Receiver,
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
) =>
  fetch(`http://${receiver.address}${path}`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  });

test('cumulative series keep their last value, delta series add up', async () => {
  for (const [temporality, count] of [
    [2, 7],
    [1, 12],
  ] as const) {
    await using receiver = new Receiver();
    await send(receiver, '/v1/metrics', JSON.stringify(histogram(5, temporality)));
    await send(receiver, '/v1/metrics', JSON.stringify(histogram(7, temporality)));
    expect(receiver.points).toMatchObject([
      { metric: 'duration', count, attributes: { status: 200, tags: ['a', true] } },
    ]);
  }
});

test('gzip, unknown paths, and bodies that are no OTLP', async () => {
  await using receiver = new Receiver();
  const zipped = Bun.gzipSync(JSON.stringify(histogram(1, 2)));
  expect((await send(receiver, '/v1/metrics', zipped, { 'content-encoding': 'gzip' })).status).toBe(200);
  expect(receiver.points).toHaveLength(1);
  expect((await send(receiver, '/v1/nope', '{}')).status).toBe(404);
  expect((await send(receiver, '/v1/traces', 'nonsense')).status).toBe(400);
  expect(
    (
      await send(receiver, '/v1/traces', new Uint8Array([255, 1]), {
        'content-type': 'application/x-protobuf',
      })
    ).status,
  ).toBe(400);
  expect(receiver.fault).toStartWith('/v1/traces: ');
});

test("what Sentry's SDKs and Datadog's send, answered as each expects", async () => {
  await using receiver = new Receiver();
  const send = (method: string, path: string, name: string) =>
    fetch(`http://${receiver.address}${path}`, {
      method,
      body: Bun.file(`${import.meta.dir}/../sink/fixtures/${name}`),
    });
  const answers = [
    await send('POST', '/api/1/envelope/', 'sentry-spans.envelope'),
    await send('PUT', '/v0.4/traces', 'datadog-traces.msgpack'),
  ];
  for (const answer of answers) expect(await answer.json()).toEqual({});
  expect(receiver.spans.map(({ kind }) => kind)).toEqual(['SERVER', 'SERVER', 'SERVER']);
  expect((await send('PUT', '/v0.4/traces', 'sentry-spans.envelope')).status).toBe(400);
  expect(receiver.fault).toStartWith('/v0.4/traces: ');
});
