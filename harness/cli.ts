import { compare, measure, report } from './commands.ts';
import { endAllChildren } from './machine/child.ts';
import { compareCommand, explainCommand, reportCommand, runCommand } from './options.ts';
import { complain, EXIT } from './output.ts';
import { problemLine } from './problem.ts';

const main = runCommand(
  'scripts/bench.sh',
  'Measures what instrumentation costs a web server per request, against a baseline.',
  'levels',
).action(async (options) => exit(await measure(options)));
const others = [
  runCommand('calibrate', 'measures servers with a known cost: how true is a figure here?', 'calibration').action(
    async (options) => exit(await measure(options)),
  ),
  explainCommand().action(async (scenario, options) => {
    const { explainCost } = await import('./explain/command.ts');
    exit(await explainCost(scenario, options));
  }),
  reportCommand().action(async (file, options) => exit(await report(file, options))),
  compareCommand().action(async (old, current, options) => exit(await compare(old, current, options))),
];
for (const each of [main, ...others]) {
  each.showSuggestionAfterError().exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? EXIT.done : EXIT.usage));
}
for (const other of others) main.enablePositionalOptions().addCommand(other);

function exit(status: number): void {
  process.exitCode = status;
}

// A reader such as `head` may close the pipe early.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

try {
  await main.parseAsync();
} catch (error) {
  // What has no remedy is a bug.
  const line = problemLine(error);
  if (line === undefined) throw error;
  complain(`tracetax: ${line}`);
  process.exitCode = EXIT.usage;
} finally {
  // Connections to load hosts.
  await endAllChildren();
}
