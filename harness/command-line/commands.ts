import { Command, type CommandUnknownOpts, Option } from '@commander-js/extra-typings';
import { version } from '../../package.json';
import type { ReportOptions } from '../commands/report.ts';
import { EXIT_STATUS, INVOKED_AS, printToStderr } from '../words/output.ts';
import { firstSteps } from './first-steps.ts';
import {
  colorOption,
  formatOption,
  loadCommand,
  measureCommand,
  measureOptionNames,
  noColorOption,
  rejectOptions,
  resumeOption,
  suiteCommand,
} from './options.ts';
import { countFrom, parseLatencyUs, parseLimit, parseNames, secondsFrom } from './parsers.ts';

/** Takes the exit status of the command that has run. */
export type SetStatus = (status: number) => void;

/** Makes a command: its options, its help, and what it does. */
export type CreateCommand = (setStatus: SetStatus) => CommandUnknownOpts;

/**
 * The commands in the order of the help. To add one, add an entry here, which loads its file when
 * it runs, and that file in `commands/`.
 */
export const COMMANDS: CreateCommand[] = [
  createInit,
  createSetup,
  createCalibrate,
  createDoctor,
  createSoak,
  createProve,
  createExplain,
  createReport,
  createCompare,
];

const RESULT_FORMATS = ['terminal', 'docs', 'full', 'json', 'github-action-benchmark'] as const;
/** Of what is no result of its own. */
const COMPARISON_FORMATS = ['terminal', 'docs', 'pull-request'] as const;

/** The program itself, which measures if no command is named. */
export function createMeasure(setStatus: SetStatus): CommandUnknownOpts {
  return measureCommand(
    INVOKED_AS,
    'Measures what instrumentation costs a web server per request, against a baseline.',
  )
    .version(version)
    .addOption(resumeOption())
    .addOption(formatOption(RESULT_FORMATS))
    .addOption(colorOption())
    .addOption(noColorOption())
    .option(
      '--fail-above <limit>',
      'fail if a scenario costs more CPU per request: 10% of the baseline, or 5us; pairs are added until each row is surely above or below. Status 4 if one is not',
      parseLimit,
    )
    .option(
      '--fail-above-p99 <time>',
      'at a steady rate: fail if a scenario adds more to p99, such as 5ms; pairs and status as above',
      parseLatencyUs,
    )
    .addHelpText(
      'after',
      examples(
        '--quick',
        '--suite ./bench/suite.json --scenarios with',
        '--rate 2000',
        '--dry-run',
      ),
    )
    .action(async (options) => {
      const steps = firstSteps(options.suite);
      if (steps !== undefined) return setStatus(printSteps(steps));
      const { measure } = await import('../commands/measure.ts');
      setStatus(await measure(options));
    });
}

/** Returns the exit status: nothing was measured. */
function printSteps(steps: string[]): number {
  for (const step of steps) printToStderr(step);
  return EXIT_STATUS.usageError;
}

function createInit(setStatus: SetStatus): CommandUnknownOpts {
  return new Command('init')
    .description('writes a suite for the project in this folder, to be filled in: bench/suite.json')
    .action(async () => {
      const { init } = await import('../commands/init.ts');
      setStatus(await init());
    });
}

function createSetup(setStatus: SetStatus): CommandUnknownOpts {
  return new Command('setup')
    .description('installs load tools: bombardier and vegeta by Go, else wrk by apt or brew')
    .action(async () => {
      const { setup } = await import('../commands/setup.ts');
      setStatus(setup());
    });
}

function createCalibrate(setStatus: SetStatus): CommandUnknownOpts {
  return measureCommand(
    'calibrate',
    'measures servers with a known cost: how true are figures on this machine?',
    'calibration',
  )
    .addOption(resumeOption())
    .addOption(formatOption(RESULT_FORMATS))
    .addOption(colorOption())
    .addOption(noColorOption())
    .addHelpText('after', examples('calibrate --quick'))
    .action(async (options) => {
      const { measure } = await import('../commands/measure.ts');
      setStatus(await measure(options));
    });
}

function createDoctor(setStatus: SetStatus): CommandUnknownOpts {
  return new Command('doctor')
    .description('says what this machine offers for measuring, and what to do about what it lacks')
    .action(async () => {
      const { doctor } = await import('../commands/doctor.ts');
      setStatus(await doctor());
    });
}

function createSoak(setStatus: SetStatus): CommandUnknownOpts {
  return loadCommand(
    'soak',
    'loads one server for long: does its memory grow, is its event loop late, are spans lost?',
  )
    .argument('<scenario>', 'the scenario to load; the baseline is one, too')
    .option('--for <time>', 'how long, such as 30m', secondsFrom(30), 1_800)
    .option('--rate <n>', 'requests a second', countFrom(1), 1_000)
    .addHelpText('after', examples('soak with --suite ./bench/suite.json --for 30m'))
    .action(async (scenario, options) => {
      const { soak } = await import('../commands/soak.ts');
      setStatus(await soak(scenario, options));
    });
}

function createProve(setStatus: SetStatus): CommandUnknownOpts {
  return suiteCommand(
    'prove',
    'prints what scenarios record of a request: the "telemetry" for their suite',
  )
    .argument('[scenario]', 'the scenario to watch; if left out, all of the suite')
    .addHelpText('after', examples('prove with --suite ./bench/suite.json'))
    .action(async (scenario, options) => {
      const { prove } = await import('../commands/prove.ts');
      setStatus(await prove(scenario, options));
    });
}

function createExplain(setStatus: SetStatus): CommandUnknownOpts {
  const from = new Option(
    '--from <file>',
    'measure nothing; explain an earlier result from its profiles',
  );
  return measureCommand('explain', 'shows where a cost lies, package by package (Bun, Node)')
    .addOption(formatOption(['terminal', 'docs', 'full', 'json']))
    .addOption(colorOption())
    .addOption(noColorOption())
    .argument('[scenario]', 'the scenario to explain; if left out, all of the suite')
    .addOption(from.conflicts(measureOptionNames()))
    .addHelpText(
      'after',
      examples('explain trace-10x', 'explain trace-10x --from results/FILE --format full'),
    )
    .action(async (scenario, { from: file, ...options }, command) => {
      if (scenario !== undefined) rejectOptions(command, ['scenarios'], 'beside a scenario');
      const { explainFrom, explainRun } = await import('../commands/explain.ts');
      setStatus(
        file === undefined
          ? await explainRun(scenario, options)
          : explainFrom(file, scenario, options),
      );
    });
}

function createReport(setStatus: SetStatus): CommandUnknownOpts {
  const html = new Option(
    '--html <file>',
    'write a page with the picture, the tables and all warnings',
  );
  const svg = new Option(
    '--svg <folder>',
    'write the picture into this folder, for light and for dark pages',
  );
  const between = new Option(
    '--between <scenario...>',
    'two scenarios: is the first dearer than the second? By their pairs',
  );
  return new Command('report')
    .description(
      'prints a result again, or writes it into a document or a page; of several results of a suite, what changed from one to the next',
    )
    .argument('<files...>', 'a result file, or several of one suite')
    .addOption(formatOption(RESULT_FORMATS))
    .addOption(colorOption())
    .addOption(noColorOption())
    .option(
      '--update <document>',
      'write the report there, between <!-- bench:SUITE --> and <!-- /bench -->',
    )
    .option(
      '--check',
      'with --update: write nothing; exit with status 1 if the document is out of date',
      false,
    )
    .addOption(html.conflicts('check'))
    .addOption(svg.conflicts('check'))
    .addOption(between.conflicts(['update', 'html', 'svg', 'format']))
    .option('--tasks <a,b>', 'with --between: only these tasks', parseNames)
    .addHelpText(
      'after',
      examples(
        'report results/FILE --format full',
        'report results/FILE --update README.md',
        'report results/FILE --html report.html',
        'report results/levels-*.json --html history.html',
        'report results/FILE --between trace-10x trace-active',
      ),
    )
    .action(async (files, options, command) => {
      rejectUnusableReportOptions(command, files, options);
      const { report, reportHistory } = await import('../commands/report.ts');
      const [file = '', ...others] = files;
      setStatus(
        others.length === 0 ? await report(file, options) : await reportHistory(files, options),
      );
    });
}

/** Ends with a usage error if an option has no effect beside the others. @throws CommanderError */
function rejectUnusableReportOptions(
  command: CommandUnknownOpts,
  files: readonly string[],
  { update, html, svg, between }: ReportOptions,
): void {
  const hasPages = html !== undefined || svg !== undefined;
  if (update === undefined) {
    rejectOptions(command, ['check'], 'without --update');
    if (hasPages) rejectOptions(command, ['format'], 'on pages and pictures');
  }
  if (between === undefined) rejectOptions(command, ['tasks'], 'without --between');
  if (files.length > 1) rejectOptions(command, ['update', 'svg', 'between'], 'on several results');
}

function createCompare(setStatus: SetStatus): CommandUnknownOpts {
  const git = new Option(
    '--git <revision>',
    'check out this revision and HEAD, and measure them in pairs',
  );
  const packages = new Option(
    '--package <name@version...>',
    'install versions of a package, and measure each with the first in pairs: a version is a number, a tag, a tarball or a folder',
  );
  return measureCommand(
    'compare',
    'compares two results; or measures two revisions, or versions of a package, in pairs',
  )
    .argument('[old]', 'the earlier result; or a result of --git, to print it again')
    .argument('[new]', 'the later result')
    .addOption(git.conflicts(['package', 'force']))
    .addOption(packages.conflicts('force'))
    .addOption(formatOption(COMPARISON_FORMATS))
    .addOption(colorOption())
    .addOption(noColorOption())
    .option(
      '--fail-above <limit>',
      'fail if a cost rose by more (5%, 1us), or could not be compared; pairs are added until each row is surely above or below. Status 4 if one is not',
      parseLimit,
    )
    .option(
      '--allow-missing',
      'with --fail-above: do not fail on rows that could not be compared',
      false,
    )
    .option('--force', 'compare results of different machines or versions', false)
    .option('--allow-same', 'compare a thing with itself, to see the noise', false)
    .addHelpText(
      'after',
      examples(
        'compare old.json new.json --fail-above 5%',
        'compare --git main --fail-above 5%',
        'compare --package mylib@1.2.0 mylib@../mylib.tgz mylib@../mylib',
      ),
    )
    .action(async (old, current, { git, package: versions, ...options }, command) => {
      const hasLimit = options.failAbove !== undefined;
      rejectUnusableCompareOptions(command, { old, current, git, versions, hasLimit });
      const { compare, comparePairs } = await import('../commands/compare.ts');
      setStatus(
        old === undefined
          ? await comparePairs(git, versions ?? [], options)
          : compare(old, current, options),
      );
    });
}

/** What a call of `compare` names. */
interface ComparedThings {
  /** Two results may be named, by their files. */
  old: string | undefined;
  current: string | undefined;
  /** A revision may be named, which is compared with HEAD. */
  git: string | undefined;
  /** Versions of a package may be named. */
  versions: readonly string[] | undefined;
  /** Whether `--fail-above` sets a limit. */
  hasLimit: boolean;
}

/**
 * Ends with a usage error if nothing is named to compare, or if an option has no effect on what is.
 * @throws CommanderError
 */
function rejectUnusableCompareOptions(
  command: CommandUnknownOpts,
  { old, current, git, versions, hasLimit }: ComparedThings,
): void {
  if (!hasLimit) rejectOptions(command, ['allowMissing'], 'without --fail-above');
  if (old !== undefined)
    rejectOptions(command, [...measureOptionNames(), 'git', 'package'], 'on results');
  if (current === undefined && old !== undefined)
    rejectOptions(command, ['force', 'allowSame'], 'on one result');
  if (old === undefined && git === undefined && versions === undefined)
    command.error('error: name two results, a revision with --git, or versions with --package.');
}

/**
 * Returns the part of the help with calls to copy: what follows the name of the program in each.
 */
function examples(...calls: string[]): string {
  return `\nExamples:${calls.map((call) => `\n  ${INVOKED_AS} ${call}`).join('')}`;
}
