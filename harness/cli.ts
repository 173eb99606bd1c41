import { readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { Command, CommanderError } from 'commander';
import { doctor } from './doctor.ts';
import { dryRun } from './dry-run.ts';
import { Interruption } from './measure/interruption.ts';
import {
  CALIBRATION_WARMUP_SECONDS,
  calibrateOptions,
  type Format,
  formatOption,
  type RunOptions,
  runOptions,
  toolOption,
  WARMUP_SECONDS,
} from './options.ts';
import { plan } from './plan.ts';
import { Problem } from './problem.ts';
import { replaceBlocks } from './report/blocks.ts';
import { CALIBRATION, calibrationReport } from './report/calibration.ts';
import { docsReport, fullReport } from './report/tables.ts';
import { readResult } from './results/file.ts';
import type { Result } from './results/schema.ts';
import { type Outcome, run } from './run.ts';
import { verdictsOf } from './stats/verdicts.ts';

/** Exit statuses: what a shell would give a signal, 2 for a wrong call, 1 for whatever else went wrong. */
const EXIT = { failed: 1, usage: 2, SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

const RENDERERS: Record<Format, (result: Result) => string> = {
  docs: (result) => (result.suite.name === CALIBRATION ? calibrationReport(result) : docsReport(result)),
  full: fullReport,
  json: (result) => JSON.stringify({ ...result, verdicts: verdictsOf(result) }, null, 1),
};

async function compare(options: RunOptions): Promise<number> {
  const planned = await plan(options);
  if (options.dryRun) return print(dryRun(planned), 0);
  const outcome = await run(planned, options.out);
  if (outcome.file) print(RENDERERS[options.format](outcome.result), 0);
  return conclude(outcome, options.strict);
}

/** Measures the servers whose cost is known, and prints true against measured. */
async function calibrate(options: RunOptions): Promise<number> {
  const warmup = options.warmup ?? (options.quick ? WARMUP_SECONDS.quick : CALIBRATION_WARMUP_SECONDS);
  const duetOnly = { ...options, warmup, suite: CALIBRATION, duet: true, duetOnly: true };
  const outcome = await run(await plan(duetOnly), options.out);
  if (outcome.file) print(RENDERERS.docs(outcome.result), 0);
  return conclude(outcome, false);
}

interface ReportOptions {
  format: Format;
  update?: string;
  check: boolean;
}

function report(file: string, { format, update, check }: ReportOptions): number {
  const text = RENDERERS[format](readResult(file));
  return update === undefined
    ? print(text, 0)
    : updateDocument(update, readResult(file).suite.name, text, check);
}

/** Puts the report into the document's blocks of that name; with `check` only says whether they are up to date. */
function updateDocument(document: string, name: string, text: string, check: boolean): number {
  const before = readDocument(document);
  const after = replaceBlocks(before, name, text);
  if (after === before) return print(`${document}: ${name} is up to date`, 0);
  if (check) throw new Problem(`${document}: ${name} is stale`, 'Run the same without --check');
  writeFileSync(document, after);
  return print(`${document}: ${name} updated`, 0);
}

function readDocument(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new Problem(`${file} can't be read: ${(error as Error).message}`, 'Give a text file with blocks');
  }
}

/** Says where the result is and what went wrong; returns the exit status. `isStrict`: any verdict is a failure. */
function conclude({ result, file: path, stoppedBy }: Outcome, isStrict: boolean): number {
  const file = path && nearName(path);
  const complain = (line: string) => process.stderr.write(`${line}\n`);
  if (stoppedBy)
    complain(`tracetax: ${stoppedBy instanceof Problem ? stoppedBy.summary : stoppedBy.message}`);
  complain(
    file
      ? `\nThe result is in ${file}; scripts/bench.sh report ${file} --format full prints more of it.`
      : 'Nothing was measured.',
  );
  if (stoppedBy instanceof Interruption) return EXIT[stoppedBy.signal];
  const failing = result.verdicts.filter(({ kind }) => isStrict || kind === 'invalid');
  if (isStrict && failing.length > 0)
    complain(`tracetax: --strict: ${failing.length} warnings. They stand below the table`);
  return stoppedBy || failing.length > 0 ? EXIT.failed : 0;
}

/** The path as the user would type it: relative for what lies below the current folder. */
function nearName(path: string): string {
  const near = relative('', path);
  return near.startsWith('..') ? path : near;
}

function print(text: string, status: number): number {
  process.stdout.write(`${text}\n`);
  return status;
}

function program(exit: (status: number) => void): Command {
  const main = new Command('scripts/bench.sh')
    .description('Measures what instrumentation costs a web server per request, against a baseline.')
    .enablePositionalOptions()
    .showSuggestionAfterError()
    .exitOverride()
    .action(async (options: RunOptions) => exit(await compare(options)));
  for (const option of runOptions()) main.addOption(option);
  const calibration = main
    .command('calibrate')
    .description('measures servers whose extra cost is known: what the kit is worth on this machine')
    .exitOverride()
    .action(async (options: RunOptions) => exit(await calibrate(options)));
  for (const option of calibrateOptions()) calibration.addOption(option);
  main
    .command('doctor')
    .description('checks machine and tools before a run, and prints what would be marked')
    .addOption(toolOption())
    .exitOverride()
    .action(async (options: Pick<RunOptions, 'tool'>) => exit(print(await doctor(options), 0)));
  main
    .command('report')
    .description('prints a result again')
    .argument('<file>', 'a file that an earlier run wrote')
    .addOption(formatOption())
    .option('--update <document>', 'put it between <!-- bench:SUITE --> and <!-- /bench --> in there')
    .option('--check', 'with --update: change nothing, and fail where that would', false)
    .exitOverride()
    .action((file: string, options: ReportOptions) => exit(report(file, options)));
  return main;
}

/** Returns the exit status. What is not a Problem is a bug, and is thrown. */
async function main(argv: string[]): Promise<number> {
  let status = 0;
  try {
    await program((each) => {
      status = each;
    }).parseAsync(argv, { from: 'user' });
    return status;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT.usage;
    if (!(error instanceof Problem)) throw error;
    process.stderr.write(`tracetax: ${error.summary}\n`);
    return EXIT.usage;
  }
}

// Whoever reads the output may have seen enough, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

process.exitCode = await main(process.argv.slice(2));
