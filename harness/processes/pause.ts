import { orUndefined } from '../words/errors.ts';
import { throwIfEnding } from './child.ts';
import { membersOf, type Process } from './processes.ts';
import { watchStopped } from './watchdog.ts';

/** By child: its stopped processes that are not in its process group. */
const stoppedStrays = new Map<number, Set<number>>();

/**
 * Stops all processes of a child with all their threads (SIGSTOP): they use no CPU until they go
 * on.
 * @throws Error once the run is ending: what is to end must run
 */
export function pauseTree(child: number): void {
  throwIfEnding();
  // The process group first and at once: most servers are no more than that, and a process that
  // one of the group starts meanwhile is stopped, too.
  sendSignal(-child, 'SIGSTOP');
  const strays = stoppedStrays.get(child) ?? new Set();
  stoppedStrays.set(child, strays);
  // A stray may have started another before it was stopped itself.
  for (let more = straysOf(child, strays); more.length > 0; more = straysOf(child, strays)) {
    for (const { pid } of more) strays.add(pid);
    // Should the harness be killed, nobody else knows of them.
    watchAllStopped();
    for (const { pid } of more) sendSignal(pid, 'SIGSTOP');
  }
}

/** Lets all processes of a child go on that were stopped. Safe to call if none is. */
export function resumeTree(child: number): void {
  const strays = stoppedStrays.get(child) ?? new Set();
  // What is stopped does not start or leave anything, so no look at all processes is needed.
  for (const pid of strays) sendSignal(pid, 'SIGCONT');
  sendSignal(-child, 'SIGCONT');
  stoppedStrays.delete(child);
  if (strays.size > 0) watchAllStopped();
}

/** Returns those that run outside of the child's process group, but the known ones. */
function straysOf(child: number, known: ReadonlySet<number>): Process[] {
  return membersOf(child).filter(
    ({ pid, group, hasEnded }) => group !== child && !hasEnded && !known.has(pid),
  );
}

function watchAllStopped(): void {
  watchStopped([...stoppedStrays.values()].flatMap((strays) => [...strays]));
}

/** It may have ended already. */
function sendSignal(pid: number, signal: 'SIGSTOP' | 'SIGCONT'): void {
  orUndefined(() => process.kill(pid, signal));
}
