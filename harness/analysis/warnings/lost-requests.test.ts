import { expect, test } from 'bun:test';
import { faultOf } from '../../result/faults.ts';
import type { Connections, Result, Side } from '../../result/schema.ts';
import { textsOf, warningsAfter } from '../../testing/fake-analysis.ts';

/** Requests of `other` in all alternating slices, as the fakes have them. */
const REQUESTS = 833_336;

/** What is known of one server's connections in each of the five pairs. */
interface Known extends Partial<Connections> {
  /** Connections beyond the 100 of the load, in each of two slices; null if nothing tells. */
  reopened?: number | null;
}

/**
 * Warnings of a run in which this is known of `other`, and of all other servers that all is well.
 */
function warningsOf(known: Known, change: (result: Result) => void = () => {}, side?: Side) {
  return warningsAfter((result) => {
    for (const pair of result.pairs) {
      const of = (each: Side): Known =>
        pair.scenario === 'other' && each === (side ?? 'scenario') ? known : {};
      const opened = (each: Side) => {
        const { reopened = 0 } = of(each);
        return reopened === null ? null : 100 + reopened;
      };
      for (const slice of pair.alternating)
        slice.opened = { baseline: opened('baseline'), scenario: opened('scenario') };
      const connections = (each: Side): Connections => ({
        closed: of(each).closed ?? 0,
        kept: of(each).kept ?? null,
      });
      pair.connections = { baseline: connections('baseline'), scenario: connections('scenario') };
    }
    change(result);
  });
}

const cut = (asked: number, unannounced: number) => ({ asked, announced: 0, unannounced });

test('more than one request in 1,000 that found its connection closed, unannounced', () => {
  const [found, ...others] = warningsOf({ reopened: 833, closed: 1_667, kept: cut(400, 4) });
  expect(others).toEqual([]);
  expect(found).toMatchObject({ kind: 'lost-requests', scenario: 'other' });
  expect(found?.text).toBe(
    `Other: figures hide requests without an answer: 8,335 of ${REQUESTS.toLocaleString('en-GB')} ` +
      'requests found their connection closed, which the server had not announced',
  );
  expect(found?.remedy).toContain('--tool wrk');
  expect(warningsOf({ reopened: 80, closed: 160, kept: cut(4_000, 4) })).toEqual([]);
});

test('resets leave no trace, and are counted by connections that were opened', () => {
  const [text] = textsOf(warningsOf({ reopened: 833, kept: cut(400, 4) }));
  expect(text).toContain('8,330 of');
});

test('connections of others on the machine are none of the server', () => {
  const [text] = textsOf(warningsOf({ reopened: 40_000, kept: cut(400, 4) }));
  expect(text).toContain(': 8,333 of');
  expect(warningsOf({ reopened: 833, kept: cut(400, 0) })).toEqual([]);
  expect(warningsOf({ reopened: 833 })).toEqual([]);
});

test('of a load tool whose connections tell nothing, the server itself tells', () => {
  const [text] = textsOf(warningsOf({ reopened: null, closed: null, kept: cut(400, 4) }));
  expect(text).toContain('8,333 of');
  expect(warningsOf({ reopened: null, closed: null, kept: cut(4_000, 0) })).toEqual([]);
});

test('what happens under load alone is told as such', () => {
  const [alone] = textsOf(warningsOf({ reopened: 833, closed: 1_667, kept: cut(400, 0) }));
  expect(alone).toEndWith('under load alone, and nobody saw the server announce it');
  const [unknown] = textsOf(warningsOf({ reopened: 833, closed: 1_667, kept: cut(1, 0) }));
  expect(unknown).toEndWith('and nobody knows whether the server had announced it');
});

test('idle connections that a server closes at a steady rate are none of it', () => {
  const paced = (result: Result) => {
    for (const task of result.suite.tasks) task.rate = 100;
  };
  expect(warningsOf({ closed: 1_667, kept: cut(400, 0) }, paced)).toEqual([]);
});

test('a close that was announced is a cost, and no fault', () => {
  const announced = { asked: 400, announced: 4, unannounced: 0 };
  expect(warningsOf({ reopened: 833, closed: 1_667, kept: announced })).toEqual([]);
  const eachRequest = { asked: 400, announced: 400, unannounced: 0 };
  expect(warningsOf({ reopened: 83_000, closed: 166_000, kept: eachRequest })).toEqual([]);
});

test('a row without figures tells what is known of it', () => {
  const [, found] = warningsOf({ kept: cut(400, 4) }, ({ pairs }) => {
    for (const pair of pairs.filter(({ scenario }) => scenario === 'other')) {
      pair.faults.push(faultOf('connections-closed', 'read error', 'other'));
      pair.alternating = [];
      pair.duets = [];
    }
  });
  expect(found?.text).toBe(
    'Other: 20 of 2,000 requests found their connection closed, which the server had not announced',
  );
});

test('the baseline is named by itself', () => {
  const known = { reopened: 833, closed: 1_667, kept: cut(400, 4) };
  const [found] = warningsOf(known, () => {}, 'baseline');
  expect(found).toMatchObject({ kind: 'lost-requests', scenario: 'base' });
  expect(found?.text).toStartWith('Base');
});
