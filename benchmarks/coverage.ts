/**
 * How often tracetax's intervals hold the truth, on the noise of real results.
 *
 *     bun run benchmarks/coverage.ts RESULT...
 *
 * The residuals of each row's pairs, in units of their standard deviation, go into one pool for each quantity. Its mean is
 * zero, which is the truth, and its shape is that of real noise; the factor √(n/(n-1)) gives it a variance of 1. A pool
 * repeats some values, and has no tails beyond (n-1)/√n deviations of a row of n. What that does is seen beside it, on
 * pools of the same shape made from normal noise, for which the intervals are exact.
 */
import { markdownTable } from 'markdown-table';
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { max, mean, min, probit, sampleStandardDeviation } from 'simple-statistics';
import { analyse } from '../harness/analysis/analysis.ts';
import { type Estimate, meanEstimate } from '../harness/analysis/estimate.ts';
import { QUANTITIES, type Quantity } from '../harness/analysis/figures.ts';
import { holdsZero } from '../harness/analysis/interval.ts';
import { rowsOf as rowsIn } from '../harness/analysis/rows.ts';
import { readResult } from '../harness/result/file.ts';

const RUNS = 5_000;
const NORMAL_POOLS = 10;
const PAIRS = [5, 10, 20];
const ROWS = 5;

const NAMES: Record<Quantity, string> = {
  latencyUs: 'change of mean latency',
  cpuUs: 'CPU per request',
  p99Us: 'change of p99',
  memoryBytes: 'memory',
};
const ALARMS = `False alarms in a table of ${ROWS} rows (5 %)`;

const generator = xoroshiro128plus(2026);
const random = () => uniformFloat64(generator);
const tasks = process.argv.slice(2).flatMap((file) => analyse(readResult(file)).tasks);
/** The differences of every row that has enough of them. */
function rowsOf(quantity: Quantity): number[][] {
  return tasks
    .flatMap(rowsIn)
    .map((row) => row.change[quantity]?.differences ?? [])
    .filter((row) => row.length >= 3 && sampleStandardDeviation(row) > 0);
}

function poolOf(rows: number[][]): number[] {
  return rows.flatMap((row) => {
    const scale = Math.sqrt(row.length / (row.length - 1)) / sampleStandardDeviation(row);
    return row.map((each) => (each - mean(row)) * scale);
  });
}

function draw(pool: number[], count: number): number[] {
  return times(count, () => pool[Math.floor(random() * pool.length)] as number);
}

/** Each interval alone, and all of a table together. */
function coverageTable(): string {
  const rows = QUANTITIES.flatMap((quantity) => {
    const real = rowsOf(quantity);
    if (real.length === 0) return [];
    const normal = times(NORMAL_POOLS, () =>
      poolOf(real.map((row) => row.map(() => probit(random())))),
    );
    const pool = poolOf(real);
    return PAIRS.map((pairs) => {
      const covered = shareOf(times(RUNS, () => holdsZero(meanEstimate(draw(pool, pairs)))));
      const usual = normal.map((each) => alarms(each, pairs));
      const range = `${percent(min(usual))} to ${percent(max(usual))}`;
      return [NAMES[quantity], `${pairs}`, percent(covered), percent(alarms(pool, pairs)), range];
    });
  });
  const headings = [
    'Quantity',
    'Pairs',
    'Intervals that hold the truth (95 %)',
    ALARMS,
    'the same, normal noise',
  ];
  return markdownTable([headings, ...rows]);
}

function alarms(pool: number[], pairs: number): number {
  return shareOf(
    times(RUNS, () => times(ROWS, () => meanEstimate(draw(pool, pairs), ROWS)).some(isAlarm)),
  );
}

const isAlarm = (each: Estimate) => !holdsZero(each);
const times = <Value>(count: number, make: () => Value) => Array.from({ length: count }, make);
const shareOf = (happened: boolean[]) => happened.filter(Boolean).length / happened.length;
const percent = (share: number) => `${(share * 100).toFixed(1)} %`;

if (tasks.length === 0) throw new Error('Name one result file or more');
console.log(coverageTable());
