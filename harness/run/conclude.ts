import { relative } from 'node:path';
import { Interruption } from '../processes/interruption.ts';
import { faultText, remedyOf } from '../result/faults.ts';
import type { Result } from '../result/schema.ts';
import { problemLine } from '../words/errors.ts';
import { EXIT_STATUS, INVOKED_AS, printToStderr } from '../words/output.ts';
import { counted, quoteCommand } from '../words/text.ts';
import { failedBaselines } from './given-up.ts';
import type { Outcome } from './run.ts';

/**
 * Says where the result is, and what went wrong.
 * @param isStrict whether any warning is a failure
 * @returns the exit status
 */
export function conclude(
  { file, stoppedBy, result }: Outcome,
  warnings: readonly { kind: string }[],
  isStrict: boolean,
): number {
  if (stoppedBy) printToStderr(`tracetax: ${problemLine(stoppedBy) ?? `${stoppedBy.message}.`}`);
  const baselines = baselineLines(result);
  for (const line of baselines) printToStderr(`tracetax: ${line}`);
  const name = relative('', file);
  const reportCommand = `${INVOKED_AS} report ${quoteCommand([name])} --format full`;
  printToStderr(`\nThe result is in ${name}. To see all of it: ${reportCommand}`);
  if (stoppedBy instanceof Interruption) return EXIT_STATUS[stoppedBy.signal];
  const failing = failingWarnings(warnings, isStrict);
  if (isStrict && failing.length > 0)
    printToStderr(`tracetax: --strict: ${counted(failing.length, 'warning')}.`);
  // A gate may have passed all rows that it judges, which are not all.
  if (!isStrict && failing.length > 0 && baselines.length === 0) printToStderr(NOT_ALL_ROWS);
  return stoppedBy || failing.length > 0 ? EXIT_STATUS.failure : EXIT_STATUS.success;
}

const NOT_ALL_ROWS =
  'tracetax: not all rows have figures: do what the warnings say, and measure again.';

/** Returns a line for each baseline that failed, so that its rows got no more pairs. */
function baselineLines(result: Result): string[] {
  const isOfOneTask = result.suite.tasks.length === 1;
  return failedBaselines(result).map(({ task, fault }) => {
    const rows = isOfOneTask ? 'The run' : `Task ${task}`;
    const reason = `its baseline failed in the same way in two pairs: ${faultText(fault)}`;
    return `${rows} ended: ${reason}. ${remedyOf(fault.kind)}.`;
  });
}

/** Returns the warnings that make a run fail: strictly, each does. */
export function failingWarnings<Warned extends { kind: string }>(
  warnings: readonly Warned[],
  isStrict: boolean,
): Warned[] {
  return warnings.filter(({ kind }) => isStrict || kind === 'invalid');
}
