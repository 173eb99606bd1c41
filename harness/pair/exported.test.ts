import { expect, test } from 'bun:test';
import type { LoadedTask } from '../suite/load.ts';
import { scenarioSchema, taskSchema } from '../suite/suite-schema.ts';
import { awaitExport } from './exported.ts';

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

test('a share of the requests: chance decides how many are to be expected', async () => {
  const telemetry = { ...scenario.telemetry, metrics: [], sampled: 0.1 };
  const sampled = { scenario: { ...scenario, telemetry }, sink: sinkOf(7) };
  expect(await awaitExport(task.exchanges, sampled, 20)).toMatchObject({ spansExpected: null, spansReceived: 7 });
  const none = { scenario: { ...scenario, telemetry: { ...telemetry, sampled: 0 } }, sink: sinkOf(0) };
  expect(await awaitExport(task.exchanges, none, 20)).toMatchObject({ spansExpected: 0, spansReceived: 0 });
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
