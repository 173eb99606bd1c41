import { firstError, isProblem } from '../words/errors.ts';
import { readText } from '../words/files.ts';
import { endAllChildren } from './child.ts';

/** Signals by which the user, or the system, asks a run to end. */
export type EndSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/** Whether SIGHUP, the lowest bit, is ignored: the run is to outlive its terminal. */
const isNohup = /^SigIgn:.*[13579bdf]$/m.test(readText('/proc/self/status') ?? '');
const HANDLED_SIGNALS: readonly EndSignal[] = isNohup
  ? ['SIGINT', 'SIGTERM']
  : ['SIGINT', 'SIGTERM', 'SIGHUP'];

// This listener stays: write-file-atomic removes its own, and without any the signal would be
// deadly.
if (isNohup) process.on('SIGHUP', () => {});

/** The user, or the system, asked the run to end. */
export class Interruption extends Error {
  constructor(readonly signal: EndSignal) {
    super(`interrupted by ${signal}`);
  }
}

/**
 * Does work that lives by its child processes: on the first SIGINT, SIGTERM or SIGHUP they are
 * ended, so that the work fails.
 * @returns what the work returns
 * @throws Interruption after such a signal, and whatever else the work throws
 */
export async function interruptible<T>(work: () => Promise<T>): Promise<T> {
  const interruptions: Interruption[] = [];
  const handler = (signal: EndSignal) => {
    interruptions.push(new Interruption(signal));
    void endAllChildren();
  };
  for (const signal of HANDLED_SIGNALS) process.on(signal, handler);
  const [outcome] = await Promise.allSettled([work()]);
  for (const signal of HANDLED_SIGNALS) process.off(signal, handler);
  const [first] = interruptions;
  if (first) throw first;
  if (outcome.status === 'rejected') throw firstError(outcome.reason);
  return outcome.value;
}

/**
 * Waits for work that has begun, and ends its children at such a signal.
 * @returns the problem or the interruption that stopped it; undefined if nothing did
 * @throws what the work throws if it is a bug
 */
export async function unlessStopped(work: Promise<unknown>): Promise<Error | undefined> {
  try {
    await interruptible(() => work);
    return undefined;
  } catch (error) {
    const isExpected = error instanceof Interruption || isProblem(error);
    if (isExpected) return error as Error;
    throw error;
  }
}
