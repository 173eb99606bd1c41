import { Command, CommanderError, type Option } from 'commander';
import { type CompareOptions, compare } from './commands/compare.ts';
import { history } from './commands/history.ts';
import { calibrate, measure } from './commands/measure.ts';
import { complain, EXIT, print } from './commands/output.ts';
import { type ReportOptions, report } from './commands/report.ts';
import { doctor } from './doctor.ts';
import {
  calibrateOptions,
  compareOptions,
  historyOptions,
  type RunOptions,
  reportOptions,
  runOptions,
  toolOption,
} from './options.ts';
import { Problem } from './problem.ts';

function program(exit: (status: number) => void): Command {
  const main = new Command('scripts/bench.sh')
    .description('Measures what instrumentation costs a web server per request, against a baseline.')
    .enablePositionalOptions()
    .showSuggestionAfterError()
    .exitOverride();
  main.action(async (options: RunOptions) => exit(await measure(options)));
  const command = (usage: string, description: string, options: Option[]) => {
    const added = main.command(usage).description(description).exitOverride();
    for (const option of options) added.addOption(option);
    return added;
  };
  for (const option of runOptions()) main.addOption(option);
  command(
    'calibrate',
    'measures servers whose extra cost is known: what the kit is worth on this machine',
    calibrateOptions(),
  ).action(async (options: RunOptions) => exit(await calibrate(options)));
  command('doctor', 'checks machine and tools before a run, and prints what would be marked', [
    toolOption(),
  ]).action(async (options: Pick<RunOptions, 'tool'>) => exit(print(await doctor(options))));
  command('report', 'prints a result again, or puts it into a document, a page, plots', reportOptions())
    .argument('<file>', 'a file that an earlier run wrote')
    .action(async (file: string, options: ReportOptions) => exit(await report(file, options)));
  command('compare', 'tells what became of the cost from one result to another', compareOptions())
    .argument('<old>', 'the result of an earlier run')
    .argument('<new>', 'the result of a later one')
    .action((old: string, current: string, options: CompareOptions) => exit(compare(old, current, options)));
  command('history', 'lists results, and draws what became of each cost', historyOptions()).action(
    (options: { folder: string }) => exit(history(options)),
  );
  return main;
}

/** Returns the exit status. What is not a Problem is a bug, and is thrown. */
async function main(argv: string[]): Promise<number> {
  let status: number = EXIT.done;
  try {
    await program((each) => {
      status = each;
    }).parseAsync(argv, { from: 'user' });
    return status;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    if (!(error instanceof Problem)) throw error;
    complain(`tracetax: ${error.summary}`);
    return EXIT.usage;
  }
}

// Whoever reads the output may have seen enough, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

process.exitCode = await main(process.argv.slice(2));
