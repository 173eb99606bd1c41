import { expect, test } from 'bun:test';
import { ProtobufMetricsSerializer } from '@opentelemetry/otlp-transformer';
import { Hono } from 'hono';
import { MetricExport } from './metric-export.ts';
import { inMemory } from './testing/in-memory.ts';

/** An inspector that has answered these paths, what was sent of it, and its export. */
async function answered(...paths: string[]) {
  const { inspector } = inMemory();
  const { metrics } = inspector.instruments;
  const app = inspector.instrument(new Hono().get('/users/:id', (c) => c.text('ä')));
  for (const path of paths) await app.request(path);
  const sent: Uint8Array[] = [];
  const send = async (request: Uint8Array) => void sent.push(request);
  return { metrics, sent, metricExport: new MetricExport(metrics, send, 60_000) };
}

test('sends what the SDK would send, byte for byte', async () => {
  const { metrics, sent, metricExport } = await answered('/users/1', '/users/2', '/unknown');
  // The time of the collection is part of it.
  const now = Date.now();
  const { now: clock } = Date;
  Date.now = () => now;
  await metricExport.forceFlush();
  const { resourceMetrics } = await metrics.producer.collect();
  Date.now = clock;
  const expected = ProtobufMetricsSerializer.serializeRequest(resourceMetrics) as Uint8Array;
  expect(sent.map((each) => Buffer.compare(each, expected))).toEqual([0]);
  await metricExport.shutdown();
  expect(sent).toHaveLength(2);
});

test('sends nothing before the first request', async () => {
  const { sent, metricExport } = await answered();
  await metricExport.shutdown();
  expect(sent).toEqual([]);
});
