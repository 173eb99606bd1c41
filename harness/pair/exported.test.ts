import { expect, test } from 'bun:test';
import { fakeWorld } from '../testing/fake-world.ts';
import type { Arm, RunningPair } from './arms.ts';
import { exportFaults, noteWarmUpTelemetry, stopAndCountExports } from './exported.ts';

/** A server that claims a span for this share of its requests, or nothing, and its sink. */
function started(
  sampled: number | null,
  counts: () => { spans: number; logRecords?: number; profiles?: number; fault?: string },
  {
    answered = 20,
    stop = async () => {},
    logRecordsPerRequest = null,
  }: { answered?: number; stop?: () => Promise<void>; logRecordsPerRequest?: number | null } = {},
) {
  const spans = sampled === null ? null : { perRequest: 1, sampled };
  const sink = {
    counts: async () => ({
      payloads: 1,
      metricPayloads: 2,
      logRecords: 0,
      profiles: 0,
      bytes: 9,
      refused: [],
      fault: null,
      ...counts(),
    }),
  };
  const planned = { ...server, spans, logRecordsPerRequest, env: {}, exportsSpans: false };
  return { planned, server: { child: { stop } }, sink, answered, underWay: 0 } as unknown as Arm;
}
const server = { name: 'a', exportsSpans: true };

/** A pair of such a server and of one without a sink. */
function pairWith(scenario: Arm, world = fakeWorld().world): RunningPair {
  const arms = { baseline: { ...scenario, sink: null }, scenario };
  return { world, arms } as unknown as RunningPair;
}

/** So many spans have come, each time that it is asked. */
function coming(...received: number[]) {
  let asked = 0;
  return {
    next: () => ({ spans: received[Math.min(asked++, received.length - 1)] as number }),
    asked: () => asked,
  };
}

test('waits for what is still queued, and no longer', async () => {
  const { next, asked } = coming(0, 10, 19, 20, 21);
  expect(await stopAndCountExports(fakeWorld().world, started(1, next))).toEqual({
    ...{ spansExpected: 20, spansDeviation: 0, spansReceived: 21 },
    ...{ payloads: { count: 1, bytes: 9, requests: 20 }, metricPayloads: 2 },
    ...{ refused: [], fault: null },
  });
  expect(asked()).toBe(5);
});

test('spans of requests that the load tool left are told apart from those that were to come', async () => {
  const leaving = { ...started(1, coming(25).next), underWay: 5 };
  expect(await stopAndCountExports(fakeWorld().world, leaving)).toMatchObject({
    spansExpected: 20,
    spansReceived: 25,
    spansWithUnanswered: 25,
  });
});

test('a share of the requests: as many are expected as chance gives, and what it may leave out is not waited for', async () => {
  // 100 of 1,000 requests, with a deviation of 9.5: the root of 1,000 x 0.1 x 0.9.
  const { next, asked } = coming(70, 82);
  const exported = await stopAndCountExports(
    fakeWorld().world,
    started(0.1, next, { answered: 1_000 }),
  );
  expect(exported).toMatchObject({ spansExpected: 100, spansReceived: 82 });
  expect(exported?.spansDeviation).toBeCloseTo(9.487, 3);
  expect(asked()).toBe(3);
  expect(await stopAndCountExports(fakeWorld().world, started(0, coming(0).next))).toMatchObject({
    spansExpected: 0,
    spansDeviation: 0,
  });
});

test('a sink that died is not waited for; nothing is expected of a server that claims nothing, or has no sink', async () => {
  const dead = started(1, () => ({ spans: 0, fault: 'it died' }));
  expect(await stopAndCountExports(fakeWorld().world, dead)).toMatchObject({ fault: 'it died' });
  expect(await stopAndCountExports(fakeWorld().world, started(null, coming(7).next))).toMatchObject(
    {
      spansExpected: null,
      spansReceived: 7,
    },
  );
  expect(await stopAndCountExports(fakeWorld().world, { ...dead, sink: null })).toBeNull();
});

test('what came after the warm-up is counted by itself, once what it owes has come', async () => {
  const { next, asked } = coming(5, 12, 30);
  const scenario = started(1, next, { answered: 12 });
  const running = pairWith(scenario);
  const { arms } = running;
  await noteWarmUpTelemetry(running);
  expect([asked(), arms.baseline.atWarmUpEnd ?? null]).toEqual([2, null]);
  arms.scenario.answered = 32;
  expect(await stopAndCountExports(fakeWorld().world, arms.scenario)).toMatchObject({
    ...{ spansExpected: 32, spansReceived: 30 },
    sinceWarmUp: { spansExpected: 20, spansReceived: 18 },
  });
});

test('of requests that are sampled, nobody knows whether more comes: the whole time is waited for', async () => {
  const scenario = started(0.5, () => ({ spans: 12 }), { answered: 20 });
  const { world } = fakeWorld();
  await noteWarmUpTelemetry(pairWith(scenario, world));
  expect(world.nowMs()).toBeGreaterThan(6_000);
  expect(scenario.atWarmUpEnd).toMatchObject({ answered: 20, spans: 12 });
});

test('what was lost in the warm-up is not waited for again', async () => {
  const scenario = started(1, () => ({ spans: 27 }), { answered: 40 });
  const { world } = fakeWorld();
  const atWarmUpEnd = { answered: 20, spans: 7, logRecords: 0 };
  expect(await stopAndCountExports(world, { ...scenario, atWarmUpEnd })).toMatchObject({
    sinceWarmUp: { spansExpected: 20, spansReceived: 20 },
  });
  expect(world.nowMs()).toBe(0);
});

test('a sink that fails tells nothing of the time after the warm-up', async () => {
  const scenario = started(1, () => ({ spans: 0, fault: 'it died' }));
  await noteWarmUpTelemetry(pairWith(scenario));
  expect(scenario.atWarmUpEnd ?? null).toBeNull();
  const noted = { ...scenario, atWarmUpEnd: { answered: 10, spans: 10, logRecords: 0 } };
  const exported = await stopAndCountExports(fakeWorld().world, noted);
  expect(exported).toMatchObject({ fault: 'it died' });
  expect(exported?.sinceWarmUp).toBeUndefined();
});

test('one that sends all as it ends is ended at once', async () => {
  let spans = 15;
  const stop = async () => {
    spans = 20;
  };
  const waiting = started(1, () => ({ spans }), { stop });
  const { world } = fakeWorld();
  const planned = { ...waiting.planned, flushesAtEnd: true };
  expect(await stopAndCountExports(world, { ...waiting, planned })).toMatchObject({
    spansReceived: 20,
  });
  expect(world.nowMs()).toBe(0);
});

test('a count that is not to be believed is a fault', () => {
  const exported = {
    spansExpected: 2_000,
    spansDeviation: 0,
    spansReceived: 0,
    refused: [],
    fault: 'the sink ended',
  };
  const found = { what: 'exports not counted', detail: 'the sink ended', scenario: 'a' };
  expect(exportFaults(server, exported)).toMatchObject([found]);
});

test('no span at all is a fault, unless none is claimed, or chance may sample none', () => {
  const refused = [{ request: 'POST /otlp/v1/traces', count: 17 }];
  const none = { spansExpected: 2_000, spansDeviation: 0, spansReceived: 0, refused, fault: null };
  const found = [{ what: 'no span arrived', detail: '17 x POST /otlp/v1/traces were refused' }];
  expect(exportFaults(server, none)).toMatchObject(found);
  expect(exportFaults(server, { ...none, spansExpected: null })).toMatchObject(found);
  const logs = { ...none, refused: [], payloads: { count: 3, bytes: 9, requests: 1_000 } };
  expect(exportFaults(server, logs)).toMatchObject([{ detail: '3 x without a span' }]);
  expect(exportFaults({ ...server, exportsSpans: false }, none)).toEqual([]);
  expect(exportFaults(server, { ...none, spansReceived: 1 })).toEqual([]);
  expect(exportFaults(server, null)).toEqual([]);
  const unwanted = { ...none, spansExpected: 0, spansReceived: 7 };
  expect(exportFaults(server, unwanted)).toMatchObject([
    { what: 'spans arrived', detail: '7, where none was to be sent' },
  ]);
  expect(exportFaults(server, { ...none, spansExpected: 4, spansDeviation: 2 })).toEqual([]);
});

test('profiles are kept with what arrived', async () => {
  const counts = { spans: 20, profiles: 1 };
  const exported = await stopAndCountExports(
    fakeWorld().world,
    started(1, () => counts),
  );
  expect(exported).toMatchObject({ profiles: 1 });
});

test('log records are waited for, and kept beside what is expected', async () => {
  const received = [50, 190, 200];
  const arm = started(1, () => ({ spans: 20, logRecords: received.shift() ?? 200 }), {
    logRecordsPerRequest: 10,
  });
  expect(await stopAndCountExports(fakeWorld().world, arm)).toMatchObject({
    logRecords: { expected: 200, received: 200 },
  });
  const silent = started(1, () => ({ spans: 20, logRecords: 7 }));
  expect(await stopAndCountExports(fakeWorld().world, silent)).not.toHaveProperty('logRecords');
});
