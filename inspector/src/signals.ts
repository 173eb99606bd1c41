import { constants } from 'node:os';

const signals = ['SIGTERM', 'SIGINT'] as const;
/** Of all inspectors in this process. */
const shutdowns: (() => Promise<void>)[] = [];
let ending = false;

/**
 * True when the process only waits for its spans to be sent. Without them it would have ended, and
 * answered no more.
 */
export const isEnding = () => ending;
export const unanswered = new Promise<never>(() => {});

/**
 * Calls `shutDown` on SIGTERM or SIGINT before the signal ends the process. If the app listens for
 * the signal itself, calls nothing: the app goes on to answer, and knows when it has finished.
 */
export function shutDownBeforeSignalEnds(shutDown: () => Promise<void>): void {
  // Before the app's listeners: one that is called once would be gone when this one counts them.
  if (shutdowns.length === 0)
    for (const signal of signals) process.prependOnceListener(signal, shutDownAll);
  shutdowns.push(shutDown);
}

async function shutDownAll(signal: NodeJS.Signals): Promise<void> {
  // This listener is gone, since it is called once. So a second signal ends the process without
  // delay.
  if (process.listenerCount(signal) > 0) return;
  ending = true;
  await Promise.allSettled(shutdowns.map((shutDown) => shutDown()));
  process.kill(process.pid, signal);
  // The first process of a container is not ended by that.
  process.exit(128 + constants.signals[signal]);
}
