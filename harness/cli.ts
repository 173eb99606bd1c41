#!/usr/bin/env bun
import {
  bypassProxyForOwnAddresses,
  leaveGitHook,
  undoDotenv,
} from './command-line/environment.ts';
import { reportFailure } from './command-line/failure.ts';
import { runProgram } from './command-line/program.ts';
import { endAllChildren } from './processes/child.ts';
import { firstError } from './words/errors.ts';
import { EXIT_STATUS, flushOutput, surviveOutputErrors } from './words/output.ts';

// The entry of the program. It runs the command of the call in the user's own environment, and ends
// with its exit status once everything that was printed has arrived. What a user may type is
// declared in command-line/.

undoDotenv();
leaveGitHook();
bypassProxyForOwnAddresses();
surviveOutputErrors();

let status: number | undefined;
let failure: unknown;
try {
  status = await runProgram(process.argv.slice(2));
} catch (thrown) {
  failure = firstError(thrown);
  status = reportFailure(failure);
} finally {
  // Services, masters of Locust and connections to load hosts live until here.
  await endAllChildren();
}
const isWritten = await flushOutput();
// Bun prints where a bug is.
if (status === undefined) throw failure;
// By itself it might never end: a suite may have left a timer or a connection open.
process.exit(isWritten ? status : EXIT_STATUS.failure);
