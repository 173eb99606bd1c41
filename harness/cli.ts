#!/usr/bin/env bun
import { join } from 'node:path';
import { Command, CommanderError, type CommandUnknownOpts } from '@commander-js/extra-typings';
import { version } from '../package.json';
import {
  choice,
  countOf,
  latency,
  loading,
  measuring,
  ofSuite,
  seconds,
  width,
} from './command-line/options.ts';
import { ownAddresses } from './machine/environment.ts';
import { endAllChildren } from './processes/child.ts';
import { Interruption } from './processes/interruption.ts';
import { firstError, Problem, problemLine, ScenarioProblem } from './words/errors.ts';
import { readText } from './words/files.ts';
import {
  EXIT_STATUS,
  flushOutput,
  INVOKED_AS,
  printToStderr,
  surviveOutputErrors,
} from './words/output.ts';

/** Calls to copy, by command: what follows its name. Those of a run by itself are under ''. */
const EXAMPLES: Record<string, string[]> = {
  '': ['--quick', '--suite ./bench/suite.json --scenarios with', '--rate 2000', '--dry-run'],
  calibrate: ['--quick'],
  soak: ['with --suite ./bench/suite.json --for 30m'],
  prove: ['with --suite ./bench/suite.json'],
  explain: ['trace-10x', 'trace-10x --from results/FILE --format full'],
  report: [
    'results/FILE --format full',
    'results/FILE --update README.md',
    'results/FILE --html report.html',
  ],
  compare: ['old.json new.json --fail-above 5%', '--git main --fail-above 5%'],
};

/** For whoever names a server by its address. */
const REMOTE =
  'Servers elsewhere are not measured: CPU time is known only of processes that tracetax starts';

/** Options that act on measurements alone. */
const MEASURING = measuring('', '').options.map((each) => each.attributeName());

/** Options that have no effect beside one. */
const EXCLUDED: Record<string, string[]> = {
  resume: ['out'],
  from: MEASURING,
  html: ['check'],
  svg: ['check'],
  git: ['package', 'force'],
  package: ['force'],
};

const FORMAT = [
  '--format <format>',
  'docs: a table for documentation; full: everything; the others: JSON',
] as const;
const format = () => choice(...FORMAT, ['docs', 'full', 'json', 'github-action-benchmark']);
const RESUME = [
  '--resume <file>',
  'go on with an interrupted run: with the same options, on the same machine',
] as const;

// What a command needs is loaded when it runs, so that help is there at once.

const main = measuring(
  INVOKED_AS,
  'Measures what instrumentation costs a web server per request, against a baseline.',
)
  .version(version)
  .enablePositionalOptions()
  .option(...RESUME)
  .addOption(format())
  .option(
    '--fail-above <limit>',
    'fail if a scenario costs more CPU per request: 10% of the baseline, or 5us',
    width,
  )
  .option(
    '--fail-above-p99 <time>',
    'at a steady rate: fail if a scenario adds more to p99, such as 5ms',
    latency,
  )
  .action(async (options) => exit(await (await import('./commands/measure.ts')).measure(options)));

const others = [
  new Command('init')
    .description('writes a suite for the project in this folder, to be filled in: bench/suite.json')
    .action(async () => exit(await (await import('./commands/init.ts')).init())),

  new Command('setup')
    .description('installs a load tool: bombardier by Go, else wrk by apt or brew')
    .action(() => {
      const command = ['bash', join(import.meta.dir, '../scripts/load-tool.sh')];
      const env = { ...process.env, BUN: process.execPath };
      exit(Bun.spawnSync(command, { stdio: ['ignore', 'inherit', 'inherit'], env }).exitCode);
    }),

  measuring(
    'calibrate',
    'measures servers with a known cost: how true are figures on this machine?',
    'calibration',
  )
    .option(...RESUME)
    .addOption(format())
    .action(async (options) =>
      exit(await (await import('./commands/measure.ts')).measure(options)),
    ),

  new Command('doctor')
    .description('says what this machine offers for measuring, and what to do about what it lacks')
    .action(async () => exit(await (await import('./commands/doctor.ts')).doctor())),

  loading(
    'soak',
    'loads one server for long: does its memory grow, is its event loop late, are spans lost?',
  )
    .argument('<scenario>', 'the scenario to load; the baseline is one, too')
    .option('--for <time>', 'how long, such as 30m', seconds(30), 1_800)
    .option('--rate <n>', 'requests a second', countOf(1), 1_000)
    .action(async (scenario, options) =>
      exit(await (await import('./commands/soak.ts')).soak(scenario, options)),
    ),

  ofSuite('prove', 'prints what scenarios record of a request: the "telemetry" for their suite')
    .argument('[scenario]', 'the scenario to watch; if left out, all of the suite')
    .action(async (scenario, options) =>
      exit(await (await import('./commands/prove.ts')).prove(scenario, options)),
    ),

  measuring('explain', 'shows where a cost lies, package by package (Bun, Node)')
    .addOption(choice(...FORMAT, ['docs', 'full', 'json']))
    .argument('[scenario]', 'the scenario to explain; if left out, all of the suite')
    .option('--from <file>', 'measure nothing; explain an earlier result from its profiles')
    .action(async (scenario, { from, ...options }, command) => {
      if (scenario !== undefined) refuse(command, 'beside a scenario', ['scenarios']);
      const { explainFrom, explainRun } = await import('./explain/command.ts');
      exit(
        from === undefined
          ? await explainRun(scenario, options)
          : explainFrom(from, scenario, options),
      );
    }),

  new Command('report')
    .description('prints a result again, or writes it into a document or a page')
    .argument('<file>', 'a result file')
    .addOption(format())
    .option(
      '--update <document>',
      'write the report there, between <!-- bench:SUITE --> and <!-- /bench -->',
    )
    .option(
      '--check',
      'with --update: write nothing; exit with status 1 if the document is out of date',
      false,
    )
    .option('--html <file>', 'write a page with the picture, the tables and all warnings')
    .option('--svg <folder>', 'write the picture into this folder, for light and for dark pages')
    .action(async (file, options, command) => {
      if (options.update === undefined) refuse(command, 'without --update', ['check']);
      if (options.update === undefined && (options.html ?? options.svg))
        refuse(command, 'on pages and pictures', ['format']);
      exit(await (await import('./commands/report.ts')).report(file, options));
    }),

  measuring(
    'compare',
    'compares two results; or measures two revisions, or two versions of a package, in pairs',
  )
    .argument('[old]', 'the earlier result; or a result of --git, to print it again')
    .argument('[new]', 'the later result')
    .option('--git <revision>', 'check out this revision and HEAD, and measure them in pairs')
    .option(
      '--package <name@version...>',
      'install two versions of a package, and measure them in pairs',
    )
    .option(
      '--fail-above <limit>',
      'fail if a cost rose by more (5%, 1us), or could not be compared',
      width,
    )
    .option(
      '--allow-missing',
      'with --fail-above: do not fail on rows that could not be compared',
      false,
    )
    .option('--force', 'compare results of different machines or versions', false)
    .action(async (old, current, { git, package: packages, ...options }, command) => {
      const { compare, comparePairs } = await import('./commands/compare.ts');
      if (!options.failAbove) refuse(command, 'without --fail-above', ['allowMissing']);
      if (old !== undefined) refuse(command, 'on results', [...MEASURING, 'git', 'package']);
      if (current === undefined && old !== undefined) refuse(command, 'on one result', ['force']);
      if (old === undefined && git === undefined && packages === undefined)
        command.error(
          'error: name two results, a revision with --git, or two versions with --package.',
        );
      exit(
        old === undefined
          ? await comparePairs(git, packages ?? [], options)
          : compare(old, current, options),
      );
    }),
];

/** Ends with a usage error if one of these options is given, which have no effect in this way. */
function refuse(command: CommandUnknownOpts, way: string, idle: string[]): void {
  const isGiven = (name: string) =>
    idle.includes(name) && command.getOptionValueSource(name) === 'cli';
  const given = command.options.find((each) => isGiven(each.attributeName()));
  if (given) command.error(`error: ${given.long} has no effect ${way}.`);
}

/** Says what went wrong. Returns the exit status. */
function failed(error: unknown): number {
  // Commander has printed the help that was asked for, or what is wrong with the call.
  if (error instanceof CommanderError)
    return error.exitCode === 0 ? EXIT_STATUS.success : EXIT_STATUS.usageError;
  if (error instanceof Interruption) {
    printToStderr(`tracetax: ${error.message}.`);
    printToStderr('Nothing was measured.');
    return EXIT_STATUS[error.signal];
  }
  const line = problemLine(error);
  if (line === undefined) bug = error;
  else printToStderr(`tracetax: ${line}`);
  return error instanceof ScenarioProblem ? EXIT_STATUS.failure : EXIT_STATUS.usageError;
}

function exit(status: number): void {
  process.exitCode = status;
}

for (const each of [main, ...others]) {
  const name = each === main ? '' : each.name();
  const calls = EXAMPLES[name]
    ?.map((rest) => `\n  ${[INVOKED_AS, name, rest].filter(Boolean).join(' ')}`)
    .join('');
  for (const option of each.options) option.conflicts(EXCLUDED[option.attributeName()] ?? []);
  each.addHelpText('after', calls ? `\nExamples:${calls}` : '').exitOverride();
}
for (const other of others) main.addCommand(other);
main.helpCommand(true);
// Commander would keep it for the run without a command, and forget it.
main.hook('preSubcommand', (_, command) => {
  refuse(main, `before "${command.name()}": give it after that`, Object.keys(main.opts()));
});

// Bun has read the `.env` file of this folder: what only that says is not of the user's environment.
const initial = readText('/proc/self/environ');
for (const name of Object.keys(process.env))
  if (initial && !`\0${initial}`.includes(`\0${name}=`)) delete process.env[name];

// Behind a proxy, this machine is still asked directly: by tracetax, and by all that it starts.
const { NO_PROXY, no_proxy } = process.env;
const direct = [NO_PROXY, no_proxy, ...ownAddresses(), 'localhost'].filter(Boolean);
process.env.NO_PROXY = process.env.no_proxy = direct.join(',');

surviveOutputErrors();
let bug: unknown;
try {
  if (process.argv.slice(2).some((word) => /^https?:/i.test(word)))
    throw new Problem(REMOTE, 'Give the command that starts the server, without TLS, in a suite');
  await main.parseAsync();
} catch (thrown) {
  exit(failed(firstError(thrown)));
} finally {
  // Connections to load hosts.
  await endAllChildren();
}
const isWritten = await flushOutput();
// What has no remedy is a bug, and Bun prints where it is.
if (bug !== undefined) throw bug;
// A suite may have left a timer or a connection open, which would keep this process alive.
process.exit(isWritten ? undefined : EXIT_STATUS.failure);
