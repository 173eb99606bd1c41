import { CommanderError } from '@commander-js/extra-typings';
import { Interruption } from '../processes/interruption.ts';
import { problemLine, ScenarioProblem } from '../words/errors.ts';
import { EXIT_STATUS, printToStderr } from '../words/output.ts';

/**
 * Prints what stopped the program. Returns the exit status; undefined for a bug of tracetax, of
 * which it prints nothing.
 */
export function reportFailure(error: unknown): number | undefined {
  // Commander has printed the help that was asked for, or what is wrong with the call.
  if (error instanceof CommanderError)
    return error.exitCode === 0 ? EXIT_STATUS.success : EXIT_STATUS.usageError;
  if (error instanceof Interruption) {
    printToStderr(`tracetax: ${error.message}.`);
    printToStderr('No result was written.');
    return EXIT_STATUS[error.signal];
  }
  const line = problemLine(error);
  if (line === undefined) return undefined;
  printToStderr(`tracetax: ${line}`);
  return error instanceof ScenarioProblem ? EXIT_STATUS.failure : EXIT_STATUS.usageError;
}
