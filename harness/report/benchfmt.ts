import type { DuetFork, Result, SoloMeasurement } from '../results/schema.ts';
import { cpuPerRequestUs } from '../stats/duet.ts';
import { throughput } from '../stats/solo.ts';
import { type TaskSummary, taskResults } from '../stats/tasks.ts';
import { ONLY_TASK } from '../suite/schema.ts';
import { oneLine } from './printable.ts';

/** A figure and its unit; benchstat makes seconds of ns. */
type Figure = [value: number, unit: string];

/**
 * The valid measurements in Go's benchmark format, for benchstat and its like: one line for each scenario and round or
 * fork (https://go.dev/design/14313-benchmark-format). The configuration holds what must be the same for a comparison
 * to make sense, and no more: benchstat puts results of different configurations in different tables.
 */
export function benchfmtReport(result: Result): string {
  return [...configuration(result), ...UNITS, ...taskResults(result).flatMap(linesOf)].join('\n');
}

const UNITS = [
  'Unit cpu-ns/req better=lower',
  'Unit cpu-x-baseline better=lower',
  'Unit req/s better=higher',
];

function configuration({ suite, configuration, environment, tool }: Result): string[] {
  const values = {
    suite: suite.name,
    cpu: environment.cpu,
    cores: environment.cores,
    kernel: environment.kernel,
    runtime: `${environment.runtime.name} ${environment.runtime.version}`,
    loadtool: `${tool.name} ${tool.version}`,
    connections: configuration.connections,
  };
  return Object.entries(values).map(([key, value]) => `${key}: ${oneLine(String(value))}`);
}

function linesOf({ task, result }: ReturnType<typeof taskResults>[number]): string[] {
  const solo = result.soloRounds.flatMap(({ measurements }) => measurements.filter(isValid));
  return [
    ...solo.map((each) =>
      line(nameOf(result, task, each.scenario, 'solo'), each.load.requests, soloFigures(each)),
    ),
    ...result.duetForks
      .filter(isValid)
      .map((fork) => line(nameOf(result, task, fork.scenario, 'duet'), requestsOf(fork), duetFigures(fork))),
  ].filter((each) => each !== '');
}

function soloFigures({ load }: SoloMeasurement): Figure[] {
  return [
    [(load.latencyUs?.mean ?? Number.NaN) * 1_000, 'latency-ns/req'],
    [(load.latencyUs?.p99 ?? Number.NaN) * 1_000, 'p99-latency-ns/req'],
    [throughput(load), 'req/s'],
  ];
}

/** The ratio is what to compare: both sides of it saw the same machine at the same time. */
function duetFigures(fork: DuetFork): Figure[] {
  const scenarioUs = cpuPerRequestUs([fork], 'scenario');
  return [
    [scenarioUs * 1_000, 'cpu-ns/req'],
    [scenarioUs / cpuPerRequestUs([fork], 'baseline'), 'cpu-x-baseline'],
  ];
}

function requestsOf({ slices }: DuetFork): number {
  return slices.reduce((sum, { scenario }) => sum + scenario.load.requests, 0);
}

function isValid({ invalid }: { invalid: string[] }): boolean {
  return invalid.length === 0;
}

/** Ends with the kind of measurement, since a number after the last dash would be read as a number of cores. */
function nameOf({ suite }: Result, task: TaskSummary, scenario: string, kind: 'solo' | 'duet'): string {
  const word = (text: string) => text.replace(/[^\w.-]/g, '_');
  const ofTask = task.name === ONLY_TASK ? '' : `/task=${word(task.name)}`;
  const [first = '', ...rest] = word(suite.name);
  return `Benchmark${first.toUpperCase()}${rest.join('')}${ofTask}/scenario=${word(scenario)}/by=${kind}`;
}

/** Empty where there is no figure. */
function line(name: string, iterations: number, figures: Figure[]): string {
  const told = figures.filter(([value]) => Number.isFinite(value));
  if (told.length === 0 || !Number.isFinite(iterations)) return '';
  return [name, Math.round(iterations), ...told.map(([value, unit]) => `${value} ${unit}`)].join(' ');
}
