// The whole command line without a process of its own: what a call prints is kept.
import { spyOn } from 'bun:test';
import { reportFailure } from '../command-line/failure.ts';
import { runProgram } from '../command-line/program.ts';

/** What a call of the program came to. */
export interface CallOutput {
  status: number;
  stdout: string;
  stderr: string;
}

/**
 * Runs the program with the words of a call, one call at a time. @throws what the program does not
 * expect, such as a bug
 */
export async function callProgram(...words: string[]): Promise<CallOutput> {
  using stdout = spyOn(process.stdout, 'write').mockReturnValue(true);
  using stderr = spyOn(process.stderr, 'write').mockReturnValue(true);
  using _ = stdoutAsPipe();
  let status: number | undefined;
  try {
    status = await runProgram(words);
  } catch (error) {
    status = reportFailure(error);
    if (status === undefined) throw error;
  }
  return { status, stdout: textOf(stdout.mock.calls), stderr: textOf(stderr.mock.calls) };
}

/** Lets stdout be no terminal, wherever the tests run; disposing of it gives that back. */
function stdoutAsPipe(): Disposable {
  const { isTTY } = process.stdout;
  process.stdout.isTTY = false;
  return {
    [Symbol.dispose]: () => {
      process.stdout.isTTY = isTTY;
    },
  };
}

function textOf(calls: readonly unknown[][]): string {
  return calls.map(([text]) => text).join('');
}
