import { Command, CommanderError, type Option } from 'commander';
import { calibrate, compare, measure, report } from './commands.ts';
import {
  type CompareOptions,
  calibrateOptions,
  compareOptions,
  type ExplainOptions,
  explainOptions,
  type ReportOptions,
  type RunOptions,
  reportOptions,
  runOptions,
} from './options.ts';
import { complain, EXIT } from './output.ts';
import { problemLine } from './problem.ts';

function program(exit: (status: number) => void): Command {
  const main = new Command('scripts/bench.sh')
    .description('Measures what instrumentation costs a web server per request, against a baseline.')
    .enablePositionalOptions()
    .showSuggestionAfterError()
    .exitOverride();
  const withOptions = (command: Command, options: Option[]) => {
    for (const option of options) command.addOption(option);
    return command.exitOverride();
  };
  withOptions(main, runOptions()).action(async (options: RunOptions) => exit(await measure(options)));
  const command = (usage: string, description: string, options: Option[]) =>
    withOptions(main.command(usage).description(description), options);
  command('calibrate', 'measures servers with a known cost: how true is a figure here?', calibrateOptions()).action(
    async (options: RunOptions) => exit(await calibrate(options)),
  );
  command('explain', 'says where the cost of a scenario lies: by package, and outside JavaScript', explainOptions())
    .argument('[scenario]', 'one of the suite; all if left out')
    .action(async (scenario: string | undefined, options: ExplainOptions) => {
      const { explainCommand } = await import('./explain/command.ts');
      exit(await explainCommand(scenario, options));
    });
  command('report', 'prints a result again, or puts it into a document or a page', reportOptions())
    .argument('<file>', 'a result file')
    .action(async (file: string, options: ReportOptions) => exit(await report(file, options)));
  command('compare', 'compares two results', compareOptions())
    .argument('<old>', 'the result of an earlier run')
    .argument('<new>', 'the result of a later run')
    .action((old: string, current: string, options: CompareOptions) => exit(compare(old, current, options)));
  return main;
}

/** Returns the exit status. What is thrown and has no remedy is a bug. */
async function main(argv: string[]): Promise<number> {
  let status = EXIT.done;
  try {
    await program((each) => {
      status = each;
    }).parseAsync(argv, { from: 'user' });
    return status;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    const line = problemLine(error);
    if (line === undefined) throw error;
    complain(`tracetax: ${line}`);
    return EXIT.usage;
  }
}

// A reader such as `head` may close the pipe early.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

process.exitCode = await main(process.argv.slice(2));
