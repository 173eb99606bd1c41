const signals = ['SIGTERM', 'SIGINT'] as const;

/** Of all inspectors in this process. */
const flushes = new Set<() => Promise<void>>();
let ending = false;

/** True when the process only waits for its spans to be sent. */
export const isEnding = () => ending;

/**
 * Calls `flush` on SIGTERM or SIGINT before the signal ends the process. If the app listens for the signal itself, calls
 * nothing: the app goes on to answer, and knows when it has finished. Returns a function that takes `flush` back.
 */
export function flushBeforeSignalEnds(flush: () => Promise<void>): () => void {
  // Before the app's listeners: one that is called once would be gone when this one counts them.
  if (flushes.size === 0) for (const signal of signals) process.prependOnceListener(signal, flushAll);
  flushes.add(flush);
  return () => {
    flushes.delete(flush);
    if (flushes.size === 0) for (const signal of signals) process.off(signal, flushAll);
  };
}

async function flushAll(signal: NodeJS.Signals): Promise<void> {
  // This listener is gone, since it is called once. So a second signal ends the process without delay.
  if (process.listenerCount(signal) > 0) return;
  ending = true;
  await Promise.allSettled(Array.from(flushes, (flush) => flush()));
  process.kill(process.pid, signal);
}
