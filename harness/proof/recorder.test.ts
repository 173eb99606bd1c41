import { expect, test } from 'bun:test';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import {
  AggregationType,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { listen } from '../sink/listen.ts';
import { Recorder } from './recorder.ts';

const attributes = [
  { key: 'status', value: { intValue: '200' } },
  { key: 'tags', value: { arrayValue: { values: [{ stringValue: 'a' }, { boolValue: true }] } } },
];
const histogram = (count: number, startTimeUnixNano = '1') => {
  const points = { dataPoints: [{ count: String(count), attributes, startTimeUnixNano }] };
  const metric = { name: 'duration', histogram: points };
  return JSON.stringify({
    resourceMetrics: [{ resource: {}, scopeMetrics: [{ metrics: [metric] }] }],
  });
};

const send = (recorder: Recorder, body: string) => {
  const headers = { 'content-type': 'application/json' };
  return recorder.answer(
    new Request('http://127.0.0.1/v1/metrics', { method: 'POST', body, headers }),
  );
};

test('delta series are told apart', async () => {
  const recorder = new Recorder();
  await send(recorder, histogram(5, '1'));
  await send(recorder, histogram(7, '2'));
  const found = { metric: 'duration', attributes: { status: 200, tags: ['a', true] } };
  expect(recorder.points).toMatchObject([5, 7].map((count) => ({ ...found, count })));
});

test('cumulative series keep their last value, apart for each process', async () => {
  const recorder = new Recorder();
  await using listening = await listen(recorder);
  const url = `http://${listening.address}/v1/metrics`;
  const aggregation = { type: AggregationType.EXPONENTIAL_HISTOGRAM } as const;
  for (const value of [5, 7]) {
    const reader = new PeriodicExportingMetricReader({ exporter: new OTLPMetricExporter({ url }) });
    const views = [{ instrumentName: 'exponential', aggregation }];
    const provider = new MeterProvider({ readers: [reader], views });
    const meter = provider.getMeter('own');
    const [sum, gauge] = [meter.createCounter('sum'), meter.createGauge('gauge')];
    const histograms = ['histogram', 'exponential'].map((name) => meter.createHistogram(name));
    for (const _ of [1, 2]) {
      sum.add(value);
      gauge.record(value);
      for (const each of histograms) each.record(value);
      await provider.forceFlush();
    }
    await provider.shutdown();
  }
  const countsOf = (name: string) =>
    recorder.points.filter(({ metric }) => metric === name).map(({ count }) => count);
  expect(['sum', 'histogram', 'exponential', 'gauge'].map(countsOf)).toEqual([
    [10, 14],
    [2, 2],
    [2, 2],
    [5, 7],
  ]);
});

test('OTLP by HTTP of a server that is to send by gRPC is refused', async () => {
  const recorder = new Recorder(['/v1/metrics']);
  await send(recorder, histogram(5));
  expect(recorder).toMatchObject({
    points: [],
    refused: [{ request: 'POST /v1/metrics, which is no gRPC,', count: 1 }],
  });
});

test('what came before a server was ready is forgotten, but for what has such a name', async () => {
  for (const isKept of [true, false]) {
    const recorder = new Recorder();
    await send(recorder, histogram(5));
    recorder.forget((name) => isKept && name === 'duration');
    await send(recorder, histogram(5));
    expect(recorder.points.length).toBe(isKept ? 1 : 0);
    await send(recorder, histogram(7));
    expect(recorder.points).toMatchObject([{ count: isKept ? 7 : 2 }]);
  }
});
