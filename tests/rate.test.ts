// A run at a steady rate, and one along a curve, with a real load tool.
import { expect, test } from 'bun:test';
import { HI, LIMIT_MS, SHORT, tableIn, WHOLE, Workplace } from './bench.ts';

test(
  'a part of what the baseline can do: the rate is found, held and said, and CPU is the headline',
  async () => {
    await using place = new Workplace();
    const suite = place.suite({ base: `await Bun.sleep(5); ${HI}`, other: `await Bun.sleep(5); ${HI}` });
    const run = await place.measure([...SHORT, '--rate', '30%', '--suite', suite]);
    expect(run.outcome).toMatchObject({ stoppedBy: null, faults: [] });
    const [task] = run.result.suite.tasks;
    const rate = Number(task?.rate);
    expect(task?.rateShare).toBe(0.3);
    // Four connections, 5 ms and a little each.
    expect(rate).toBeWithin(40, 241);
    expect(tableIn(run.stdout).headings.slice(0, 2)).toEqual(['Scenario', 'Server CPU per request']);
    expect(run.stdout).toContain(`at ${rate} requests/s (30 % of what the baseline can do)`);
    for (const { alternating, sliceSeconds } of run.result.pairs)
      for (const { baseline, late } of alternating) {
        // A machine that is busy with something else may not hold it.
        expect(baseline.requests / (rate * sliceSeconds)).toBeWithin(late === null ? 0.98 : 0, 1.2);
      }
  },
  LIMIT_MS,
);

test(
  'a sweep: a row for each value, each server with its own, and the line through them',
  async () => {
    await using place = new Workplace();
    const burn = 'const end = performance.now() + Number(process.env.MS ?? 0); while (performance.now() < end);';
    const sweep = { env: 'MS', values: [0, 0.5, 1], unit: 'ms' };
    const suite = place.suite({ base: HI, burns: `${burn} ${HI}` }, { sweep });
    const run = await place.measure([...SHORT, '--pairs', '2', '--duration', '2s', '--suite', suite]);
    expect(run.outcome).toEqual(WHOLE);
    const values = ['burns, MS=0', 'burns, MS=0.5', 'burns, MS=1'];
    expect(Object.keys(tableIn(run.stdout).rows)).toEqual(['base', ...values, 'Baseline against itself']);
    // The two servers of a duet share a core, so that some of the time is not its own.
    expect(run.analysis.curves[0]?.slope.value).toBeGreaterThan(0);
  },
  LIMIT_MS,
);
