import { expect, spyOn, test } from 'bun:test';
import { fakeAnalysis } from '../testing/fake-analysis.ts';
import { fakePairs } from '../testing/fakes.ts';
import { judge, type RunLimits } from './comparison.ts';

/** The status of a run that costs 2 µs in 10, and what was said of it. */
function judged(limits: RunLimits, run = fakeAnalysis()) {
  const said = spyOn(process.stderr, 'write').mockReturnValue(true);
  try {
    return { status: judge(run, limits), lines: said.mock.calls.map(([line]) => String(line).trim()) };
  } finally {
    said.mockRestore();
  }
}

test('a run fails by the lower end of an interval, with a line that names the row', () => {
  const passed = { status: 0, lines: [] };
  expect(judged({})).toEqual(passed);
  expect(judged({ failAbove: { value: 2, unit: 'us' } })).toEqual(passed);
  expect(judged({ failAbove: { value: 21, unit: '%' } })).toEqual(passed);
  expect(judged({ failAboveP99: 1e6 })).toEqual(passed);
  expect(judged({ failAbove: { value: 1.9, unit: 'us' } })).toEqual({
    status: 1,
    lines: [
      expect.stringMatching(/^tracetax: Other costs \+2\.\d+ ±\S+ µs CPU per request \(\+20.* %\), above 1\.9 µs\.$/),
    ],
  });
  const p99 = judged({ failAboveP99: 1 });
  expect(p99).toMatchObject({
    status: 1,
    lines: [expect.stringMatching(/^tracetax: Other adds .* ms to p99, above /)],
  });
});

test('a row that can not be judged fails', () => {
  const single = fakeAnalysis(undefined, fakePairs('other', [12]));
  for (const limits of [{ failAbove: { value: 1, unit: 'us' } }, { failAboveP99: 1 }] as const)
    expect(judged(limits, single)).toMatchObject({
      status: 1,
      lines: [expect.stringContaining('could not be judged')],
    });
});
