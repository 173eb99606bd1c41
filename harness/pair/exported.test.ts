import { expect, test } from 'bun:test';
import { awaitExport, surplus } from './exported.ts';

/** A server that claims a span for this share of its requests, or nothing, and its sink. */
function started(sampled: number | null, counts: () => { spans: number; fault?: string }) {
  const spans = sampled === null ? null : { perRequest: 1, sampled };
  const sink = { counts: async () => ({ refused: [], fault: null, ...counts() }) };
  return { planned: { spans, env: {} }, sink };
}

/** So many spans have come, each time that it is asked. */
function coming(...received: number[]) {
  let asked = 0;
  return { next: () => ({ spans: received[Math.min(asked++, received.length - 1)] as number }), asked: () => asked };
}

test('waits for what is still queued, and no longer', async () => {
  const { next, asked } = coming(0, 10, 19, 20, 21);
  expect(await awaitExport(started(1, next), 20)).toEqual({
    ...{ spansExpected: 20, spansDeviation: 0, spansReceived: 20 },
    ...{ refused: [], fault: null },
  });
  expect(asked()).toBe(4);
});

test('if more than a batch is missing, it was dropped: nobody waits for it', async () => {
  const startedMs = performance.now();
  expect(await awaitExport(started(1, coming(0, 400, 900).next), 2_000)).toMatchObject({ spansReceived: 900 });
  expect(performance.now() - startedMs).toBeLessThan(4_000);
});

test('a share of the requests: as many are expected as chance gives, and what it may leave out is not waited for', async () => {
  // 100 of 1,000 requests, with a deviation of 9.5: the root of 1,000 x 0.1 x 0.9.
  const { next, asked } = coming(70, 82);
  const exported = await awaitExport(started(0.1, next), 1_000);
  expect(exported).toMatchObject({ spansExpected: 100, spansReceived: 82 });
  expect(exported?.spansDeviation).toBeCloseTo(9.487, 3);
  expect(asked()).toBe(2);
  expect(await awaitExport(started(0, coming(0).next), 1_000)).toMatchObject({ spansExpected: 0, spansDeviation: 0 });
});

test('a sink that died is not waited for; nothing is expected of a server that claims nothing, or has no sink', async () => {
  const dead = started(1, () => ({ spans: 0, fault: 'it died' }));
  expect(await awaitExport(dead, 20)).toMatchObject({ fault: 'it died' });
  expect(await awaitExport(started(null, coming(7).next), 20)).toMatchObject({ spansExpected: null, spansReceived: 7 });
  expect(await awaitExport({ ...dead, sink: null }, 20)).toBeNull();
});

test('more spans than requests make are a fault, beyond what the load tool may not have seen', () => {
  const exported = { spansExpected: 2_000, spansDeviation: 0, spansReceived: 2_020, refused: [], fault: null };
  expect(surplus('a', exported, 1_000, 10)).toEqual([]);
  expect(surplus('a', exported, 1_000, 9)).toMatchObject([{ what: 'too many spans', scenario: 'a' }]);
  expect(surplus('a', { ...exported, spansDeviation: 4 }, 1_000, 0)).toEqual([]);
  expect(surplus('a', null, 1_000, 0)).toEqual([]);
});
