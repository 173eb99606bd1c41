import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import type { Limit } from './analysis/compare.ts';
import { TOOL_NAMES } from './load/tool.ts';
import { ownAddresses } from './machine/environment.ts';
import { EXPORT_MODES } from './result/schema.ts';

/** The defaults. scripts/bench.sh shows the load that they make. */
export const FULL = {
  connections: 100,
  durationSeconds: 30,
  sliceSeconds: 1,
  pairs: 10,
  duetSlices: 3,
  warmupSeconds: 60,
  starts: 0,
};
/** Many short pairs tell more than few long ones, because processes differ from each other (docs/method.md). */
export const QUICK = { ...FULL, durationSeconds: 5, pairs: 5, duetSlices: 1, warmupSeconds: 3 };

/** What the user said; undefined if a default applies that depends on the suite. */
export type MeasureOptions = ReturnType<ReturnType<typeof measureCommand>['opts']>;
export type RunOptions = ReturnType<ReturnType<typeof runCommand>['opts']>;
export type ExplainOptions = ReturnType<ReturnType<typeof explainCommand>['opts']>;
export type ReportOptions = ReturnType<ReturnType<typeof reportCommand>['opts']>;
export type CompareOptions = ReturnType<ReturnType<typeof compareCommand>['opts']>;

/** What prints them is loaded when they are printed, so that help is there at once. */
export const FORMATS = ['docs', 'full', 'json', 'github-action-benchmark'] as const;
const formatOption = <const Name extends string>(formats: readonly Name[]) =>
  new Option(
    '--format <format>',
    'what to print: docs is a table for documentation, full is everything, the others are JSON',
  )
    .choices(formats)
    .default('docs' as const);

/** The five servers in the kit's own clone, else what init writes. */
const FIRST_SUITE = existsSync(join(import.meta.dir, '../suites/levels.ts')) ? 'levels' : 'bench/suite.ts';

/** A command that measures, with this suite unless the user names another. */
const measureCommand = (name: string, description: string, suite = FIRST_SUITE) =>
  new Command(name)
    .description(description)
    .addHelpText('after', '\nA suite may have other defaults than those in brackets (docs/suites.md).')
    .option('--suite <name|file>', 'what to compare: a suite in suites/, or a suite file of your own', suite)
    .option('--scenarios <a,b>', 'measure only these scenarios, and the baseline', nameList)
    .option('--endpoints <a,b>', 'measure only these tasks of the suite', nameList)
    .option('--connections <n>', 'connections of the load tool (100)', countOf(1))
    .option('--rate <rate>', 'send a steady rate: 5000 requests a second, or 30% of what the baseline can do', rate)
    .option(
      '--duration <time>',
      'time under load of each server, in the alternating slices of all pairs (30s; quick 5s)',
      wholeSeconds(1),
    )
    .option('--slice <time>', 'length of a slice; longer if answers are slow (1s)', wholeSeconds(1))
    .option('--pairs <n>', 'fresh pairs of servers for each scenario (10; quick 5)', countOf(1))
    .option('--duet-slices <n>', 'duet slices of each pair: both servers under load at once (3; quick 1)', countOf(0))
    .option('--warmup <time>', 'longest warm-up; it ends once the cost is steady (60s; quick 3s)', wholeSeconds(0))
    .option('--precision <width>', 'measure more pairs if an interval is wider than ± this: 0.3us, 1%', positiveWidth)
    .option('--quick', 'a first look in a few minutes; not for publishing', false)
    .option('--listen <address>', 'the address of this machine that servers listen on (127.0.0.1)', ownAddress)
    .option(
      '--load-host <user@host>',
      'run the load tool on this host, by ssh; needs --listen, and may be repeated',
      (host, hosts: string[] = []) => [...hosts, host],
    )
    .addOption(
      new Option('--tool <tool>', 'the load tool; auto takes the first that is installed and can send the load')
        .choices(['auto', ...TOOL_NAMES])
        .default('auto' as const),
    )
    .addOption(
      new Option('--export <mode>', 'what becomes of spans: none drops them as they end, otlp sends them to a sink')
        .choices(EXPORT_MODES)
        .default('otlp' as const),
    )
    .option('--seed <n>', 'seed of the random order (a random one)', countOf(0))
    .option('--out <file>', 'the result file (results/<time>-<suite>.json)')
    .option('--no-pin', 'do not pin servers and load tool to cores')
    .option('--no-keep-awake', 'let idle cores sleep; costs then read too high')
    .option('--strict', 'exit with status 1 on any warning', false)
    .option('--dry-run', 'measure nothing; print what a run would use, and its commands', false);

/** The command that measures and prints the result. */
export const runCommand = (name: string, description: string, suite = FIRST_SUITE) =>
  measureCommand(name, description, suite).addOption(formatOption(FORMATS));

/** The command that says where a cost lies: it measures, and takes what that takes. */
export const explainCommand = () =>
  measureCommand('explain', 'shows where the cost of a scenario lies, package by package')
    .addOption(formatOption(['docs', 'full', 'json']))
    .argument('[scenario]', 'the scenario to explain; if left out, all of the suite')
    .option('--from <file>', 'measure nothing; explain an earlier result from its profiles')
    .option('--html <file>', 'write a page with the tables and flame graphs')
    .option('--pprof <file>', 'write profiles of scenario and baseline, which go tool pprof compares');

/** The command that prints a result again. */
export const reportCommand = () =>
  new Command('report')
    .description('prints a result again, or writes it into a document or a page')
    .argument('<file>', 'a result file')
    .option('--endpoints <a,b>', 'only these tasks of the result', nameList)
    .addOption(formatOption(FORMATS))
    .option('--update <document>', 'write the report there, between <!-- bench:SUITE --> and <!-- /bench -->')
    .option('--check', 'with --update: write nothing; exit with status 1 if the document is out of date', false)
    .option('--html <file>', 'write a page with the picture, the tables and all warnings')
    .option('--svg <folder>', 'write the picture into this folder, for light and for dark pages');

/** The command that compares two results, or measures two revisions against each other. */
export const compareCommand = () =>
  measureCommand('compare', 'compares two results, or measures two revisions in pairs')
    .argument('[old]', 'the earlier result; or a result of --git, to print it again')
    .argument('[new]', 'the later result')
    .option('--git <revision>', 'check out this revision and HEAD, and measure them in pairs')
    .option('--fail-above <limit>', 'fail if a cost rose by more (5%, 1us), or could not be compared', width)
    .option('--allow-missing', 'do not fail on rows that could not be compared', false)
    .option('--force', 'compare results of different machines or versions', false)
    .addOption(
      new Option('--format <format>', 'a table, or a summary and annotations for GitHub Actions')
        .choices(['markdown', 'github'])
        .default('markdown' as const),
    );

const countOf = (least: number) => (text: string) => {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < least || value > 2 ** 31 - 1)
    throw new InvalidArgumentError(`Give a whole number, at least ${least}.`);
  return value;
};

/** Whole seconds, because not every load tool takes fractions. */
const wholeSeconds = (least: number) => (text: string) => {
  const [, count, unit] = /^(\d+)(s|m)?$/.exec(text) ?? [];
  const value = Number(count) * (unit === 'm' ? 60 : 1);
  if (value >= least && value <= 86_400) return value;
  throw new InvalidArgumentError(`Give whole seconds or minutes, at least ${least} s, such as 30s or 2m.`);
};

function positiveWidth(text: string): Limit {
  const parsed = width(text);
  if (parsed.value === 0) throw new InvalidArgumentError('Give a width above 0, such as 0.3us or 1%.');
  return parsed;
}

/** µs of CPU per request, or % of it. */
function width(text: string): Limit {
  const [, value, unit] = /^(\d+(?:\.\d+)?)(us|%)$/.exec(text) ?? [];
  if (!unit) throw new InvalidArgumentError('Give a number and its unit, such as 0.3us or 5%.');
  return { value: Number(value), unit: unit as Limit['unit'] };
}

function ownAddress(text: string): string {
  const addresses = ownAddresses();
  if (!addresses.includes(text)) throw new InvalidArgumentError(`Give one of ${addresses.join(', ')}.`);
  return text;
}

/** For each task. */
function rate(text: string): { rate: number } | { rateShare: number } {
  const [, count, percent] = /^([1-9]\d{0,6})(%)?$/.exec(text) ?? [];
  if (!count || (percent && Number(count) > 100))
    throw new InvalidArgumentError('Give requests a second or a share, such as 5000 or 30%.');
  return percent ? { rateShare: Number(count) / 100 } : { rate: Number(count) };
}

function nameList(text: string): string[] {
  return text.split(/[\s,]+/).filter((name) => name !== '');
}
