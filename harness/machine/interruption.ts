import { endAllChildren } from './child.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The user, or the system, asked the run to end. */
export class Interruption extends Error {
  constructor(readonly signal: (typeof SIGNALS)[number]) {
    super(`interrupted by ${signal}`);
  }
}

/**
 * Does work that lives by its child processes. On the first SIGINT, SIGTERM or SIGHUP they are ended, so that the work
 * fails; what is thrown then is the Interruption.
 */
export async function interruptible<T>(work: () => Promise<T>): Promise<T> {
  let interruption: Interruption | undefined;
  const handler = (signal: (typeof SIGNALS)[number]) => {
    interruption ??= new Interruption(signal);
    void endAllChildren();
  };
  for (const signal of SIGNALS) process.on(signal, handler);
  try {
    return await work();
  } catch (error) {
    throw interruption ?? error;
  } finally {
    for (const signal of SIGNALS) process.off(signal, handler);
  }
}
