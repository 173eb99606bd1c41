// A rate that is a share of what the baseline can do.
import { expect } from 'bun:test';
import { HI } from '../../harness/testing/sources.ts';
import { parseTable } from '../support/results.ts';
import { SHORT_RUN } from '../support/short-runs.ts';
import { testConcurrently } from '../support/workplace.ts';

testConcurrently(
  'a part of what the baseline can do: the rate is found, held and said',
  async (place) => {
    const suite = place.suite({
      base: `await Bun.sleep(5); ${HI}`,
      other: `await Bun.sleep(5); ${HI}`,
    });
    const run = await place.measure([...SHORT_RUN, '--rate', '30%', '--suite', suite]);
    expect(run.outcome.stoppedBy).toBeNull();
    // A machine that is busy with something else may not hold it.
    expect(run.outcome.faults.filter(({ what }) => what !== 'rate not held')).toEqual([]);
    const [task] = run.result.suite.tasks;
    const rate = Number(task?.rate);
    expect(task?.rateShare).toBe(0.3);
    // Four connections, 5 ms each, and more on a busy machine.
    expect(rate).toBeWithin(1, 241);
    expect(parseTable(run.stdout).headings.slice(0, 2)).toEqual([
      'Scenario',
      'Server CPU per request',
    ]);
    // A table without figures explains no columns: each of its rows is invalid.
    const cells = Object.values(parseTable(run.stdout).rows).flat();
    expect(run.stdout).toContain(
      cells.some((cell) => /\d/.test(cell))
        ? `at ${rate} requests/s (30 % of what the baseline can do)`
        : 'invalid',
    );
    for (const { alternating, sliceSeconds } of run.result.pairs)
      for (const { baseline, rateShortfall } of alternating) {
        expect(baseline.requests / (rate * sliceSeconds)).toBeWithin(
          rateShortfall === null ? 0.98 : 0,
          1.2,
        );
      }
  },
);
