import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Command, InvalidArgumentError, Option, type OptionValues } from '@commander-js/extra-typings';
import { TOOL_NAMES } from './load/find.ts';
import { ownAddresses } from './machine/environment.ts';
import { EXPORT_MODES } from './result/schema.ts';

/** The five servers in the project's own clone, else what init writes. */
const FIRST_SUITE = existsSync(join(import.meta.dir, '../suites/levels.ts')) ? 'levels' : 'bench/suite.ts';

/** Makes it a command that measures. */
export const measuring = <Own extends OptionValues>(command: Command<[], Own>) =>
  command
    .addHelpText('after', '\nA suite may have other defaults than those in brackets (docs/suites.md).')
    .option('--scenarios <a,b>', 'measure only these scenarios, and the baseline', nameList)
    .option('--tasks <a,b>', 'only these tasks of the suite', nameList)
    .option('--connections <n>', 'connections of the load tool (100)', countOf(1))
    .option('--rate <rate>', 'send a steady rate: 5000 requests a second, or 30% of what the baseline can do', rate)
    .option(
      '--duration <time>',
      'load on each server in alternating slices, over all pairs (30s; quick 5s)',
      seconds(1),
    )
    .option('--slice <time>', 'length of a slice; longer if answers are slow (1s)', seconds(1))
    .option('--pairs <n>', 'fresh pairs of servers for each scenario (10; quick 5)', countOf(1))
    .option('--duet-slices <n>', 'duet slices of each pair: both servers under load at once (3; quick 1)', countOf(0))
    .option('--warmup <time>', 'longest warm-up; it ends once the cost is steady (60s; quick 3s)', seconds(0))
    .option('--precision <width>', 'measure more pairs if an interval is wider than ± this: 0.3us, 1%', positiveWidth)
    .option('--quick', 'a first look in a few minutes; not for publishing', false)
    .option('--listen <address>', 'the address of this machine that servers listen on (127.0.0.1)', ownAddress)
    .option('--load-host <user@host>', 'run the load tool on this host, by ssh; needs --listen', onlyHost)
    .addOption(
      new Option('--tool <tool>', 'the load tool; auto takes the first that is installed and can send the load')
        .choices(['auto', ...TOOL_NAMES])
        .default('auto' as const),
    )
    .addOption(
      new Option('--export <mode>', 'what becomes of spans: none drops them, otlp sends them to a sink')
        .choices(EXPORT_MODES)
        .default('otlp' as const),
    )
    .option('--seed <n>', 'seed of the random order (a random one)', countOf(0))
    .option('--out <file>', 'the result file (results/<time>-<suite>.json)')
    .option('--no-pin', 'do not pin servers and load tool to cores')
    .option('--no-keep-awake', 'let idle cores sleep; costs then read too high')
    .option('--strict', 'exit with status 1 on any warning', false)
    .option('--dry-run', 'measure nothing; print what a run would use, and its commands', false);

/** A command that measures any suite. */
export const measuringAny = (name: string, description: string) =>
  measuring(
    new Command(name)
      .description(description)
      .option('--suite <name|file>', 'what to compare: a suite in suites/, or a suite file of your own', FIRST_SUITE),
  );

export const formatOption = <const Name extends string>(formats: readonly Name[]) =>
  new Option('--format <format>', 'docs: a table for documentation; full: everything; the others: JSON')
    .choices(formats)
    .default('docs' as const);
export const FORMATS = ['docs', 'full', 'json', 'github-action-benchmark'] as const;

/** What the user asks of a measurement; undefined if a default applies that depends on the suite. */
export type MeasureOptions = ReturnType<ReturnType<typeof measuringAny>['opts']>;

/** Names of what acts on a measurement. */
export const MEASURING = measuringAny('', '').options.map((option) => option.attributeName());

function countOf(min: number) {
  return (text: string) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= min && value < 2 ** 31) return value;
    throw new InvalidArgumentError(`Give a whole number, at least ${min}.`);
  };
}

/** Whole ones, because not every load tool takes fractions. */
function seconds(min: number) {
  return (text: string) => {
    const [, count, unit] = /^(\d+)(s|m)?$/.exec(text) ?? [];
    const value = Number(count) * (unit === 'm' ? 60 : 1);
    if (value >= min && value <= 86_400) return value;
    throw new InvalidArgumentError(`Give whole seconds or minutes, at least ${min} s, such as 30s or 2m.`);
  };
}

/** µs of CPU per request, or % of it. */
export function width(text: string) {
  const [, value, unit] = /^(\d+(?:\.\d+)?)(us|%)$/.exec(text) ?? [];
  if (unit === 'us' || unit === '%') return { value: Number(value), unit } as const;
  throw new InvalidArgumentError('Give a number and its unit, such as 0.3us or 5%.');
}

function positiveWidth(text: string) {
  const parsed = width(text);
  if (parsed.value > 0) return parsed;
  throw new InvalidArgumentError('Give a width above 0, such as 0.3us or 1%.');
}

function ownAddress(text: string): string {
  const addresses = ownAddresses();
  if (addresses.includes(text)) return text;
  throw new InvalidArgumentError(`Give one of ${addresses.join(', ')}.`);
}

function onlyHost(host: string, before: string | undefined): string {
  if (before === undefined) return host;
  throw new InvalidArgumentError('Give one host. Locust makes load on several (docs/load.md).');
}

/** For each task. */
function rate(text: string): { rate: number } | { rateShare: number } {
  const [, count, percent] = /^([1-9]\d{0,6})(%)?$/.exec(text) ?? [];
  if (!count || (percent && Number(count) > 100))
    throw new InvalidArgumentError('Give requests a second or a share, such as 5000 or 30%.');
  return percent ? { rateShare: Number(count) / 100 } : { rate: Number(count) };
}

export function nameList(text: string): string[] {
  return text.split(/[\s,]+/).filter((name) => name !== '');
}
