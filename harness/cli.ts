import { relative } from 'node:path';
import { Command, CommanderError } from 'commander';
import { dryRun } from './dry-run.ts';
import { Interruption } from './measure/interruption.ts';
import { calibrateOptions, type Format, formatOption, type RunOptions, runOptions } from './options.ts';
import { plan } from './plan.ts';
import { Problem } from './problem.ts';
import { CALIBRATION, calibrationReport } from './report/calibration.ts';
import { docsReport, fullReport } from './report/tables.ts';
import { readResult } from './results/file.ts';
import type { Result } from './results/schema.ts';
import { type Outcome, run } from './run.ts';
import { invalidityOf, summarise } from './stats/summary.ts';

/** Exit statuses: what a shell would give a signal, 2 for a wrong call, 1 for whatever else went wrong. */
const EXIT = { failed: 1, usage: 2, SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

const RENDERERS: Record<Format, (result: Result) => string> = {
  docs: (result) => (result.suite.name === CALIBRATION ? calibrationReport(result) : docsReport(result)),
  full: fullReport,
  json: (result) => JSON.stringify(result, null, 1),
};

async function compare(options: RunOptions): Promise<number> {
  const planned = await plan(options);
  if (options.dryRun) return print(dryRun(planned), 0);
  const outcome = await run(planned, options.out);
  if (outcome.file) print(RENDERERS[options.format](outcome.result), 0);
  return conclude(outcome);
}

/** Measures the servers whose cost is known, and prints true against measured. */
async function calibrate(options: RunOptions): Promise<number> {
  const duetOnly = { ...options, suite: CALIBRATION, duet: true, duetOnly: true };
  const outcome = await run(await plan(duetOnly), options.out);
  if (outcome.file) print(RENDERERS.docs(outcome.result), 0);
  return conclude(outcome);
}

function report(file: string, { format }: { format: Format }): number {
  return print(RENDERERS[format](readResult(file)), 0);
}

/** Says where the result is and what went wrong; returns the exit status. */
function conclude({ result, file: path, stoppedBy }: Outcome): number {
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
  const hasInvalidRow = summarise(result).rows.some((row) => invalidityOf(row).length > 0);
  return stoppedBy || hasInvalidRow ? EXIT.failed : 0;
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
    .command('report')
    .description('prints a result again')
    .argument('<file>', 'a file that an earlier run wrote')
    .addOption(formatOption())
    .exitOverride()
    .action((file: string, options: { format: Format }) => exit(report(file, options)));
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
