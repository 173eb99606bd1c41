#!/usr/bin/env bun
import { Command } from '@commander-js/extra-typings';
import { endAllChildren } from './machine/child.ts';
import { ownAddresses } from './machine/environment.ts';
import { compareCommand, explainCommand, type RunOptions, reportCommand, runCommand } from './options.ts';
import { problemLine } from './words/errors.ts';
import { CALLED, complain, EXIT } from './words/output.ts';

// What a command needs is loaded when it runs, so that help is there at once.
const commands = () => import('./commands/measure.ts');
const measure = async (options: RunOptions) => exit(await (await commands()).measure(options));
const about = 'Measures what instrumentation costs a web server per request, against a baseline.';
const aboutCalibration = 'measures servers with a known cost: how true are figures on this machine?';
const main = runCommand(CALLED, about).action(measure).enablePositionalOptions();
const others = [
  new Command('init')
    .description('writes a first suite for the project in this folder: bench/suite.ts')
    .action(async () => exit(await (await import('./commands/init.ts')).init())),
  runCommand('calibrate', aboutCalibration, 'calibration').action(measure),
  explainCommand().action(async (scenario, options) => {
    const { explainCost } = await import('./explain/command.ts');
    exit(await explainCost(scenario, options));
  }),
  reportCommand().action(async (file, options) => exit(await (await commands()).report(file, options))),
  compareCommand().action(async (old, current, options) => {
    if (options.git === undefined) return exit(await (await commands()).compare(old, current, options));
    const { compareRevisions } = await import('./commands/compare-git.ts');
    exit(await compareRevisions(options.git, options));
  }),
];
for (const each of [main, ...others])
  each.exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? EXIT.done : EXIT.usage));
for (const other of others) main.addCommand(other);
// Commander would keep it for the run without a command, and forget it.
main.hook('preSubcommand', (_, command) => {
  const early = main.options.find((option) => main.getOptionValueSource(option.attributeName()) === 'cli');
  if (early) main.error(`error: ${early.long} stands before the command. Give it after "${command.name()}".`);
});

// Behind a proxy, this machine is still asked directly: by the kit, and by all that it starts.
const { NO_PROXY, no_proxy } = process.env;
const direct = [NO_PROXY, no_proxy, ...ownAddresses(), 'localhost'].filter(Boolean);
process.env.NO_PROXY = process.env.no_proxy = direct.join(',');

function exit(status: number): void {
  process.exitCode = status;
}

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
  // What has no remedy is a bug.
  const line = problemLine(error);
  if (line === undefined) throw error;
  complain(`tracetax: ${line}`);
  process.exitCode = EXIT.usage;
} finally {
  // Connections to load hosts.
  await endAllChildren();
}
