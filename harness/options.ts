import { InvalidArgumentError, Option } from 'commander';
import { TOOL_NAMES, type ToolName } from './load/tool.ts';
import { FORMATS, type Format } from './report/formats.ts';

/** A half-width or a limit: µs of CPU per request, or % of the CPU per request that it is about. */
export interface Width {
  value: number;
  unit: 'us' | '%';
}

/** What the user said; undefined if a default applies that depends on the suite. */
export interface RunOptions {
  suite: string;
  scenarios?: string[];
  endpoints?: string[];
  connections?: number;
  duration?: number;
  slice?: number;
  pairs?: number;
  duetSlices?: number;
  warmup?: number;
  precision?: Width;
  quick: boolean;
  tool: ToolName | 'auto';
  seed?: number;
  out?: string;
  format: Format;
  pin: boolean;
  keepAwake: boolean;
  strict: boolean;
  dryRun: boolean;
}

/** The defaults. scripts/bench.sh shows the load that they make. */
export const FULL = {
  connections: 100,
  durationSeconds: 30,
  sliceSeconds: 1,
  pairs: 10,
  duetSlices: 3,
  warmupSeconds: 20,
};
/** Many short pairs tell more than few long ones, because processes differ from each other (docs/method.md). */
export const QUICK = { ...FULL, durationSeconds: 5, pairs: 5, duetSlices: 1, warmupSeconds: 4 };

const formatOption = () =>
  new Option('--format <format>', 'what to print: the table for documentation, everything, or JSON')
    .choices(FORMATS)
    .default('docs');

export const runOptions = (): Option[] => [
  new Option('--suite <name|file>', 'what to compare: a suite of suites/, or a file of your own').default('levels'),
  new Option('--scenarios <a,b>', 'only these, and the baseline').argParser(nameList),
  new Option('--endpoints <a,b>', 'only these tasks, for a suite that has several').argParser(nameList),
  new Option('--connections <n>', 'connections of the load tool (100)').argParser(countOf(1)),
  new Option('--duration <time>', 'load on each server in alternating slices, over all pairs (30s)').argParser(
    wholeSeconds(1),
  ),
  new Option('--slice <time>', 'length of a slice; slow servers get longer ones (1s)').argParser(wholeSeconds(1)),
  new Option('--pairs <n>', 'fresh pairs of servers for each scenario (10; quick 5)').argParser(countOf(1)),
  new Option('--duet-slices <n>', 'slices of each pair with both servers under load (3; quick 1)').argParser(
    countOf(0),
  ),
  new Option('--warmup <time>', 'the longest warm-up; it ends sooner once the cost is steady (20s)').argParser(
    wholeSeconds(0),
  ),
  new Option(
    '--precision <width>',
    'measure as many more pairs as intervals of ± this need, such as 0.3us or 1%',
  ).argParser(positiveWidth),
  new Option('--quick', 'a first look within 3 minutes, not for publishing').default(false),
  new Option('--tool <tool>', 'the load tool').choices(['auto', ...TOOL_NAMES]).default('auto'),
  new Option('--seed <n>', 'seed of the random order (a random one)').argParser(countOf(0)),
  new Option('--out <file>', 'the result file (results/<time>-<suite>.json)'),
  formatOption(),
  new Option('--no-pin', 'do not pin servers and load tool to cores'),
  new Option('--no-keep-awake', 'let idle cores sleep; costs then read too high'),
  new Option('--strict', 'exit with status 1 on any warning').default(false),
  new Option('--dry-run', 'print what a run would use and every command, and measure nothing').default(false),
];

/** Those that a calibration takes; its suite is fixed. */
export const calibrateOptions = (): Option[] => runOptions().filter((option) => option.attributeName() !== 'suite');

export interface ExplainOptions extends Omit<RunOptions, 'format' | 'dryRun' | 'scenarios'> {
  format: (typeof EXPLANATION_FORMATS)[number];
  from?: string;
  html?: string;
  pprof?: string;
}

const EXPLANATION_FORMATS = ['docs', 'full', 'json'] as const;
const NOT_OF_EXPLAIN = ['scenarios', 'format', 'dryRun'];

export const explainOptions = (): Option[] => [
  ...runOptions().filter((option) => !NOT_OF_EXPLAIN.includes(option.attributeName())),
  new Option('--from <file>', 'explain again what was measured and profiled for this result'),
  new Option('--format <format>', 'what to print: the table for documentation, functions as well, or JSON')
    .choices(EXPLANATION_FORMATS)
    .default('docs'),
  new Option('--html <file>', 'write a page with the tables and flame graphs'),
  new Option('--pprof <file>', 'write profiles of the scenario and the baseline that go tool pprof compares'),
];

export interface ReportOptions {
  format: Format;
  update?: string;
  check: boolean;
  html?: string;
  svg?: string;
}

export const reportOptions = (): Option[] => [
  formatOption(),
  new Option('--update <document>', 'put the report between <!-- bench:SUITE --> and <!-- /bench --> there'),
  new Option('--check', 'with --update: only exit with status 1 if the document is out of date').default(false),
  new Option('--html <file>', 'write a page with the picture, the tables and the noise'),
  new Option('--svg <folder>', 'write the picture, for light and for dark pages'),
];

export interface CompareOptions {
  failAbove?: Width;
  allowMissing: boolean;
  force: boolean;
  format: 'markdown' | 'github';
}

export const compareOptions = (): Option[] => [
  new Option(
    '--fail-above <limit>',
    'exit with status 1 if a cost rose by more than this, or could not be compared; such as 5% or 1us',
  ).argParser(width),
  new Option('--allow-missing', 'do not fail on rows that could not be compared').default(false),
  new Option('--force', 'compare results of different machines or versions').default(false),
  new Option('--format <format>', 'a table, or a summary and annotations for GitHub Actions')
    .choices(['markdown', 'github'])
    .default('markdown'),
];

function countOf(least: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < least || value > 2 ** 31 - 1)
      throw new InvalidArgumentError(`Give a whole number, at least ${least}.`);
    return value;
  };
}

/** Whole seconds, because not every load tool takes fractions. */
function wholeSeconds(least: number): (text: string) => number {
  return (text) => {
    const match = /^(\d+)(s|m)?$/.exec(text);
    const value = match ? Number(match[1]) * (match[2] === 'm' ? 60 : 1) : Number.NaN;
    if (!(value >= least && value <= 86_400))
      throw new InvalidArgumentError(`Give whole seconds or minutes, at least ${least} s, such as 30s or 2m.`);
    return value;
  };
}

function positiveWidth(text: string): Width {
  const parsed = width(text);
  if (parsed.value === 0) throw new InvalidArgumentError('Give a width above 0, such as 0.3us or 1%.');
  return parsed;
}

function width(text: string): Width {
  const match = /^(\d+(?:\.\d+)?)(us|%)$/.exec(text);
  if (!match) throw new InvalidArgumentError('Give a number and its unit, such as 0.3us or 5%.');
  return { value: Number(match[1]), unit: match[2] as Width['unit'] };
}

function nameList(text: string): string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}
