import { relative } from 'node:path';
import { Interruption } from '../processes/interruption.ts';
import { problemLine } from '../words/errors.ts';
import { EXIT_STATUS, INVOKED_AS, printToStderr } from '../words/output.ts';
import { counted, quoteCommand } from '../words/text.ts';
import type { Outcome } from './run.ts';

/**
 * Says where the result is, and what went wrong.
 * @param isStrict whether any warning is a failure
 * @returns the exit status
 */
export function conclude(
  { file, stoppedBy }: Outcome,
  warnings: readonly { kind: string }[],
  isStrict: boolean,
): number {
  if (stoppedBy) printToStderr(`tracetax: ${problemLine(stoppedBy) ?? `${stoppedBy.message}.`}`);
  const name = relative('', file);
  const reportCommand = `${INVOKED_AS} report ${quoteCommand([name])} --format full`;
  printToStderr(`\nThe result is in ${name}. To see all of it: ${reportCommand}`);
  if (stoppedBy instanceof Interruption) return EXIT_STATUS[stoppedBy.signal];
  const failing = warnings.filter(({ kind }) => isStrict || kind === 'invalid');
  if (isStrict && failing.length > 0)
    printToStderr(`tracetax: --strict: ${counted(failing.length, 'warning')}.`);
  return stoppedBy || failing.length > 0 ? EXIT_STATUS.failure : EXIT_STATUS.success;
}
