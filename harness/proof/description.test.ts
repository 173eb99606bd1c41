import { expect, test } from 'bun:test';
import type { Attributes, ReceivedSpan } from '../sink/protocols/protocol.ts';
import { telemetrySchema } from '../suite/telemetry.ts';
import type { Arrived } from './arrived.ts';
import { describeTelemetry } from './description.ts';
import { findDiscrepancies } from './discrepancies.ts';

const span = (
  spanId: string,
  name: string,
  parentSpanId?: string,
  attributes: Attributes = {},
): ReceivedSpan => {
  return { spanId, parentSpanId, name, kind: name === 'GET' ? 'SERVER' : 'INTERNAL', attributes };
};

/** What arrived of one process. */
const arrived = (spans: ReceivedSpan[], logs: Arrived['logs'] = []): Arrived => {
  return { spans, points: [], logs, profiles: 0, fault: null, processes: 1 };
};

test('profiles that arrived are claimed', () => {
  const profiled = { ...arrived([]), profiles: 2 };
  const telemetry = describeTelemetry([profiled, arrived([])], 2);
  expect(telemetry).toEqual({ profiles: true });
  expect(findDiscrepancies([telemetrySchema.parse(telemetry)], 2, profiled)).toEqual([]);
});

test('of traced requests, only log records with a trace are claimed', () => {
  const traced = ['1', '2'].map((id) => span(id, 'GET'));
  const logsOf = (spans: ReceivedSpan[], logs: Arrived['logs']) =>
    describeTelemetry([arrived(spans, logs)], 2).logs;
  expect(logsOf(traced, [true, true, false, false])).toEqual({ perRequest: 1 });
  expect(logsOf(traced, [false, false])).toBeUndefined();
  expect(logsOf([], [false, false])).toEqual({ perRequest: 1 });
});

test('spans that also come without a request are ignored, as a proof does', () => {
  const ofRequest = (id: number) => [
    span(`${id}`, 'GET'),
    span(`${id} load`, 'load', `${id}`),
    span(`${id} render`, 'render', `${id}`),
  ];
  const spans = Array.from({ length: 10 }, (_, id) => ofRequest(id)).flat();
  const seen = arrived([...spans, span('x', 'load'), span('y', 'load')]);
  const telemetry = describeTelemetry([seen], 10);
  const children = [{ name: 'render', kind: 'INTERNAL' }];
  expect(telemetry).toMatchObject({ span: { name: 'GET', children }, ignore: ['load'] });
  expect(findDiscrepancies([telemetrySchema.parse(telemetry)], 10, seen)).toEqual([]);
});

test('spans nested in those that are ignored are ignored, too', () => {
  const ofRequest = (id: number) => [
    span(`${id}`, 'GET'),
    span(`${id} query`, 'query', `${id}`),
    span(`${id} engine`, 'engine', `${id} query`),
  ];
  const spans = Array.from({ length: 10 }, (_, id) => ofRequest(id)).flat();
  const seen = arrived([...spans, span('x', 'query'), span('y', 'engine', 'x')]);
  const telemetry = describeTelemetry([seen], 10);
  expect(telemetry).toMatchObject({ span: { name: 'GET' }, ignore: ['query', 'engine'] });
  expect(findDiscrepancies([telemetrySchema.parse(telemetry)], 10, seen)).toEqual([]);
});

test('attributes of this machine, and of versions, are not claimed: another has others', () => {
  const ofPlace = {
    'os.kernel_version': '6.18',
    'device.memory_size': 2,
    'sentry.sdk.version': '11',
    'host.name': 'a',
  };
  const spans = [1, 2].map((port) =>
    span(`${port}`, 'GET', undefined, { ...ofPlace, 'http.route': '/', port }),
  );
  expect(describeTelemetry([arrived(spans)], 2).span?.attributes).toEqual({ 'http.route': '/' });
});
