import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { TOOL_NAMES } from '../load/list.ts';
import type { ExportMode } from '../result/schema.ts';
import { FIRST_SUITE } from './first-steps.ts';
import {
  countFrom,
  parseNames,
  parseOwnAddress,
  parsePrecision,
  parseRate,
  parseTimeLimit,
  secondsFrom,
} from './parsers.ts';

// The types of these commands and options are inferred: they carry the name and the type of each
// option, so that the compiler holds them against what a command takes.

const TOOLS = ['auto', ...TOOL_NAMES] as const;
const EXPORT_MODES = ['otlp', 'none'] as const satisfies ExportMode[];

const DEFAULTS_NOTE =
  '\nA suite may have other defaults than those in brackets (docs/reference.md of tracetax).';

/** Returns a command that reads a suite. */
export function suiteCommand(name: string, description: string, suite = defaultSuite()) {
  return new Command(name)
    .description(description)
    .option('--suite <name|file>', 'a suite in suites/, or a suite file of your own', suite)
    .option('--tasks <a,b>', 'only these tasks of the suite', parseNames);
}

/** Returns a command that loads servers of a suite. */
export function loadCommand(name: string, description: string, suite?: string) {
  return suiteCommand(name, description, suite)
    .option('--connections <n>', 'connections of the load tool (100)', countFrom(1))
    .addOption(
      choiceOption(
        '--tool <tool>',
        'the load tool; auto takes the first that is installed and can send the load',
        TOOLS,
      ),
    )
    .addOption(
      choiceOption(
        '--export <mode>',
        'what becomes of spans: sent to a sink (otlp), or dropped (none)',
        EXPORT_MODES,
      ),
    );
}

/** Returns a command that measures. */
export function measureCommand(name: string, description: string, suite?: string) {
  return loadCommand(name, description, suite)
    .addHelpText('after', DEFAULTS_NOTE)
    .option('--scenarios <a,b>', 'measure only these scenarios, and the baseline', parseNames)
    .option(
      '--rate <rate>',
      'send a steady rate: 5000 requests a second, or 30% of what the tool gets from the baseline',
      parseRate,
    )
    .option(
      '--duration <time>',
      'load on each server over all --pairs, or else over 10 (quick 5): 30s is 3s of alternating slices in each pair (30s; quick 5s)',
      secondsFrom(1),
    )
    .option('--slice <time>', 'length of a slice; longer if answers are slow (1s)', secondsFrom(1))
    .option(
      '--within <precision>',
      'add pairs until each row is known within 10% of its cost, or 5% of the baseline if that is more; or within 2us; at a steady rate, by p99; if start-up is measured, also until neighbouring rows are told apart, or alike (10%; quick 25%; compare 1% of the baseline)',
      parsePrecision,
    )
    .option(
      '--pairs <n>',
      'a fixed number of fresh pairs of servers for each scenario; the default of sweeps, and at a steady rate without --fail-above (10; quick 5)',
      countFrom(1),
    )
    .option(
      '--at-most <time>',
      'measure for no longer, such as 20m (off; quick 3m, and more in proportion for more than 5 rows; if CI=true 40m)',
      parseTimeLimit,
    )
    .option(
      '--duet-slices <n>',
      'duet slices of each pair: both servers under load at once; rows that cost much get turns as long, or as many more alternating slices (3; quick 1)',
      countFrom(0),
    )
    .option(
      '--warmup <time>',
      'longest warm-up; it ends once the cost is steady (60s; quick 10s)',
      secondsFrom(0),
    )
    .option(
      '--idle <time>',
      'once a row, the CPU of both servers without requests, for so long (0s)',
      secondsFrom(0),
    )
    .option('--quick', 'a first look in a few minutes; not for publishing', false)
    .option(
      '--listen <address>',
      'the address of this machine that servers listen on (127.0.0.1)',
      parseOwnAddress,
    )
    .option('--load-host <user@host>', 'run the load tool on this host, by ssh; needs --listen')
    .option('--seed <n>', 'seed of the random order (a random one)', countFrom(0))
    .option('--out <file>', 'the result file (results/<time>-<suite>.json)')
    .option('--no-pin', 'do not pin servers and load tool to cores')
    .option('--no-keep-awake', 'let idle cores sleep; costs then read too high')
    .option('--strict', 'exit with status 1 on any warning', false)
    .option('--dry-run', 'measure nothing; print what a run would use, and its commands', false);
}

/** Returns the names of the options that act on measurements alone. */
export function measureOptionNames(): string[] {
  return measureCommand('', '').options.map((option) => option.attributeName());
}

/** What each format is for. */
const FORMAT_PURPOSES: Record<string, string> = {
  terminal: 'fits the terminal, and ends with an answer in words',
  docs: 'Markdown for documentation',
  full: 'everything',
  json: 'data',
  'github-action-benchmark': 'JSON for that action',
  'pull-request': 'a comment that begins with the verdict, with --fail-above',
};

/** Returns the option for the form in which something is printed. */
export function formatOption<const Names extends readonly string[]>(names: Names) {
  const purposes = names.map((name) => `${name}: ${FORMAT_PURPOSES[name]}`).join('; ');
  const usual = '(in a terminal: terminal, else docs)';
  return new Option('--format <format>', `${purposes} ${usual}`).choices(names);
}

/** Returns the option that asks for colours, also where stdout is no terminal. */
export function colorOption() {
  return new Option(
    '--color',
    'with colours, as for less -R (in a terminal, unless NO_COLOR is set)',
  );
}

/** Returns the option that asks for no colours. */
export function noColorOption() {
  return new Option('--no-color', 'without colours');
}

/** Returns the option to go on with a run. */
export function resumeOption() {
  return new Option(
    '--resume <file>',
    'go on with a run that lacks pairs: with the same options, on the same machine',
  ).conflicts('out');
}

/**
 * Ends with a usage error if the user gave one of these options, which have no effect in the way in
 * which the command is called. @throws CommanderError
 */
export function rejectOptions(command: CommandUnknownOpts, names: string[], way: string): void {
  const given = command.options.find((option) => {
    const name = option.attributeName();
    return names.includes(name) && command.getOptionValueSource(name) === 'cli';
  });
  if (given) command.error(`error: ${given.long} has no effect ${way}.`);
}

/** Returns an option whose value is one of these names: the first if it is left out. */
function choiceOption<
  const Flags extends string,
  const Names extends readonly [string, ...string[]],
>(flags: Flags, description: string, names: Names) {
  return new Option(flags, description).choices(names).default<Names[0]>(names[0]);
}

/**
 * Returns the suite of the current folder; if it has none, that of the five servers in a clone of
 * tracetax.
 */
function defaultSuite(): string {
  const userSuite = [FIRST_SUITE, 'bench/suite.ts'].find((file) => existsSync(file));
  const isClone = existsSync(join(import.meta.dir, '../../suites/levels.ts'));
  return userSuite ?? (isClone ? 'levels' : FIRST_SUITE);
}
