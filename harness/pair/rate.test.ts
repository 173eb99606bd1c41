import { expect, test } from 'bun:test';
import type { TaskLoad } from '../plan/task-load.ts';
import { fakeLoaded } from '../testing/fakes.ts';
import { rateShortfalls } from './rate.ts';

const LOAD: TaskLoad = { requests: [], connections: 10, durationSeconds: 2, rate: 500 };

const VEGETA = { toolCoreCount: 1, waitsForAnswers: true };

/** A load of all requests that were wanted, but for what differs. */
function loaded(more: Partial<ReturnType<typeof fakeLoaded>> = {}) {
  return { ...fakeLoaded({ costUs: 10 }), requests: 1_000, seconds: 2, toolCpuNs: 1e8, ...more };
}

test('a rate is held by a server that answers all requests, the last ones a little late', () => {
  expect(rateShortfalls(VEGETA, LOAD, [loaded({ seconds: 2.15 })])).toEqual([]);
  expect(rateShortfalls(VEGETA, { ...LOAD, rate: undefined }, [loaded({ seconds: 9 })])).toEqual(
    [],
  );
});

test('a rate is not held by a server whose requests queue up, even if all are answered in the end', () => {
  expect(rateShortfalls(VEGETA, LOAD, [loaded(), loaded({ seconds: 6.64 })])).toEqual([
    'answers to 2 s of requests took 6.6 s',
  ]);
  // The time of others holds more than that of the requests.
  const others = { ...VEGETA, waitsForAnswers: false };
  expect(rateShortfalls(others, LOAD, [loaded({ seconds: 6.64 })])).toEqual([]);
});

test('a rate is held by a server that takes as long for each answer as for the last ones', () => {
  const waitingMs = (p50: number, seconds: number) => {
    const { latencyUs, ...rest } = loaded({ seconds });
    return { ...rest, latencyUs: latencyUs && { ...latencyUs, p50: p50 * 1e3 } };
  };
  expect(rateShortfalls(VEGETA, LOAD, [waitingMs(300, 2.31)])).toEqual([]);
  // The median of a queue that grows.
  expect(rateShortfalls(VEGETA, LOAD, [waitingMs(200, 2.4)])).toHaveLength(1);
});

test('a rate is held if what is under way at the end is answered as fast as the rest', () => {
  const oha = { ...VEGETA, waitsForAnswers: false };
  const leaving = (underWay: number, maxMs: number) => {
    const { latencyUs, ...rest } = loaded({ requests: 1_000 - underWay, underWay });
    return { ...rest, latencyUs: latencyUs && { ...latencyUs, max: maxMs * 1e3 } };
  };
  expect(rateShortfalls(oha, LOAD, [leaving(100, 200)])).toEqual([]);
  // Those that are never answered.
  expect(rateShortfalls(oha, LOAD, [leaving(40, 3)])).toEqual([
    '960 of 1000 requests were answered',
  ]);
});

test('nor by one that answers too few, or by a load tool that has no time left', () => {
  expect(rateShortfalls(VEGETA, LOAD, [loaded({ requests: 900 })])).toEqual([
    '900 of 1000 requests were answered',
  ]);
  const full = loaded({ toolCpuNs: 1e9 });
  expect(rateShortfalls(VEGETA, LOAD, [full, full])).toEqual([
    'the load tool used 90 % of its cores or more',
  ]);
  expect(rateShortfalls({ ...VEGETA, toolCoreCount: 2 }, LOAD, [full, full])).toEqual([]);
});
