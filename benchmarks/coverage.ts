/**
 * How often the 95 % interval of a duet covers the truth, on synthetic data whose truth is known: the kit's interval
 * (Student's t over forks) beside a percentile bootstrap over forks and slices within forks.
 *
 *     bun run benchmarks/coverage.ts
 */
import { markdownTable } from 'markdown-table';
import { median, quantileSorted } from 'simple-statistics';
import { randomSource } from '../harness/measure/order.ts';
import { cpuPerRequestUs, ratioEstimate } from '../harness/stats/duet.ts';
import { contains, halfWidth, type Interval } from '../harness/stats/interval.ts';
import { syntheticForks } from '../harness/testing/synthetic.ts';

const RUNS = 600;
const RESAMPLES = 400;
const SHAPES = [
  [3, 10],
  [6, 5],
  [10, 3],
  [15, 2],
] as const;
const TRUE_RATIO = 1;

type Forks = ReturnType<typeof syntheticForks>;

const random = randomSource(2026);
const pick = <T>(values: T[]): T => values[Math.floor(random() * values.length)] as T;

function bootstrapInterval(forks: Forks): Interval {
  const resample = () =>
    forks.map(() => pick(forks)).map(({ slices }) => ({ slices: slices.map(() => pick(slices)) }));
  const ratios = Array.from({ length: RESAMPLES }, () => {
    const sample = resample();
    return cpuPerRequestUs(sample, 'scenario') / cpuPerRequestUs(sample, 'baseline');
  }).sort((a, b) => a - b);
  return { low: quantileSorted(ratios, 0.025), high: quantileSorted(ratios, 0.975) };
}

function describe(intervals: Interval[]): string {
  const covered = intervals.filter((interval) => contains(interval, TRUE_RATIO)).length / intervals.length;
  return `${(covered * 100).toFixed(1)} % ±${(median(intervals.map(halfWidth)) * 100).toFixed(2)} %`;
}

const rows = SHAPES.flatMap(([forks, slices]) =>
  [0, 0.003, 0.01].flatMap((betweenForks) =>
    [0, 0.1].map((bursts) => {
      const weather = { ratio: TRUE_RATIO, betweenForks, betweenSlices: 0.01, drift: 0.05, bursts };
      const runs = Array.from({ length: RUNS }, () => syntheticForks(forks, slices, weather, random));
      return [
        `${forks} x ${slices}`,
        `${betweenForks * 100} %`,
        bursts ? 'yes' : 'no',
        describe(runs.map((run) => ratioEstimate(run).interval as Interval)),
        describe(runs.map(bootstrapInterval)),
      ];
    }),
  ),
);
const header = [
  'forks x slices',
  'forks differ by',
  'bursts',
  "Student's t over forks",
  'bootstrap over forks and slices',
];
console.log(markdownTable([header, ...rows]));
