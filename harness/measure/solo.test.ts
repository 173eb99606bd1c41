import { expect, test } from 'bun:test';
import { fakeMeasurement } from '../testing/fakes.ts';
import { soloRounds } from './solo.ts';

const one = new Map([['task', ['a', 'b', 'c', 'd', 'e']]]);

/** The order in which everything is measured with this seed. */
async function orderOf(tasks: Map<string, string[]>, rounds: number, seed: number): Promise<string[]> {
  const order: string[] = [];
  const measure = async (task: string, scenario: string, round: number) => {
    order.push(`${round} ${task} ${scenario}`);
    return fakeMeasurement(scenario);
  };
  for await (const _ of soloRounds(tasks, { rounds, seed }, measure));
  return order;
}

test('every round has every scenario once, in an order of its own that the seed decides', async () => {
  const order = await orderOf(one, 20, 7);
  const rounds = Array.from({ length: 20 }, (_, round) =>
    order.filter((each) => each.startsWith(`${round} `)).map((each) => each.at(-1) as string),
  );
  for (const each of rounds) expect([...each].sort()).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(new Set(rounds.map((each) => each.join())).size).toBeGreaterThan(10);
  expect(await orderOf(one, 20, 7)).toEqual(order);
  expect(await orderOf(one, 20, 8)).not.toEqual(order);
});

test('tasks are in random order too, and the scenarios of one follow each other', async () => {
  const tasks = new Map([
    ['x', ['a', 'b']],
    ['y', ['a', 'c']],
  ]);
  const order = await orderOf(tasks, 10, 1);
  expect(order).toHaveLength(40);
  for (let at = 0; at < 40; at += 2)
    expect(order[at]?.slice(0, -1)).toBe(order[at + 1]?.slice(0, -1) as string);
  const first = order.filter((_, at) => at % 4 === 0).map((each) => each.split(' ')[1]);
  expect(new Set(first)).toEqual(new Set(['x', 'y']));
});

test('measures one after the other, and yields a round as soon as it is complete', async () => {
  const log: string[] = [];
  const measure = async (_: string, scenario: string, round: number) => {
    log.push(`${round} ${scenario} begins`);
    await Bun.sleep(1);
    log.push(`${round} ${scenario} ends`);
    return fakeMeasurement(scenario);
  };
  for await (const round of soloRounds(new Map([['task', ['a']]]), { rounds: 2, seed: 3 }, measure)) {
    log.push(`kept ${round.task} ${round.measurements.map(({ scenario }) => scenario).join()}`);
  }
  expect(log).toEqual(['0 a begins', '0 a ends', 'kept task a', '1 a begins', '1 a ends', 'kept task a']);
});

test('a round that fails is not kept, and those before it are', async () => {
  const kept: string[][] = [];
  let calls = 0;
  const measure = async (_: string, scenario: string) => {
    calls += 1;
    if (calls === 4) throw new Error('out of order');
    return fakeMeasurement(scenario);
  };
  const all = async () => {
    for await (const round of soloRounds(new Map([['t', ['a', 'b']]]), { rounds: 3, seed: 1 }, measure)) {
      kept.push(round.measurements.map(({ scenario }) => scenario));
    }
  };
  await expect(all()).rejects.toThrow('out of order');
  expect(kept.length).toBe(1);
});
