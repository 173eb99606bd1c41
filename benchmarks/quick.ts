/**
 * Which split of pairs and slices gives the narrowest intervals in the three minutes of a quick run
 * of five rows? Pairs and slices of results are drawn again, as each split would have had them.
 *
 *     bun run benchmarks/quick.ts RESULT...
 *
 * The more hours the results are of, the better: a bad second hurts a split with one slice a pair
 * the most.
 */
import { markdownTable } from 'markdown-table';
import { mean, quantile, sample } from 'simple-statistics';
import { halfWidth } from '../harness/analysis/interval.ts';
import { meanEstimate } from '../harness/analysis/mean-estimate.ts';
import { difference, type Quantity } from '../harness/analysis/quantities.ts';
import { readResult } from '../harness/result/file.ts';
import type { Pair } from '../harness/result/schema.ts';
import levels from '../suites/levels.ts';

const SECONDS_A_ROW = 36;
/** What a pair takes but for its slices of 1 s, and what each of those takes more. */
const PAIR_SECONDS = 0.3 + levels.quick.warmupSeconds;
const SLICE_SECONDS = 1.08;
const DRAWS = 500;
const MOST_SLICES = 3;

/** All that fit, with as many pairs as do. */
const splits = [1, 2, 3]
  .flatMap((alternating) => [1, 2, 3].map((duets) => ({ alternating, duets })))
  .map((split) => {
    const seconds = PAIR_SECONDS + SLICE_SECONDS * (2 * split.alternating + split.duets);
    return { ...split, pairs: Math.floor(SECONDS_A_ROW / seconds) };
  })
  .filter(({ pairs }) => pairs > 1);

const rows = process.argv.slice(2).flatMap((file) => {
  const pairs = readResult(file).pairs.filter(({ faults }) => faults.length === 0);
  const byRow = Map.groupBy(pairs, ({ task, scenario }) => `${task} ${scenario}`);
  return [...byRow.values()].filter((row) => row.length > 1 && row.every(hasAllSlices));
});
if (rows.length === 0) throw new Error('name results whose pairs have three slices of each kind');

const widths = splits.map((split) => {
  const drawn = rows.map((row) => Array.from({ length: DRAWS }, () => widthsOf(row, split)));
  return { split, drawn };
});
const [first] = widths;
console.log(
  markdownTable([
    ['Pairs', 'Alternating', 'Duets', 'Change in ms', '9 of 10', 'CPU', '9 of 10'],
    ...widths.map(({ split, drawn }) => [
      ...[split.pairs, split.alternating, split.duets].map(String),
      ...(['latencyUs', 'cpuUs'] as const).flatMap((of) =>
        [0.5, 0.9].map((share) => {
          // Rows differ much, so each is compared with itself in the first split.
          const ratios = drawn.map(
            (own, row) => at(own, of, share) / at(first?.drawn[row] ?? [], of, 0.5),
          );
          return mean(ratios).toFixed(2);
        }),
      ),
    ]),
  ]),
);
console.log(`\nWidths of intervals, of ${rows.length} rows; 1 is the median of the first line.`);

function hasAllSlices({ alternating, duets }: Pair): boolean {
  return Math.min(alternating.length, duets.length) >= MOST_SLICES;
}

type Widths = ReturnType<typeof widthsOf>;

function at(drawn: Widths[], of: keyof Widths, share: number): number {
  return quantile(
    drawn.map((each) => each[of]),
    share,
  );
}

/** Of one draw. Pairs may come twice, slices of a pair may not. */
function widthsOf(row: Pair[], { pairs, alternating, duets }: (typeof splits)[number]) {
  const drawn = Array.from({ length: pairs }, () => {
    const [pair] = sample(row, 1, Math.random) as [Pair];
    const some = <T>(slices: T[], count: number) =>
      sample(slices, Math.min(count, slices.length), Math.random);
    return {
      ...pair,
      alternating: some(pair.alternating, alternating),
      duets: some(pair.duets, duets),
    };
  });
  const width = (of: Quantity) =>
    halfWidth(meanEstimate(drawn.map((pair) => difference(pair, of))));
  return { latencyUs: width('latencyUs'), cpuUs: width('cpuUs') };
}
