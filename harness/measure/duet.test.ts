import { expect, test } from 'bun:test';
import { fakeDuetFork } from '../testing/fakes.ts';
import { duetForks } from './duet.ts';

test('every scenario once in each round of forks, in random order, with either server first at random', async () => {
  const calls: [string, number, boolean][] = [];
  const measure = async (_: string, scenario: string, fork: number, baselineFirst: boolean) => {
    calls.push([scenario, fork, baselineFirst]);
    return fakeDuetFork(scenario, 10, 10);
  };
  const kept: string[] = [];
  for await (const fork of duetForks(
    new Map([['task', ['base', 'a', 'b']]]),
    { forks: 20, seed: 5 },
    measure,
  ))
    kept.push(fork.scenario);
  expect(kept).toEqual(calls.map(([scenario]) => scenario));
  for (let round = 0; round < 20; round++) {
    const ofRound = calls.filter(([, fork]) => fork === round).map(([scenario]) => scenario);
    expect(ofRound.sort()).toEqual(['a', 'b', 'base']);
  }
  const first = calls.filter(([, , baselineFirst]) => baselineFirst).length;
  expect(first).toBeGreaterThan(15);
  expect(first).toBeLessThan(45);
});
