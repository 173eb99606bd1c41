import { expect, test } from 'bun:test';
import { scenarioSchema, type Telemetry, taskSchema, telemetrySchema } from '../suite/suite-schema.ts';
import { fakeUsage } from '../testing/fakes.ts';
import { accountingFaults as faultsOf } from './accounting.ts';

const twoSpans: Telemetry = telemetrySchema.parse({
  span: { name: 'GET /', kind: 'SERVER', children: [{ name: 'inner' }] },
});
const scenario = scenarioSchema.parse({ name: 'x', command: ['x'] });
const accountingFaults = (
  telemetry: Telemetry | undefined,
  ...rest: [Parameters<typeof faultsOf>[2], number, number]
) => {
  const exchange = { request: {}, answer: {}, telemetry: telemetry ? { x: telemetry } : {} };
  return faultsOf(taskSchema.parse({ name: 'task', exchanges: [exchange] }), scenario, ...rest);
};
const counts = (exported: number, dropped: number, more: object = {}) => ({
  ...fakeUsage(exported, dropped).telemetry,
  spansStarted: exported + dropped,
  spansExported: exported,
  spansDropped: dropped,
  requestsMeasured: 0,
  ...more,
});

test('requests x spans = exported + dropped: no fault, also if the tool did not see its last answers', () => {
  expect(accountingFaults(twoSpans, counts(2_000, 0), 1_000, 100)).toEqual([]);
  expect(accountingFaults(twoSpans, counts(1_500, 500), 1_000, 100)).toEqual([]);
  expect(accountingFaults(twoSpans, counts(2_200, 0), 1_000, 100)).toEqual([]);
});

test('too few, too many, and spans that vanished; requests under way are none', () => {
  const fault = (exported: number, more?: object) => accountingFaults(twoSpans, counts(exported, 0, more), 1_000, 100);
  expect(fault(1_998)).toEqual(['x: 1998 spans were exported or dropped, but 1000 answers should make 2000']);
  expect(fault(2_202)).toHaveLength(1);
  expect(fault(2_000, { spansStarted: 2_150 })).toEqual([]);
  expect(fault(2_000, { spansStarted: 2_210 })).toEqual(['x: 2210 spans were started and 2000 exported or dropped']);
});

test('a level that claims no span and no metric has none', () => {
  const none = telemetrySchema.parse({});
  expect(accountingFaults(none, counts(0, 0), 1_000, 100)).toEqual([]);
  expect(accountingFaults(none, counts(1, 0), 1_000, 100)).toHaveLength(1);
  expect(accountingFaults(none, counts(0, 0, { requestsMeasured: 5 }), 1_000, 100)).toEqual([
    'x: 5 requests were counted by metrics, but 1000 answers should make 0',
  ]);
});

test('without a claim, or without a count, there is nothing to compare', () => {
  expect(accountingFaults(undefined, counts(1, 0), 1_000, 100)).toEqual([]);
  expect(accountingFaults(twoSpans, null, 1_000, 100)).toEqual([]);
});

test('a mix of which only some requests are counted by metrics is held against its spans alone', () => {
  const exchange = (telemetry: object) => ({ telemetry: { x: telemetrySchema.parse(telemetry) } });
  const span = { name: 'one' };
  const mix = taskSchema.parse({
    name: 'mix',
    exchanges: [exchange({ span, metrics: [{ name: 'duration' }] }), exchange({ span })],
  });
  expect(faultsOf(mix, scenario, counts(1_000, 0, { requestsMeasured: 500 }), 1_000, 100)).toEqual([]);
  expect(faultsOf(mix, scenario, counts(900, 0, { requestsMeasured: 500 }), 1_000, 100)).toHaveLength(1);
});

test('a mix of requests with different claims is not accounted for', () => {
  const exchange = (telemetry: Telemetry) => ({ telemetry: { x: telemetry } });
  const mix = taskSchema.parse({
    name: 'mix',
    exchanges: [exchange(twoSpans), exchange(telemetrySchema.parse({ span: { name: 'one' } }))],
  });
  expect(faultsOf(mix, scenario, counts(7, 0), 1_000, 100)).toEqual([]);
});
