/**
 * What a duet tells apart, beside what sequential runs of the same total load do, in one go: the baseline against itself
 * (the truth is 0 %), many times over, each with fresh servers.
 *
 *     PATH=$PWD/.tools/bin:$PATH bun run benchmarks/precision.ts FILE [RUNS]
 *
 * Raw figures are kept in FILE; where that is there already, what it holds is printed again and nothing is measured.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { markdownTable } from 'markdown-table';
import { median, sampleStandardDeviation } from 'simple-statistics';
import { duetForks, measureDuet } from '../harness/measure/duet.ts';
import { type Bench, measureSolo } from '../harness/measure/solo.ts';
import type { DuetFork, SoloMeasurement } from '../harness/results/schema.ts';
import { ratioEstimate } from '../harness/stats/duet.ts';
import { contains, halfWidth, type Interval, mapInterval } from '../harness/stats/interval.ts';
import { type LevelsPlan, levelsPlan } from './levels-plan.ts';

const [file = 'results/precision.json', runs = '20'] = process.argv.slice(2);

interface Figures {
  duetPercent: number;
  duetIntervalPercent: Interval;
  /** Difference of two sequential measurements, each of half the load. */
  sequentialLatencyPercent: number;
  sequentialCpuPercent: number;
}

interface Precision {
  tool: string;
  forks: number;
  slices: number;
  figures: Figures[];
}

if (!existsSync(file)) await measure(Number(runs));
console.log(report(JSON.parse(readFileSync(file, 'utf8')) as Precision));

async function measure(count: number): Promise<void> {
  const planned = await levelsPlan(['baseline']);
  const { forks, slices } = planned.configuration;
  const precision: Precision = {
    tool: `${planned.tool.tool.name} ${planned.tool.version}`,
    forks,
    slices,
    figures: [],
  };
  for (let run = 0; run < count; run++) {
    precision.figures.push({ ...(await duet(planned, run)), ...(await sequential(planned)) });
    console.log(line(precision.figures[run] as Figures, run));
    writeFileSync(file, `${JSON.stringify(precision, null, 1)}\n`);
  }
}

async function duet(
  planned: LevelsPlan,
  seed: number,
): Promise<Pick<Figures, 'duetPercent' | 'duetIntervalPercent'>> {
  const { task, configuration } = planned;
  const { baseline } = task;
  const measured: DuetFork[] = [];
  const executor = (_: string, __: string, ___: number, baselineFirst: boolean) =>
    measureDuet(planned, { baseline, scenario: baseline }, configuration.slices, baselineFirst);
  for await (const fork of duetForks(
    new Map([[task.name, [baseline.name]]]),
    { forks: configuration.forks, seed },
    executor,
  ))
    measured.push(fork);
  const { ratio, interval } = ratioEstimate(measured);
  if (!interval) throw new Error('too few forks for an interval');
  return { duetPercent: percent(ratio), duetIntervalPercent: mapInterval(interval, percent) };
}

/** Two measurements one after the other, which share the load of the duets. */
async function sequential(
  planned: LevelsPlan,
): Promise<Pick<Figures, 'sequentialLatencyPercent' | 'sequentialCpuPercent'>> {
  const { task, configuration } = planned;
  const durationSeconds = (configuration.forks * configuration.slices * configuration.sliceSeconds) / 2;
  const bench: Bench = { ...planned, configuration: { ...configuration, durationSeconds } };
  const first = await measureSolo(bench, task.baseline);
  const second = await measureSolo(bench, task.baseline);
  const latency = ({ load }: SoloMeasurement) => load.latencyUs?.mean ?? Number.NaN;
  const cpu = ({ cpuNs, load }: SoloMeasurement) => (cpuNs ?? Number.NaN) / load.requests;
  return {
    sequentialLatencyPercent: percent(latency(second) / latency(first)),
    sequentialCpuPercent: percent(cpu(second) / cpu(first)),
  };
}

function percent(ratio: number): number {
  return (ratio - 1) * 100;
}

function line(figures: Figures, run: number): string {
  const {
    duetPercent,
    duetIntervalPercent: interval,
    sequentialLatencyPercent,
    sequentialCpuPercent,
  } = figures;
  return (
    `run ${run + 1}: duet ${duetPercent.toFixed(2)} % (${interval.low.toFixed(2)} … ${interval.high.toFixed(2)}), ` +
    `sequential latency ${sequentialLatencyPercent.toFixed(1)} %, CPU ${sequentialCpuPercent.toFixed(1)} %`
  );
}

function report({ tool, forks, slices, figures }: Precision): string {
  const deviation = (select: (each: Figures) => number) => sampleStandardDeviation(figures.map(select));
  const duetDeviation = deviation(({ duetPercent }) => duetPercent);
  const row = (name: string, value: number) => [
    name,
    `${value.toFixed(2)} %`,
    `${(value / duetDeviation).toFixed(1)} x`,
  ];
  const table = markdownTable([
    ['Baseline against itself', 'Standard deviation', 'Of the duet'],
    row('duet, CPU per request', duetDeviation),
    row(
      'one after the other, CPU per request',
      deviation((each) => each.sequentialCpuPercent),
    ),
    row(
      'one after the other, mean latency',
      deviation((each) => each.sequentialLatencyPercent),
    ),
  ]);
  const halfWidths = figures.map((each) => halfWidth(each.duetIntervalPercent));
  const covering = figures.filter((each) => contains(each.duetIntervalPercent, 0)).length;
  return (
    `${table}\n\n${figures.length} runs, each way ${forks * slices} s of load (${tool}) on fresh servers. ` +
    `The duet's 95 % interval is ±${median(halfWidths).toFixed(2)} % in the median, and contains zero in ${covering} of ${figures.length} runs.`
  );
}
