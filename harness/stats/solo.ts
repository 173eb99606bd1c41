import { max, mean, median, min, sum } from 'simple-statistics';
import type { Result, SoloMeasurement } from '../results/schema.ts';
import { type Interval, mapInterval, meanInterval } from './interval.ts';

/** A scenario's solo measurements against the baseline's. Times in µs, throughput in requests a second. */
export interface SoloRow {
  scenario: string;
  title: string;
  isBaseline: boolean;
  /** Why there are no figures; empty where there are. */
  invalid: string[];
  figures: SoloFigures | undefined;
  /** Requests that failed, in all rounds. */
  errors: number;
  /** The measurement whose mean latency is the median of the rounds, and its round, from 1. */
  typical: { measurement: SoloMeasurement; round: number } | undefined;
}

export interface SoloFigures {
  latencyUs: LatencySummary;
  /** Requests of all rounds / seconds of all rounds. */
  throughput: number;
  /** CPU time of the server / its load's seconds, 1 for a busy core; null where no clock tells. */
  cpuShare: number | null;
  /** CPU time of the server / requests, in µs; null where no clock tells. */
  cpuPerRequestUs: number | null;
  /** Undefined for the baseline, and where the baseline's own measurements are invalid. */
  change: SoloChange | undefined;
}

/** Mean of the rounds' means, and the medians of the rounds' percentiles: null where the tool does not tell. */
export interface LatencySummary {
  mean: number;
  p50: number | null;
  p75: number | null;
  p95: number | null;
  p99: number | null;
  /** The largest of all rounds. */
  max: number | null;
}

/** Differences are taken within a round, where both sides saw the machine in much the same state. */
export interface SoloChange {
  perRoundUs: number[];
  meanUs: number;
  /** 95 %, from the rounds' differences; undefined where there are too few rounds. */
  intervalUs: Interval | undefined;
  minUs: number;
  maxUs: number;
  /** Of throughput, relative: -0.1 is 10 % less. Mean of the logs of the rounds' ratios. */
  throughput: number;
  /** 95 %; undefined where there are too few rounds. */
  throughputInterval: Interval | undefined;
}

/** One row for each scenario in the suite's order, from the complete rounds of the result. */
export function soloRows(result: Result): SoloRow[] {
  const { baseline, scenarios } = result.suite;
  const base = measurementsOf(result, baseline);
  return scenarios.map(({ name, title }) => {
    const own = measurementsOf(result, name);
    const invalid = own.flatMap((measurement, round) =>
      measurement.invalid.map((reason) => `round ${round + 1}: ${reason}`),
    );
    const figures =
      invalid.length === 0 && own.length > 0
        ? figuresOf(own, name === baseline ? undefined : base)
        : undefined;
    return {
      scenario: name,
      title,
      isBaseline: name === baseline,
      invalid,
      figures,
      errors: sum(own.flatMap(({ load }) => load.errors.map(({ count }) => count))),
      typical: typicalOf(own),
    };
  });
}

/** A scenario's solo measurements, in the order of the rounds. */
export function measurementsOf(result: Result, scenario: string): SoloMeasurement[] {
  return result.soloRounds.flatMap((round) =>
    round.measurements.filter((each) => each.scenario === scenario),
  );
}

function figuresOf(own: SoloMeasurement[], base: SoloMeasurement[] | undefined): SoloFigures {
  return {
    latencyUs: {
      mean: mean(own.map(meanLatency)),
      p50: percentile(own, 'p50'),
      p75: percentile(own, 'p75'),
      p95: percentile(own, 'p95'),
      p99: percentile(own, 'p99'),
      max: slowest(own),
    },
    throughput: totalThroughput(own),
    ...cpuFigures(own),
    change: base?.every((measurement) => measurement.invalid.length === 0)
      ? changeFrom(base, own)
      : undefined,
  };
}

function cpuFigures(own: SoloMeasurement[]): Pick<SoloFigures, 'cpuShare' | 'cpuPerRequestUs'> {
  if (own.some(({ cpuNs }) => cpuNs === null)) return { cpuShare: null, cpuPerRequestUs: null };
  const cpuNs = sum(own.map((measurement) => measurement.cpuNs as number));
  return {
    cpuShare: cpuNs / 1e9 / sum(own.map(({ load }) => load.seconds)),
    cpuPerRequestUs: cpuNs / 1e3 / sum(own.map(({ load }) => load.requests)),
  };
}

function typicalOf(own: SoloMeasurement[]): SoloRow['typical'] {
  const byLatency = own.map((measurement, index) => ({ measurement, round: index + 1 }));
  byLatency.sort((a, b) => meanLatency(a.measurement) - meanLatency(b.measurement));
  return byLatency[Math.floor((byLatency.length - 1) / 2)];
}

function changeFrom(base: SoloMeasurement[], own: SoloMeasurement[]): SoloChange {
  const perRoundUs = own.map(
    (measurement, round) => meanLatency(measurement) - meanLatency(base[round] as SoloMeasurement),
  );
  const logs = own.map((measurement, round) =>
    Math.log(throughput(measurement.load) / throughput((base[round] as SoloMeasurement).load)),
  );
  const interval = meanInterval(logs);
  const asChange = (log: number) => Math.exp(log) - 1;
  return {
    perRoundUs,
    meanUs: mean(perRoundUs),
    intervalUs: meanInterval(perRoundUs),
    minUs: min(perRoundUs),
    maxUs: max(perRoundUs),
    throughput: asChange(mean(logs)),
    throughputInterval: interval && mapInterval(interval, asChange),
  };
}

function meanLatency({ load }: SoloMeasurement): number {
  return load.latencyUs?.mean ?? Number.NaN;
}

/** Throughput in requests a second: never the mean of short samples that some load tools print beside it. */
export function throughput({
  requests,
  seconds,
}: Pick<SoloMeasurement['load'], 'requests' | 'seconds'>): number {
  return requests / seconds;
}

function totalThroughput(measurements: SoloMeasurement[]): number {
  const total = (field: 'requests' | 'seconds') => sum(measurements.map(({ load }) => load[field]));
  return throughput({ requests: total('requests'), seconds: total('seconds') });
}

function percentile(measurements: SoloMeasurement[], name: 'p50' | 'p75' | 'p95' | 'p99'): number | null {
  const values = measurements.map(({ load }) => load.latencyUs?.[name] ?? null);
  return values.includes(null) ? null : median(values as number[]);
}

function slowest(measurements: SoloMeasurement[]): number | null {
  const values = measurements.map(({ load }) => load.latencyUs?.max ?? null);
  return values.includes(null) ? null : max(values as number[]);
}
