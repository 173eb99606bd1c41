import { expect, test } from 'bun:test';
import type { LoadedTask } from '../suite/load.ts';
import { scenarioSchema, taskSchema } from '../suite/suite-schema.ts';
import { awaitExport, surplus } from './exported.ts';

const task = taskSchema.parse({ name: 'task', exchanges: [{}] }) as unknown as LoadedTask;
const scenario = scenarioSchema.parse({ name: 'x', command: ['x'], telemetry: { span: { name: 'request' } } });

/** A sink to which these many spans come, one after the other, each time that it is asked. */
function sinkOf(...received: (number | string)[]) {
  let asked = 0;
  const counts = async () => {
    const now = received[Math.min(asked++, received.length - 1)] as number | string;
    return typeof now === 'string' ? { spans: 0, fault: now } : { spans: now, fault: null };
  };
  return { counts, asked: () => asked };
}

test('waits for what is still queued, and no longer', async () => {
  const sink = sinkOf(0, 10, 19, 20, 21);
  expect(await awaitExport(task.exchanges, { scenario, sink }, 20)).toEqual({
    spansExpected: 20,
    spansMargin: 0,
    spansReceived: 20,
    fault: null,
  });
  expect(sink.asked()).toBe(4);
});

test('what never arrives is missing after some seconds', async () => {
  expect(await awaitExport(task.exchanges, { scenario, sink: sinkOf(15) }, 20)).toMatchObject({ spansReceived: 15 });
}, 20_000);

test('what is more than a batch was dropped, and is not waited for', async () => {
  const startedMs = performance.now();
  const received = { scenario, sink: sinkOf(0, 400, 900) };
  expect(await awaitExport(task.exchanges, received, 2_000)).toMatchObject({ spansReceived: 900 });
  expect(performance.now() - startedMs).toBeLessThan(4_000);
});

test('what may still wait for a large batch to be full is waited for', async () => {
  const patient = { ...scenario, env: { OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '2048' } };
  const received = { scenario: patient, sink: sinkOf(...Array(40).fill(900), 2_000) };
  expect(await awaitExport(task.exchanges, received, 2_000)).toMatchObject({ spansReceived: 2_000 });
});

test('a share of the requests: as many as that makes, give or take what chance does', async () => {
  const children = [{ name: 'inner', kind: 'INTERNAL' as const, attributes: {}, children: [] }];
  const span = { name: 'request', kind: 'SERVER' as const, attributes: {}, children };
  const sampled = (share: number) => ({ ...scenario, telemetry: { span, metrics: [], sampled: share } });
  const received = (share: number, spans: number) =>
    awaitExport(task.exchanges, { scenario: sampled(share), sink: sinkOf(spans) }, 40_000);
  // 4,000 traces, with a standard deviation of 60.
  expect(await received(0.1, 8_500)).toEqual({
    spansExpected: 8_000,
    spansMargin: 600,
    spansReceived: 8_500,
    fault: null,
  });
  expect(await received(0, 0)).toMatchObject({ spansExpected: 0, spansMargin: 0, spansReceived: 0 });
});

test('more spans than requests make, and than chance and unseen answers allow', () => {
  const fault = (spansReceived: number, spansMargin = 0, spansExpected: number | null = 2_000) =>
    surplus(scenario, { spansExpected, spansMargin, spansReceived, fault: null }, 1_000, 100);
  for (const fine of [fault(1_000), fault(2_200), fault(2_300, 100), fault(9_000, 0, null)]) expect(fine).toEqual([]);
  expect(fault(2_201)).toEqual(['x: 2201 spans arrived, but 1000 requests make 2000']);
  expect(surplus(scenario, null, 1_000, 100)).toEqual([]);
});

test('requests of a mix that claim different spans: nobody knows how many are to be expected', async () => {
  const claims = [{ span: { name: 'one' } }, {}];
  const exchanges = claims.map((claim) => ({ telemetry: { x: claim } }));
  const mix = taskSchema.parse({ name: 'mix', exchanges }).exchanges;
  expect(await awaitExport(mix, { scenario, sink: sinkOf(7) }, 20)).toMatchObject({ spansExpected: null });
});

test('a sink that died is not waited for; without one there is nothing', async () => {
  expect(await awaitExport(task.exchanges, { scenario, sink: sinkOf(5, 'it died') }, 20)).toMatchObject({
    fault: 'it died',
  });
  expect(await awaitExport(task.exchanges, { scenario, sink: null }, 20)).toBeNull();
});

test('nobody knows how many are to be expected of a scenario that claims nothing', async () => {
  const silent = { scenario: { ...scenario, telemetry: undefined }, sink: sinkOf(7) };
  expect(await awaitExport(task.exchanges, silent, 20)).toMatchObject({ spansExpected: null, spansReceived: 7 });
});
