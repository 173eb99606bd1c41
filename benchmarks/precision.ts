/**
 * The baseline against itself, in several ways in turn, with the same load on each server: slices of 1 s on ten pairs or on
 * thirty, and rounds one after the other on fresh servers. The truth is no difference.
 *
 *     PATH=$PWD/.tools/bin:$PATH bun run benchmarks/precision.ts FILE [RUNS] [SECONDS] [WAYS]
 *
 * Adds so many runs to FILE, of all ways or of those named (`slices,pairs,rounds`), and prints all that it holds. Without
 * RUNS, a new FILE gets 5, and one that is there is printed. SECONDS are those of a new FILE.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { markdownTable } from 'markdown-table';
import { median } from 'simple-statistics';
import { analyse } from '../harness/analysis/analysis.ts';
import { type Estimate, halfWidth, holdsZero } from '../harness/analysis/estimate.ts';
import { temporaryFolder } from '../harness/machine/watchdog.ts';
import { run } from '../harness/run.ts';
import { benchmarkPlan } from './benchmark-plan.ts';

const [file = 'precision.json', wantedRuns, wantedSeconds = '60', only] = process.argv.slice(2);
const isThere = existsSync(file);
const runs = Number(wantedRuns ?? (isThere ? 0 : 5));
const precision: Precision = isThere
  ? JSON.parse(readFileSync(file, 'utf8'))
  : { tool: '', seconds: Number(wantedSeconds), keepAwake: false, runs: [] };
const { seconds } = precision;

/** Seconds of load for each of so many: whole ones, as slices are. */
const secondsEach = (count: number) => Math.max(1, Math.round(seconds / count));

/** One way of measuring: its name in the file, its title, and what it is on the command line. */
const WAYS = [
  { name: 'slices', title: '10 pairs, slices of 1 s', pairs: 10, slice: 1, duetSlices: secondsEach(10) },
  { name: 'pairs', title: '30 pairs, slices of 1 s', pairs: 30, slice: 1, duetSlices: secondsEach(30) },
  { name: 'rounds', title: '3 rounds', pairs: 3, slice: secondsEach(3), duetSlices: 0 },
];

/** In % of what the baseline took. */
type Percent = Pick<Estimate, 'value' | 'low' | 'high' | 'n'>;

interface Precision {
  tool: string;
  seconds: number;
  keepAwake: boolean;
  runs: Record<string, { latency: Percent | null; cpu: Percent | null }>[];
}

const wanted = only?.split(',') ?? WAYS.map(({ name }) => name);
for (let more = 0; more < runs; more++) await measure();
console.log(report());

async function measure(): Promise<void> {
  const figures: Precision['runs'][number] = {};
  for (const { name, pairs, slice, duetSlices } of WAYS.filter((way) => wanted.includes(way.name))) {
    const options = { pairs, slice, duetSlices, duration: seconds, seed: precision.runs.length };
    const plan = await benchmarkPlan({ suite: 'levels', scenarios: ['baseline'], ...options });
    const { result, stoppedBy } = await run(plan, join(temporaryFolder(), 'result.json'));
    if (stoppedBy) throw stoppedBy;
    const { noiseFloor, baseline } = analyse(result).tasks[0] ?? {};
    const { latencyUs, cpuUs } = noiseFloor?.change ?? {};
    figures[name] = {
      latency: percent(latencyUs?.estimate, baseline?.figures?.latencyUs?.mean),
      cpu: percent(cpuUs?.estimate, baseline?.figures?.cpuUs),
    };
    precision.tool = `${result.tool.name} ${result.tool.version}`;
    precision.keepAwake = 'how' in result.keepAwake;
  }
  precision.runs.push(figures);
  writeFileSync(file, `${JSON.stringify(precision, null, 1)}\n`);
  console.log(`run ${precision.runs.length}: ${JSON.stringify(figures)}`);
}

function percent(estimate: Estimate | undefined, of: number | null | undefined): Percent | null {
  if (!estimate || !of) return null;
  const { value, low, high, n } = estimate;
  return { value: (value / of) * 100, low: (low / of) * 100, high: (high / of) * 100, n };
}

function report(): string {
  const { tool, keepAwake, runs } = precision;
  const row = (quantity: 'latency' | 'cpu', label: string, { name, title }: (typeof WAYS)[number]) => {
    const all = runs.map((run) => run[name]?.[quantity]).filter((each) => each !== null && each !== undefined);
    if (all.length === 0) return [];
    const widths = all.map(halfWidth);
    const cells = [
      `${label}, ${title}`,
      `±${median(widths).toFixed(2)} %`,
      `±${Math.min(...widths).toFixed(2)} to ±${Math.max(...widths).toFixed(2)} %`,
      `${all.filter(holdsZero).length} of ${all.length}`,
    ];
    return [cells];
  };
  const table = markdownTable([
    ['Baseline against itself', 'Median of the intervals', 'All intervals', 'Hold zero'],
    ...WAYS.flatMap((way) => row('latency', 'mean latency', way)),
    ...WAYS.flatMap((way) => row('cpu', 'CPU per request', way)),
  ]);
  const awake = keepAwake ? 'cores kept awake' : 'cores not kept awake';
  return `${table}\n\n${runs.length} runs, ${seconds} s of load on each server, ${tool}, ${awake}.`;
}
