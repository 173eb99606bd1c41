import { orUndefined } from '../words/errors.ts';
import { membersOf } from './processes.ts';

/** Stops all processes of a child with all their threads (SIGSTOP): they use no CPU until they go on. */
export function pauseTree(child: number): void {
  signalTree(child, 'SIGSTOP');
}

/** Lets all processes of a child go on. Safe to call if none is stopped. */
export function resumeTree(child: number): void {
  signalTree(child, 'SIGCONT');
}

function signalTree(child: number, signal: 'SIGSTOP' | 'SIGCONT'): void {
  // The process group first and at once: most servers are no more than that.
  orUndefined(() => process.kill(-child, signal));
  for (const { pid, session } of membersOf(child)) {
    if (session !== child) orUndefined(() => process.kill(pid, signal));
  }
}
