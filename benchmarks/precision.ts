/**
 * What a duet tells apart, beside what sequential runs of the same total load do, in one go: the baseline against itself
 * (the truth is 0 %), many times over, each with fresh servers.
 *
 *     PATH=$PWD/.tools/bin:$PATH bun run benchmarks/precision.ts [runs] [file for the raw figures]
 */
import { writeFileSync } from 'node:fs';
import { median, sampleStandardDeviation } from 'simple-statistics';
import { duetForks, measureDuet, SLICE_SECONDS } from '../harness/measure/duet.ts';
import { type Bench, measureSolo } from '../harness/measure/solo.ts';
import { type Plan, plan } from '../harness/plan.ts';
import { pinSelf } from '../harness/process/pinning.ts';
import type { DuetFork } from '../harness/results/schema.ts';
import { ratioEstimate } from '../harness/stats/duet.ts';
import { contains, halfWidth, type Interval } from '../harness/stats/interval.ts';
import type { Scenario } from '../harness/suite/schema.ts';

const RUNS = Number(process.argv[2] ?? 20);
const RAW_FILE = process.argv[3];

process.env.TRACETAX_LOAD ??= 'bombardier --fasthttp -c 100 -d 30s';
const planned: Plan = await plan({
  ...{
    suite: 'levels',
    scenarios: ['baseline'],
    tool: 'auto',
    format: 'docs',
    seed: 1,
    maxTime: 1,
    dryRun: false,
  },
  ...{ duet: true, duetOnly: true, quick: false, pin: true },
});
if (planned.pinning) pinSelf(planned.pinning.toolCores);
const baseline = planned.suite.scenarios[0] as Scenario;
const { forks, slices } = planned.configuration;
const loadSeconds = forks * slices * SLICE_SECONDS;

interface Figures {
  duetPercent: number;
  duetIntervalPercent: Interval;
  /** Difference of two sequential measurements, each of half the load. */
  sequentialLatencyPercent: number;
  sequentialCpuPercent: number;
}

async function duet(seed: number): Promise<Pick<Figures, 'duetPercent' | 'duetIntervalPercent'>> {
  const { clock } = planned;
  if (!clock) throw new Error('no CPU clock');
  const measured: DuetFork[] = [];
  const executor = (_: string, __: number, baselineFirst: boolean) =>
    measureDuet({ ...planned, clock }, { baseline, scenario: baseline }, slices, baselineFirst);
  for await (const fork of duetForks([baseline.name], { forks, seed }, executor)) measured.push(fork);
  const { ratio, interval } = ratioEstimate(measured);
  if (!interval) throw new Error('too few forks for an interval');
  const percent = (value: number) => (value - 1) * 100;
  return {
    duetPercent: percent(ratio),
    duetIntervalPercent: { low: percent(interval.low), high: percent(interval.high) },
  };
}

async function sequential(): Promise<Pick<Figures, 'sequentialLatencyPercent' | 'sequentialCpuPercent'>> {
  const bench: Bench = {
    ...planned,
    configuration: { ...planned.configuration, durationSeconds: loadSeconds / 2 },
  };
  const first = await measureSolo(bench, baseline);
  const second = await measureSolo(bench, baseline);
  const latency = ({ load }: typeof first) => load.latencyUs?.mean ?? Number.NaN;
  const cpu = ({ cpuNs, load }: typeof first) => (cpuNs ?? Number.NaN) / load.requests;
  return {
    sequentialLatencyPercent: (latency(second) / latency(first) - 1) * 100,
    sequentialCpuPercent: (cpu(second) / cpu(first) - 1) * 100,
  };
}

const all: Figures[] = [];
for (let run = 0; run < RUNS; run++) {
  const figures = { ...(await duet(run)), ...(await sequential()) };
  all.push(figures);
  const {
    duetPercent,
    duetIntervalPercent: interval,
    sequentialLatencyPercent,
    sequentialCpuPercent,
  } = figures;
  console.log(
    `run ${run + 1}: duet ${duetPercent.toFixed(2)} % (${interval.low.toFixed(2)} … ${interval.high.toFixed(2)}), ` +
      `sequential latency ${sequentialLatencyPercent.toFixed(1)} %, CPU ${sequentialCpuPercent.toFixed(1)} %`,
  );
  if (RAW_FILE)
    writeFileSync(
      RAW_FILE,
      `${JSON.stringify({ forks, slices, tool: planned.tool.version, figures: all }, null, 1)}\n`,
    );
}

const deviation = (select: (figures: Figures) => number) => sampleStandardDeviation(all.map(select));
const duetDeviation = deviation(({ duetPercent }) => duetPercent);
const compare = (name: string, value: number) =>
  `standard deviation of sequential ${name}: ${value.toFixed(2)} %, ${(value / duetDeviation).toFixed(1)} x the duet's`;
const covering = all.filter(({ duetIntervalPercent }) => contains(duetIntervalPercent, 0)).length;
console.log(
  [
    '',
    `${RUNS} runs of ${loadSeconds} s of load each way, baseline against itself`,
    `standard deviation of the duet's estimate: ${duetDeviation.toFixed(2)} %`,
    `95 % interval of the duet: ±${median(all.map((each) => halfWidth(each.duetIntervalPercent))).toFixed(2)} % in the median; ${covering} of ${RUNS} contain zero`,
    compare(
      'latency',
      deviation((each) => each.sequentialLatencyPercent),
    ),
    compare(
      'CPU per request',
      deviation((each) => each.sequentialCpuPercent),
    ),
  ].join('\n'),
);
