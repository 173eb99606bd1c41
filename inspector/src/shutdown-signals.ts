const signals = ['SIGTERM', 'SIGINT'] as const;

/** Of all inspectors in this process. */
const finishes = new Set<() => Promise<void>>();

/**
 * Calls `finish` on SIGTERM or SIGINT, and then lets the signal end the process, unless the app listens for it too.
 * Returns a function that takes `finish` back.
 */
export function onShutdownSignal(finish: () => Promise<void>): () => void {
  // Before the app's listeners: one that is called once would be gone when this one counts them.
  if (finishes.size === 0) for (const signal of signals) process.prependOnceListener(signal, finishAll);
  finishes.add(finish);
  return () => {
    finishes.delete(finish);
    if (finishes.size === 0) for (const signal of signals) process.off(signal, finishAll);
  };
}

async function finishAll(signal: NodeJS.Signals): Promise<void> {
  const isAlone = process.listenerCount(signal) === 0; // This listener is gone: it is called once.
  await Promise.all(Array.from(finishes, (finish) => finish().catch(console.error)));
  if (isAlone) process.kill(process.pid, signal);
}
