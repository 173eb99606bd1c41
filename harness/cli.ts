#!/usr/bin/env bun
import { Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { version } from '../package.json';
import { endAllChildren } from './machine/child.ts';
import { ownAddresses } from './machine/environment.ts';
import { Interruption } from './machine/interruption.ts';
import { readText } from './machine/read.ts';
import { FORMATS, formatOption, MEASURING, measuring, measuringAny, nameList, width } from './options.ts';
import { problemLine, ScenarioProblem } from './words/errors.ts';
import { CALLED, complain, EXIT } from './words/output.ts';

// What a command needs is loaded when it runs, so that help is there at once.

const main = measuringAny(CALLED, 'Measures what instrumentation costs a web server per request, against a baseline.')
  .version(version)
  .enablePositionalOptions()
  .addOption(formatOption(FORMATS))
  .action(async (options) => exit(await (await import('./commands/measure.ts')).measure(options)));

const others = [
  new Command('init')
    .description('writes a template of a suite for the project in this folder: bench/suite.ts')
    .action(async () => exit(await (await import('./commands/init.ts')).init())),

  measuring(
    new Command('calibrate').description('measures servers with a known cost: how true are figures on this machine?'),
  )
    .addOption(formatOption(FORMATS))
    .action(async (options) => {
      const { measure } = await import('./commands/measure.ts');
      exit(await measure({ ...options, suite: 'calibration' }));
    }),

  measuringAny('explain', 'shows where the cost of a scenario lies, package by package')
    .addOption(formatOption(['docs', 'full', 'json']))
    .argument('[scenario]', 'the scenario to explain; if left out, all of the suite')
    .option('--from <file>', 'measure nothing; explain an earlier result from its profiles')
    .option('--pprof <file>', 'write profiles of scenario and baseline, which go tool pprof compares')
    .action(async (scenario, { from, ...options }, command) => {
      if (from !== undefined) takesOnly(command, ['from', 'tasks', 'format', 'pprof'], 'with --from');
      const { explainFrom, explainRun } = await import('./explain/command.ts');
      if (from === undefined) return exit(await explainRun(scenario, options));
      exit(await explainFrom(from, scenario, options));
    }),

  new Command('report')
    .description('prints a result again, or writes it into a document or a page')
    .argument('<file>', 'a result file')
    .option('--tasks <a,b>', 'only these tasks of the result', nameList)
    .addOption(formatOption(FORMATS))
    .option('--update <document>', 'write the report there, between <!-- bench:SUITE --> and <!-- /bench -->')
    .option('--check', 'with --update: write nothing; exit with status 1 if the document is out of date', false)
    .option('--html <file>', 'write a page with the picture, the tables and all warnings')
    .option('--svg <folder>', 'write the picture into this folder, for light and for dark pages')
    .action(async (file, options, command) => {
      const { update, html, svg } = options;
      const printed = update !== undefined || (html === undefined && svg === undefined);
      const acting = ['tasks', 'html', 'svg', 'update', ...(printed ? ['format'] : []), ...(update ? ['check'] : [])];
      takesOnly(command, acting, printed ? 'without --update' : 'on pages and pictures');
      exit(await (await import('./commands/report.ts')).report(file, options));
    }),

  measuringAny('compare', 'compares two results, or measures two revisions in pairs')
    .argument('[old]', 'the earlier result; or a result of --git, to print it again')
    .argument('[new]', 'the later result')
    .option('--git <revision>', 'check out this revision and HEAD, and measure them in pairs')
    .option('--fail-above <limit>', 'fail if a cost rose by more (5%, 1us), or could not be compared', width)
    .option('--allow-missing', 'with --fail-above: do not fail on rows that could not be compared', false)
    .option('--force', 'compare results of different machines or versions', false)
    .addOption(
      new Option('--format <format>', 'a table, or a summary and annotations for GitHub Actions')
        .choices(['markdown', 'github'])
        .default('markdown' as const),
    )
    .action(async (old, current, { git, ...options }, command) => {
      const printing = ['tasks', 'format', 'failAbove', 'allowMissing'];
      if (options.allowMissing && !options.failAbove)
        command.error('error: --allow-missing has no effect without --fail-above.');
      if (git !== undefined) {
        if (old !== undefined) command.error('error: --git measures: it takes no results.');
        takesOnly(command, ['git', ...MEASURING, ...printing], 'with --git');
        const { compareRevisions } = await import('./commands/compare-git.ts');
        return exit(await compareRevisions(git, options));
      }
      if (old === undefined) command.error('error: name two results, or a revision with --git.');
      if (current === undefined) takesOnly(command, printing, 'on one result');
      else takesOnly(command, [...printing, 'force'], 'on results that are there');
      exit(await (await import('./commands/compare.ts')).compare(String(old), current, options));
    }),
];

/** Ends with a usage error if an option is given that does not act here. */
function takesOnly(command: CommandUnknownOpts, acting: string[], where: string): void {
  const isGiven = (option: Option) => command.getOptionValueSource(option.attributeName()) === 'cli';
  const idle = command.options.find((option) => isGiven(option) && !acting.includes(option.attributeName()));
  if (idle) command.error(`error: ${idle.long} has no effect ${where}.`);
}

function exit(status: number): void {
  process.exitCode = status;
}

for (const each of [main, ...others])
  each.exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? EXIT.done : EXIT.usage));
for (const other of others) main.addCommand(other);
// Commander would keep it for the run without a command, and forget it.
main.hook('preSubcommand', (_, command) => {
  const early = main.options.find((option) => main.getOptionValueSource(option.attributeName()) === 'cli');
  if (early) main.error(`error: ${early.long} stands before the command. Give it after "${command.name()}".`);
});

// Bun has read the `.env` file of this folder: what only that says is not of the user's environment.
const initial = readText('/proc/self/environ');
for (const name of Object.keys(process.env))
  if (initial && !`\0${initial}`.includes(`\0${name}=`)) delete process.env[name];

// Behind a proxy, this machine is still asked directly: by tracetax, and by all that it starts.
const { NO_PROXY, no_proxy } = process.env;
const direct = [NO_PROXY, no_proxy, ...ownAddresses(), 'localhost'].filter(Boolean);
process.env.NO_PROXY = process.env.no_proxy = direct.join(',');

// A reader such as `head` may close the pipe early, a terminal may go away, and the disk of a log may be full: a run goes on.
process.stderr.on('error', () => {});
process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE' || code === 'EIO') return;
  complain(`tracetax: stdout can't be written: ${message}. Print it again elsewhere.`);
  process.once('exit', () => exit(EXIT.failed));
});

try {
  await main.parseAsync();
} catch (error) {
  const interruption = error instanceof Interruption ? error : undefined;
  const line = interruption ? `${interruption.message}.` : problemLine(error);
  // What has no remedy is a bug.
  if (line === undefined) throw error;
  complain(`tracetax: ${line}`);
  if (interruption) complain('Nothing was measured.');
  exit(interruption ? EXIT[interruption.signal] : error instanceof ScenarioProblem ? EXIT.failed : EXIT.usage);
} finally {
  // Connections to load hosts.
  await endAllChildren();
}
