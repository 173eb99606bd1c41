import { firstError, problemLine } from '../words/errors.ts';
import { readText } from '../words/files.ts';
import { endAllChildren } from './child.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** SIGHUP, the lowest bit, is ignored: the run is to outlive its terminal. */
const isNohup = /^SigIgn:.*[13579bdf]$/m.test(readText('/proc/self/status') ?? '');
const HEARD = SIGNALS.filter((name) => !(isNohup && name === 'SIGHUP'));
// To take the last listener away, as write-file-atomic does with its own, would make the signal deadly again.
if (isNohup) process.on('SIGHUP', () => {});

/** The user, or the system, asked the run to end. */
export class Interruption extends Error {
  constructor(readonly signal: (typeof SIGNALS)[number]) {
    super(`interrupted by ${signal}`);
  }
}

/**
 * Does work that lives by its child processes: on the first SIGINT, SIGTERM or SIGHUP they are ended, so that it fails.
 * @throws Interruption then, and whatever the work throws else.
 */
export async function interruptible<T>(work: () => Promise<T>): Promise<T> {
  const signals: Interruption[] = [];
  const handler = (signal: (typeof SIGNALS)[number]) => {
    signals.push(new Interruption(signal));
    void endAllChildren();
  };
  for (const signal of HEARD) process.on(signal, handler);
  const [done] = await Promise.allSettled([work()]);
  for (const signal of HEARD) process.off(signal, handler);
  const [first] = signals;
  if (first) throw first;
  if (done.status === 'rejected') throw firstError(done.reason);
  return done.value;
}

/** The same of work that has begun. Returns the problem or the signal that stopped it; undefined if nothing did. */
export async function unlessStopped(work: Promise<unknown>): Promise<Error | undefined> {
  try {
    await interruptible(() => work);
    return undefined;
  } catch (error) {
    if (error instanceof Interruption || problemLine(error) !== undefined) return error as Error;
    throw error;
  }
}
