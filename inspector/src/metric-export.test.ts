import { afterEach, expect, setSystemTime, test } from 'bun:test';
import { resolve } from 'node:path';
import { ProtobufMetricsSerializer } from '@opentelemetry/otlp-transformer';
import { MeterProvider, PeriodicExportingMetricReader, type PushMetricExporter } from '@opentelemetry/sdk-metrics';
import { Hono } from 'hono';
import protobuf from 'protobufjs';
import { activeContext } from './context.ts';
import { isTracingSuppressed } from './core.ts';
import { MetricExport } from './metric-export.ts';
import type { Send } from './otlp-http.ts';
import { inMemory } from './testing/in-memory.ts';

const root = new protobuf.Root();
root.resolvePath = (_, target) => resolve(import.meta.dir, '../../harness/sink/proto', target);
root.loadSync('opentelemetry/proto/collector/metrics/v1/metrics_service.proto');
const requestType = root.lookupType('opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest');
const decode = (request: Uint8Array) =>
  requestType.toObject(requestType.decode(request), { longs: String, defaults: true });

afterEach(() => void setSystemTime());

/** An inspector that has answered these paths, its metrics, and their export to `send`. */
async function answered(paths: string[], send: Send, intervalMs = 60_000) {
  const { inspector } = inMemory();
  const { producer } = inspector.instruments.metrics;
  const app = inspector.instrument(new Hono().get('/users/:id', (c) => c.text('ä')));
  for (const path of paths) await app.request(path);
  return { app, producer, metricExport: new MetricExport(producer, send, intervalMs) };
}

test('sends what the SDK would send', async () => {
  const sent: Uint8Array[] = [];
  const paths = ['/users/1', '/users/2', '/unknown'];
  const { producer, metricExport } = await answered(paths, async (request) => void sent.push(request));
  // The time of the collection is part of it.
  setSystemTime(Date.now());
  await metricExport.forceFlush();
  const { resourceMetrics } = await producer.collect();
  const expected = ProtobufMetricsSerializer.serializeRequest(resourceMetrics) as Uint8Array;
  expect(sent.map(decode)).toEqual([decode(expected)]);
});

test('sends nothing before the first request, and nothing after the shutdown', async () => {
  let sent = 0;
  const { app, metricExport } = await answered([], async () => void sent++);
  await metricExport.forceFlush();
  expect(sent).toBe(0);
  await app.request('/users/1');
  await metricExport.shutdown();
  await metricExport.forceFlush();
  expect(sent).toBe(1);
});

test('sends one request at a time, and what came meanwhile in the next, also if one fails', async () => {
  const counts: string[] = [];
  const { app, metricExport } = await answered(['/users/1'], async (request) => {
    const [{ scopeMetrics }] = decode(request).resourceMetrics;
    counts.push(scopeMetrics[0].metrics[0].histogram.dataPoints[0].count);
    expect(isTracingSuppressed(activeContext())).toBe(true);
    await Bun.sleep(5);
    if (counts.length === 1) throw new Error('the receiver is down');
  });
  const first = metricExport.forceFlush();
  // It has begun when these come.
  await Bun.sleep(1);
  const others = [metricExport.forceFlush(), metricExport.forceFlush()];
  await app.request('/users/2');
  await Promise.all([first, ...others]);
  expect(counts).toEqual(['1', '2']);
});

test('sends again and again by itself', async () => {
  let sent = 0;
  const { metricExport } = await answered(['/users/1'], async () => void sent++, 5);
  while (sent < 2) await Bun.sleep(1);
  await metricExport.shutdown();
});

test('a reader of the SDK gets the histogram from the producer', async () => {
  const { producer } = await answered(['/users/1'], async () => {});
  const names: string[] = [];
  const exporter: PushMetricExporter = {
    export({ scopeMetrics }, done) {
      names.push(...scopeMetrics.flatMap(({ metrics }) => metrics.map(({ descriptor }) => descriptor.name)));
      done({ code: 0 });
    },
    forceFlush: async () => {},
    shutdown: async () => {},
  };
  const reader = new PeriodicExportingMetricReader({ exporter, metricProducers: [producer] });
  const provider = new MeterProvider({ readers: [reader] });
  await provider.shutdown();
  expect(names).toEqual(['http.server.request.duration']);
});
