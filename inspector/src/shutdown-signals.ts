const signals = ['SIGTERM', 'SIGINT'] as const;

/**
 * On SIGTERM or SIGINT calls `finish` and then lets the signal end the process as it would have without. Where the
 * app listens for the signal too, ending the process is left to the app. Returns a function that takes this back.
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
