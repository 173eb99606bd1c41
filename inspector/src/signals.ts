const signals = ['SIGTERM', 'SIGINT'] as const;
/** Of all inspectors in this process. */
const flushes: (() => Promise<void>)[] = [];
let ending = false;

/** True when the process only waits for its spans to be sent. Without them it would have ended, and answered no more. */
export const isEnding = () => ending;
export const unanswered = new Promise<never>(() => {});

/**
 * Calls `flush` on SIGTERM or SIGINT before the signal ends the process. If the app listens for the signal itself, calls
 * nothing: the app goes on to answer, and knows when it has finished.
 */
export function flushBeforeSignalEnds(flush: () => Promise<void>): void {
  // Before the app's listeners: one that is called once would be gone when this one counts them.
  if (flushes.length === 0) for (const signal of signals) process.prependOnceListener(signal, flushAll);
  flushes.push(flush);
}

async function flushAll(signal: NodeJS.Signals): Promise<void> {
  // This listener is gone, since it is called once. So a second signal ends the process without delay.
  if (process.listenerCount(signal) > 0) return;
  ending = true;
  await Promise.allSettled(flushes.map((flush) => flush()));
  process.kill(process.pid, signal);
}
