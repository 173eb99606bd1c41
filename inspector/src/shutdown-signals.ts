const signals = ['SIGTERM', 'SIGINT'] as const;

/**
 * Calls `finish` on SIGTERM or SIGINT, and then lets the signal end the process. If the app listens for the signal too,
 * the app has to end the process. Returns a function that removes the listeners.
 */
export function onShutdownSignal(finish: () => Promise<void>): () => void {
  const remove = () => {
    for (const signal of signals) process.off(signal, listener);
  };
  const listener = async (signal: NodeJS.Signals) => {
    const isAlone = process.listenerCount(signal) === 1;
    await finish().catch(console.error);
    remove();
    if (isAlone) process.kill(process.pid, signal);
  };
  for (const signal of signals) process.on(signal, listener);
  return remove;
}
