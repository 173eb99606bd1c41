import { expect, spyOn, test } from 'bun:test';
import type { Run } from '../analysis/analysis.ts';
import { fakeAnalysis } from '../testing/fake-analysis.ts';
import { fakeFault, fakePairs } from '../testing/fakes.ts';
import { judge, type RunLimits } from './comparison.ts';

/** The status of a run that costs 2 µs in 10, and what was said of it. */
function judged(limits: RunLimits, run = fakeAnalysis()) {
  const said = spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    return {
      status: judge(run, limits),
      lines: said.mock.calls.map(([line]) => String(line).trim()),
    };
  } finally {
    said.mockRestore();
  }
}

test('a run fails by the lower end of an interval, or if a row can not be judged, with a line that names it', () => {
  const passed = { status: 0, lines: [] };
  expect(judged({})).toEqual(passed);
  expect(judged({ failAbove: { value: 2, unit: 'us' } })).toEqual(passed);
  expect(judged({ failAbove: { value: 21, unit: '%' } })).toEqual(passed);
  expect(judged({ failAboveP99: 1e6 })).toEqual(passed);
  const failed = (limits: RunLimits, line: RegExp, run?: Run) =>
    expect(judged(limits, run)).toEqual({ status: 1, lines: [expect.stringMatching(line)] });
  const cost =
    /^tracetax: Other adds \+2\.\d+ ±\S+ µs \(\+20.* %\) to CPU per request, above 1\.9 µs\.$/;
  failed({ failAbove: { value: 1.9, unit: 'us' } }, cost);
  failed({ failAboveP99: 1 }, /^tracetax: Other adds .* ms \(.* %\) to p99, above 0\.001 ms\.$/);
  const single = fakeAnalysis(undefined, fakePairs('other', [12]));
  failed({ failAbove: { value: 1, unit: 'us' } }, /could not be judged/, single);
  failed({ failAboveP99: 1 }, /could not be judged/, single);
  const run = fakeAnalysis();
  const skipped = [{ scenario: 'Third', fault: fakeFault({ what: 'gone' }), tasks: [] }];
  const without = { ...run, header: { ...run.header, suite: { ...run.header.suite, skipped } } };
  const both = { failAbove: { value: 9, unit: 'us' }, failAboveP99: 1e6 } as const;
  failed(both, /^tracetax: Third could not be judged: gone\.$/, without);
});
