import { join } from 'node:path';
import getPort from 'get-port';
import { Child } from '../machine/child.ts';
import { type Pinning, pinned } from '../machine/pinning.ts';
import type { SinkCounts } from './span-counter.ts';

const SCRIPT = join(import.meta.dir, 'sink-main.ts');
const LISTEN_WITHIN_MS = 10_000;
const ANSWER_WITHIN_MS = 2_000;

export type Sink = Awaited<ReturnType<typeof startSink>>;

/**
 * Starts what receives the spans of one server. Resolves when it listens, or when it is clear that it won't: if it can't
 * start or dies, its server finds nobody there, and `counts` says why. It ends when what is returned is disposed of: after its
 * server, so it need not wait for a last export, as it does at SIGTERM.
 */
export async function startSink(pinning: Pinning | undefined) {
  const port = await getPort();
  /** For the server's variables. */
  const address = `127.0.0.1:${port}`;
  const child = new Child(sinkArgv(port, pinning));
  /** What it has received so far, or why it can't tell. */
  const counts = async (): Promise<SinkCounts | { fault: string }> => {
    try {
      const signal = AbortSignal.timeout(ANSWER_WITHIN_MS);
      return (await (await fetch(`http://${address}/counts`, { signal })).json()) as SinkCounts;
    } catch (error) {
      const { exit } = child;
      if (!exit) return { fault: `the sink does not answer: ${(error as Error).message}` };
      return { fault: `the sink ended with ${exit.how}: ${child.complaint()}` };
    }
  };
  await child.unready('answered', async () => !('fault' in (await counts())), LISTEN_WITHIN_MS);
  return { child, address, counts, [Symbol.asyncDispose]: () => child.stop('SIGKILL') };
}

/** The command that starts a sink at the port, on the core of its own if it has one, else on the load tool's. */
export function sinkArgv(port: number, pinning: Pinning | undefined): string[] {
  return pinned([process.execPath, SCRIPT, String(port)], pinning?.sinkCore ?? pinning?.toolCores);
}
