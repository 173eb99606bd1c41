// Time by precision, for real: a run that ends before its rows are known.
import { expect } from 'bun:test';
import { sum } from 'simple-statistics';
import { HI } from '../../harness/testing/sources.ts';
import { testConcurrently } from '../support/workplace.ts';

const SHORT_PAIRS = ['--duration', '1s', '--duet-slices', '1', '--warmup', '0s'];
const OUT = ['--out', 'out.json', '--connections', '4', '--tool', 'bombardier'];

testConcurrently(
  'a run ends in time, says which rows fell short and of what, and how it goes on',
  async (place) => {
    const suite = place.suite({ a: HI, b: HI });
    const asked = ['--within', '0.1%', '--at-most', '12s'];
    const args = ['--suite', suite, ...OUT, ...SHORT_PAIRS, ...asked];
    const { result, stdout, stderr, warnings } = await place.measure(args);
    const pairSeconds = result.pairs.map(({ seconds }) => sum(Object.values(seconds)));
    // The last pair began in time; how long it takes is the machine's affair.
    expect(sum(pairSeconds.slice(0, -1))).toBeLessThan(12);
    expect(result).toMatchObject({ endReason: 'time', stoppedBy: null });
    expect(result.configuration).toMatchObject({
      within: { value: 0.1, unit: '%' },
      pairs: 4,
      mostPairs: 30,
      atMostSeconds: 12,
    });
    expect(result.pairs.length).toBeGreaterThan(0);
    expect(warnings).toContain('imprecise');
    expect(stdout).toMatch(
      /(1 row not known within 0\.1 %:|[2-9] rows not known within 0\.1 %, least well) /,
    );
    expect(stderr).toContain('To go on with it: ');
  },
);
