import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { TOOL_NAMES } from '../load/find.ts';
import { ownAddresses } from '../machine/environment.ts';
import type { ExportMode } from '../result/schema.ts';

const TOOLS = ['auto', ...TOOL_NAMES] as const;
const EXPORTS = ['otlp', 'none'] as const satisfies ExportMode[];

/** The suite of the folder where tracetax is called; else, in its own clone, that of the five servers. */
const OWN_SUITE = ['bench/suite.json', 'bench/suite.ts'].find((file) => existsSync(file));
const IN_CLONE = existsSync(join(import.meta.dir, '../../suites/levels.ts'));
const FIRST_SUITE = OWN_SUITE ?? (IN_CLONE ? 'levels' : 'bench/suite.json');

/** Makes a parser: `read` makes a value of the groups in `form`, or undefined if it is out of bounds. */
const parser =
  <Value>(form: RegExp, advice: string, read: (...groups: string[]) => Value | undefined) =>
  (text: string): Value => {
    const [match, ...groups] = form.exec(text) ?? [];
    const value = match === undefined ? undefined : read(...groups);
    if (value === undefined) throw new InvalidArgumentError(advice);
    return value;
  };

const within = (value: number, min: number, max: number) =>
  value >= min && value <= max ? value : undefined;

export const countOf = (min: number) =>
  parser(/^(\d+)$/, `Give a whole number, at least ${min}.`, (digits) =>
    within(Number(digits), min, 2 ** 31 - 1),
  );

/** Whole ones, because not every load tool takes fractions. */
export const seconds = (min: number) =>
  parser(
    /^(\d+)(s|m)?$/,
    `Give whole seconds or minutes, at least ${min} s, such as 30s or 2m.`,
    (count, unit) => within(Number(count) * (unit === 'm' ? 60 : 1), min, 86_400),
  );

/** µs of CPU per request, or % of it. */
export const width = parser(
  /^(\d+(?:\.\d+)?)(us|µs|%)$/,
  'Give a number and its unit, such as 0.3us or 5%.',
  (value, unit) => ({ value: Number(value), unit: (unit === '%' ? '%' : 'us') as 'us' | '%' }),
);

/** In µs. */
export const latency = parser(
  /^(\d+(?:\.\d+)?)(us|µs|ms)$/,
  'Give a time such as 5ms or 300us.',
  (value, unit) => Number(value) * (unit === 'ms' ? 1e3 : 1),
);

/** For each task. */
const rate = parser<{ rate: number } | { rateShare: number }>(
  /^(?:([1-9]\d{0,6})|([1-9]\d?|100)%)$/,
  'Give requests a second or a share, such as 5000 or 30%.',
  (count, percent) => (percent ? { rateShare: Number(percent) / 100 } : { rate: Number(count) }),
);

/** An option whose value is one of these; the first if it is left out. */
export const choice = <
  const Flags extends string,
  const Names extends readonly [string, ...string[]],
>(
  flags: Flags,
  description: string,
  names: Names,
) => new Option(flags, description).choices(names).default<Names[0]>(names[0]);

const nameList = (text: string) => text.split(/[\s,]+/).filter(Boolean);

const ownAddress = parser(/(.+)/, `Give one of ${ownAddresses().join(', ')}.`, (text) =>
  ownAddresses().find((own) => own === text),
);

/** A command that reads a suite. */
export const ofSuite = (name: string, description: string, suite = FIRST_SUITE) =>
  new Command(name)
    .description(description)
    .option('--suite <name|file>', 'a suite in suites/, or a suite file of your own', suite)
    .option('--tasks <a,b>', 'only these tasks of the suite', nameList);

/** A command that loads servers of a suite. */
export const loading = (name: string, description: string, suite?: string) =>
  ofSuite(name, description, suite)
    .option('--connections <n>', 'connections of the load tool (100)', countOf(1))
    .addOption(
      choice(
        '--tool <tool>',
        'the load tool; auto takes the first that is installed and can send the load',
        TOOLS,
      ),
    )
    .addOption(
      choice(
        '--export <mode>',
        'what becomes of spans: sent to a sink (otlp), or dropped (none)',
        EXPORTS,
      ),
    );

/** A command that measures. */
export const measuring = (name: string, description: string, suite?: string) =>
  loading(name, description, suite)
    .addHelpText(
      'after',
      '\nA suite may have other defaults than those in brackets (docs/reference.md of tracetax).',
    )
    .option('--scenarios <a,b>', 'measure only these scenarios, and the baseline', nameList)
    .option(
      '--rate <rate>',
      'send a steady rate: 5000 requests a second, or 30% of what the tool gets from the baseline',
      rate,
    )
    .option(
      '--duration <time>',
      'load on each server in alternating slices of all pairs (30s; quick 5s)',
      seconds(1),
    )
    .option('--slice <time>', 'length of a slice; longer if answers are slow (1s)', seconds(1))
    .option('--pairs <n>', 'fresh pairs of servers for each scenario (10; quick 5)', countOf(1))
    .option(
      '--duet-slices <n>',
      'duet slices of each pair: both servers under load at once (3; quick 1)',
      countOf(0),
    )
    .option(
      '--warmup <time>',
      'longest warm-up; it ends once the cost is steady (60s; quick 10s)',
      seconds(0),
    )
    .option(
      '--idle <time>',
      'once a row, CPU of both servers for so long without requests (0s)',
      seconds(0),
    )
    .option('--quick', 'a first look in a few minutes; not for publishing', false)
    .option(
      '--listen <address>',
      'the address of this machine that servers listen on (127.0.0.1)',
      ownAddress,
    )
    .option('--load-host <user@host>', 'run the load tool on this host, by ssh; needs --listen')
    .option('--seed <n>', 'seed of the random order (a random one)', countOf(0))
    .option('--out <file>', 'the result file (results/<time>-<suite>.json)')
    .option('--no-pin', 'do not pin servers and load tool to cores')
    .option('--no-keep-awake', 'let idle cores sleep; costs then read too high')
    .option('--strict', 'exit with status 1 on any warning', false)
    .option('--dry-run', 'measure nothing; print what a run would use, and its commands', false);
