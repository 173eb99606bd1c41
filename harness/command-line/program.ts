import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { Problem } from '../words/errors.ts';
import { EXIT_STATUS } from '../words/output.ts';
import { COMMANDS, createMeasure, type SetStatus } from './commands.ts';
import { rejectOptions } from './options.ts';

/*
 * This room turns the words of a call into a command with its options; an exit status comes out.
 * What a user may type is declared here: each command in `commands.ts`, each option in
 * `options.ts`, each form of a value in `parsers.ts`. What a command does belongs in `commands/`,
 * and is loaded when it runs, so that help is there at once.
 */

/**
 * Runs what the words of a call ask for. Returns the exit status. @throws Problem, or
 * CommanderError after it printed why
 */
export async function runProgram(words: string[]): Promise<number> {
  refuseRemoteServers(words);
  let status = EXIT_STATUS.success;
  const program = createProgram((given) => {
    status = given;
  });
  await program.parseAsync(words, { from: 'user' });
  return status;
}

/**
 * Returns the whole program, with all commands. It does nothing until it parses the words of a
 * call.
 */
export function createProgram(setStatus: SetStatus): CommandUnknownOpts {
  const program = createMeasure(setStatus).enablePositionalOptions().exitOverride();
  for (const create of COMMANDS) program.addCommand(create(setStatus).exitOverride());
  program.helpCommand(true);
  // Commander would keep such an option for the run without a command, and forget it.
  program.hook('preSubcommand', (_, command) => {
    const way = `before "${command.name()}": give it after that`;
    rejectOptions(program, Object.keys(program.opts()), way);
  });
  return program;
}

/** Refuses the address of a server, which users of load tools try first. @throws Problem */
function refuseRemoteServers(words: string[]): void {
  if (!words.some((word) => /^https?:/i.test(word))) return;
  throw new Problem(
    'Servers elsewhere are not measured: CPU time is known only of processes that tracetax starts',
    'Give the command that starts the server, without TLS, in a suite',
  );
}
