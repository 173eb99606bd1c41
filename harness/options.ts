import { InvalidArgumentError, Option } from 'commander';
import { TOOL_NAMES, type ToolName } from './load/tool.ts';
import { Problem } from './problem.ts';
import { FORMATS, type Format } from './report/formats.ts';
import { RESULTS } from './results/file.ts';

/** What the user said on the command line; undefined where a default applies that depends on something else. */
export interface RunOptions {
  suite: string;
  scenarios?: string[];
  endpoints?: string[];
  connections?: number;
  duration?: number;
  requests?: number;
  warmup?: number;
  rounds?: number;
  tool: ToolName | 'auto';
  seed?: number;
  out?: string;
  format: Format;
  duet: boolean;
  duetOnly: boolean;
  forks?: number;
  slices?: number;
  precision?: Precision;
  maxTime: number;
  quick: boolean;
  pin: boolean;
  dryRun: boolean;
  /** Exit status 1 on any warning. */
  strict: boolean;
  /** In bytes. */
  bodySize?: number;
  exporter?: 'counting' | 'file' | 'otlp';
  compressible: boolean;
}

/** Half the width that an interval may have: µs a request, or % of the baseline's CPU per request. */
export interface Precision {
  value: number;
  unit: 'us' | '%';
}

/**
 * Rounds and times where neither user nor suite names any: for the five levels 8 minutes of solo measurements and 5 of
 * duets; quick about 2 in all. Many short forks beat few long ones: processes differ from each other (docs/method.md).
 */
export const FULL = { warmupSeconds: 2, rounds: 3, forks: 10, slices: 3, sliceSeconds: 1 };
export const QUICK = { ...FULL, durationSeconds: 3, warmupSeconds: 1, rounds: 2, forks: 5, slices: 2 };

const formatOption = () =>
  new Option(
    '--format <format>',
    'what to print: the table for documentation, everything, or the result for other programs',
  )
    .choices(FORMATS)
    .default('docs');

export const toolOption = () =>
  new Option('--tool <tool>', 'the load tool').choices(['auto', ...TOOL_NAMES]).default('auto');

export const runOptions = (): Option[] => [
  new Option('--suite <name|file>', 'what to compare: a suite of suites/, or the path of your own').default(
    'levels',
  ),
  new Option('--scenarios <a,b>', 'only these, and the baseline').argParser(nameList),
  new Option('--endpoints <a,b>', 'only these tasks of a suite that has several').argParser(nameList),
  new Option('--connections <n>', 'how many connections the load tool keeps busy (100)').argParser(
    countOf(1),
  ),
  new Option('--duration <time>', 'length of each measurement, such as 30s (30s; quick 3s)').argParser(
    wholeSeconds(1),
  ),
  new Option('--requests <n>', 'length of each measurement in requests, in place of a time').argParser(
    countOf(1),
  ),
  new Option('--warmup <time>', 'load before each measurement (2s; quick 1s)').argParser(wholeSeconds(0)),
  new Option('--rounds <n>', 'how often each scenario is measured (3; quick 2)').argParser(countOf(1)),
  new Option('--duet', 'measure server CPU per request too, by duets with the baseline (on)').default(true),
  new Option('--no-duet', 'change of latency alone'),
  new Option('--duet-only', 'server CPU per request alone').default(false),
  new Option('--forks <n>', 'fresh pairs of servers for each scenario (10; quick 5)').argParser(countOf(1)),
  new Option('--slices <n>', 'measurements of 1 s in each fork (3; quick 2)').argParser(countOf(1)),
  new Option(
    '--precision <width>',
    'add forks until every interval is within ± this, such as 0.3us or 1%',
  ).argParser(precision),
  new Option('--max-time <time>', 'how long to go on for --precision')
    .argParser(wholeSeconds(1))
    .default(1_800, '30m'),
  toolOption(),
  new Option('--seed <n>', 'of the random order (a random one)').argParser(countOf(0)),
  new Option('--out <file>', 'where the result goes (results/<time>-<suite>.json)'),
  formatOption(),
  new Option('--quick', 'about 2 minutes, for a first look, not for publishing').default(false),
  new Option('--no-pin', 'do not pin server and load tool to cores'),
  new Option('--body-size <size>', 'of what is sent, for suites about that (body-size: 50MB)').argParser(
    size,
  ),
  new Option(
    '--exporter <exporter>',
    'where spans go, for suites with a choice (workloads: counting)',
  ).choices(['counting', 'file', 'otlp']),
  new Option('--compressible', 'large payloads that compress well (workloads)').default(false),
  new Option('--strict', 'exit with status 1 on any warning').default(false),
  new Option('--dry-run', 'print the commands that would run, and run none').default(false),
];

/** Those that a calibration takes; what it measures is fixed. */
export const calibrateOptions = (): Option[] => {
  const wanted = ['connections', 'warmup', 'forks', 'slices', 'tool', 'seed', 'out', 'quick', 'pin'];
  return runOptions().filter((option) => wanted.includes(option.attributeName()));
};

export const reportOptions = (): Option[] => [
  formatOption(),
  new Option('--update <document>', 'put it between <!-- bench:SUITE --> and <!-- /bench --> in there'),
  new Option('--check', 'with --update: change nothing, and exit with status 1 where that would').default(
    false,
  ),
  new Option('--html <file>', 'write all of it as one page, with plots'),
  new Option('--svg <folder>', 'write the plots alone'),
];

export const compareOptions = (): Option[] => [
  new Option(
    '--fail-above <limit>',
    'exit with status 1 where an interval lies wholly above it, such as 5% or 1us',
  ).argParser(limit),
  new Option('--force', 'compare what is not comparable, and mark it').default(false),
  new Option('--format <format>', "a table, or a job's summary and annotations for GitHub Actions")
    .choices(['markdown', 'github'])
    .default('markdown'),
];

export const historyOptions = (): Option[] => [
  new Option('--folder <folder>', 'where the results are').default(RESULTS, 'results'),
];

/**
 * Connections and duration of the load that scripts/bench.sh states: what stands there is what runs.
 * @throws Problem where it states something that the kit would not run.
 */
export function statedLoad(command = process.env.TRACETAX_LOAD ?? ''): {
  connections: number;
  durationSeconds: number;
} {
  const match = /^bombardier --fasthttp -c (\d+) -d (\d+)s$/.exec(command);
  if (!match) {
    throw new Problem(
      `The load "${command}" is not of the form "bombardier --fasthttp -c 100 -d 30s"`,
      'Start tracetax with scripts/bench.sh, and mend TRACETAX_LOAD there',
    );
  }
  return { connections: Number(match[1]), durationSeconds: Number(match[2]) };
}

function countOf(least: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < least || value > 2 ** 31 - 1)
      throw new InvalidArgumentError(`Give a whole number from ${least} on.`);
    return value;
  };
}

/** Whole seconds, because not every load tool takes fractions. */
function wholeSeconds(least: number): (text: string) => number {
  return (text) => {
    const match = /^(\d+)(s|m)?$/.exec(text);
    const value = match ? Number(match[1]) * (match[2] === 'm' ? 60 : 1) : Number.NaN;
    if (!(value >= least && value <= 86_400)) {
      throw new InvalidArgumentError(
        `Give whole seconds or minutes of at least ${least} s, such as 30s or 2m.`,
      );
    }
    return value;
  };
}

/** Bytes: MB are 10^6 of them, MiB 2^20. */
function size(text: string): number {
  const match = /^(\d+)(B|kB|MB|KiB|MiB)$/.exec(text);
  const factors: Record<string, number> = { B: 1, kB: 1e3, MB: 1e6, KiB: 2 ** 10, MiB: 2 ** 20 };
  const bytes = match ? Number(match[1]) * (factors[match[2] as string] as number) : Number.NaN;
  if (!(bytes >= 1 && bytes <= 2 ** 30)) throw new InvalidArgumentError('Give 1B to 1024MiB, such as 50MB.');
  return bytes;
}

function precision(text: string): Precision {
  const width = limit(text);
  if (width.value === 0) throw new InvalidArgumentError('Give a width such as 0.3us or 1%.');
  return width;
}

function limit(text: string): Precision {
  const match = /^(\d+(?:\.\d+)?)(us|%)$/.exec(text);
  if (!match) throw new InvalidArgumentError('Give a number and its unit, such as 0.3us or 5%.');
  return { value: Number(match[1]), unit: match[2] as Precision['unit'] };
}

function nameList(text: string): string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
