import { describe, expect, test } from 'bun:test';
import type { Result } from '../../result/schema.ts';
import { kindsOf, warningsAfter } from '../../testing/fake-analysis.ts';
import { fakeFault } from '../../testing/fakes.ts';
import { slicesOf } from '../slices.ts';

describe('wake-ups', () => {
  const sleeping = (
    baselineShare: number,
    scenarioShare: number,
    change: (result: Result) => void = () => {},
  ) =>
    warningsAfter((result) => {
      for (const pair of result.pairs.filter(({ scenario }) => scenario === 'other'))
        for (const { baseline, scenario } of slicesOf(pair)) {
          baseline.toolSleeps = baseline.requests * baselineShare;
          scenario.toolSleeps = scenario.requests * scenarioShare;
        }
      change(result);
    });

  test('an estimate with its error, by the price measured here with cores as they were', () => {
    const text =
      'Other: CPU per request reads about 2.000 ±0.050 µs too high: ' +
      'more of its answers wake the load tool';
    expect(sleeping(0.05, 0.55)).toMatchObject([{ kind: 'wake-ups', scenario: 'other', text }]);
    // Several threads that one answer wakes count once.
    expect(sleeping(0, 3)[0]?.text).toContain('about 4.00 ±');
  });

  test('the remedy is one that helps: cores awake, else a steady rate, else another machine', () => {
    const [closed] = sleeping(0, 1);
    expect(closed?.remedy).toStartWith('Measure at a steady rate');
    const [paced] = sleeping(0, 1, ({ suite }) =>
      Object.assign(suite.tasks[0] ?? {}, { rate: 500 }),
    );
    expect(paced?.remedy).toStartWith('Measure on a machine that is not virtual');
    const [asleep, ...others] = sleeping(0, 1, (result) => {
      result.keepAwake = { missing: 'switched off with --no-keep-awake' };
      Object.assign(result.environment.wakeUp ?? {}, { held: null });
    });
    expect(asleep).toMatchObject({
      kind: 'wake-ups',
      text: expect.stringContaining('about 8.00 ±'),
    });
    expect(asleep?.remedy).toStartWith('Run as root, without --no-keep-awake');
    expect(others).toEqual([]);
  });

  test('not below 5 % of the cost, nor within its interval, nor by a price nobody measured', () => {
    expect(sleeping(0, 0.02)).toEqual([]);
    expect(kindsOf(sleeping(0, 0.04))).toEqual(['wake-ups']);
    const noisy = sleeping(0, 0.5, ({ pairs }) => {
      for (const [index, { duets }] of pairs.entries())
        for (const { scenario } of duets)
          scenario.cpuNs = Number(scenario.cpuNs) * (1 + 0.3 * (index % 4 < 2 ? 0 : 1));
    });
    expect(kindsOf(noisy)).not.toContain('wake-ups');
    expect(sleeping(0, 1, (result) => Object.assign(result.environment, { wakeUp: null }))).toEqual(
      [],
    );
  });

  test('not if it sleeps beside both, if nothing was counted, or if the row has no figures', () => {
    expect(sleeping(0.985, 1)).toEqual([]);
    const failed = sleeping(0, 1, ({ pairs }) => {
      for (const { faults, scenario } of pairs) if (scenario === 'other') faults.push(fakeFault());
    });
    expect(kindsOf(failed)).toEqual(['invalid']);
    const uncounted = sleeping(0, 1, ({ pairs }) => {
      for (const { duets } of pairs) Object.assign(duets[0]?.scenario ?? {}, { toolSleeps: null });
    });
    expect(uncounted).toEqual([]);
  });
});
