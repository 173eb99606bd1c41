import { problemLine } from '../problem.ts';
import { endAllChildren } from './child.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The user, or the system, asked the run to end. */
export class Interruption extends Error {
  constructor(readonly signal: (typeof SIGNALS)[number]) {
    super(`interrupted by ${signal}`);
  }
}

/**
 * Does work that lives by its child processes: on the first SIGINT, SIGTERM or SIGHUP they are ended, so that it fails.
 * Returns the problem or the signal that stopped it; undefined if nothing did.
 */
export async function unlessStopped(work: () => Promise<unknown>): Promise<Error | undefined> {
  let interruption: Interruption | undefined;
  const handler = (signal: (typeof SIGNALS)[number]) => {
    interruption ??= new Interruption(signal);
    void endAllChildren();
  };
  for (const signal of SIGNALS) process.on(signal, handler);
  try {
    await work();
    return interruption;
  } catch (error) {
    if (interruption || problemLine(error) !== undefined) return interruption ?? (error as Error);
    throw error;
  } finally {
    for (const signal of SIGNALS) process.off(signal, handler);
  }
}
