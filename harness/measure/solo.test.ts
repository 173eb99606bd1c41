import { expect, test } from 'bun:test';
import { fakeMeasurement } from '../testing/fakes.ts';
import { roundOrders } from './order.ts';
import { soloRounds } from './solo.ts';

const SCENARIOS = ['a', 'b', 'c', 'd', 'e'];

test('every round has every scenario once, in an order of its own that the seed decides', () => {
  const orders = roundOrders(SCENARIOS, 20, 7);
  for (const order of orders) expect([...order].sort()).toEqual(SCENARIOS);
  expect(new Set(orders.map((order) => order.join())).size).toBeGreaterThan(10);
  expect(roundOrders(SCENARIOS, 20, 7)).toEqual(orders);
  expect(roundOrders(SCENARIOS, 20, 8)).not.toEqual(orders);
});

test('measures one after the other in that order, and yields a round as soon as it is complete', async () => {
  const log: string[] = [];
  const measure = async (scenario: string, round: number) => {
    log.push(`${round} ${scenario} begins`);
    await Bun.sleep(1);
    log.push(`${round} ${scenario} ends`);
    return fakeMeasurement(scenario);
  };
  for await (const round of soloRounds(['a', 'b'], { rounds: 2, seed: 3 }, measure)) {
    log.push(`kept ${round.measurements.map(({ scenario }) => scenario).join()}`);
  }
  const expected = roundOrders(['a', 'b'], 2, 3).flatMap((order, round) => [
    ...order.flatMap((scenario) => [`${round} ${scenario} begins`, `${round} ${scenario} ends`]),
    `kept ${order.join()}`,
  ]);
  expect(log).toEqual(expected);
});

test('a round that fails is not kept, and those before it are', async () => {
  const kept: string[][] = [];
  let calls = 0;
  const measure = async (scenario: string) => {
    calls += 1;
    if (calls === 4) throw new Error('out of order');
    return fakeMeasurement(scenario);
  };
  const all = async () => {
    for await (const round of soloRounds(['a', 'b'], { rounds: 3, seed: 1 }, measure)) {
      kept.push(round.measurements.map(({ scenario }) => scenario));
    }
  };
  await expect(all()).rejects.toThrow('out of order');
  expect(kept.length).toBe(1);
});
