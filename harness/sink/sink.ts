import { join } from 'node:path';
import { freePort } from '../machine/free-port.ts';
import { type Pinning, pinned } from '../machine/pinning.ts';
import type { PlannedServer } from '../plan/planned-server.ts';
import { Child, OWN_BUN } from '../processes/child.ts';
import type { Exported } from '../result/schema.ts';

const SCRIPT = join(import.meta.dir, 'sink-main.ts');
const LISTEN_WITHIN_MS = 10_000;
const ANSWER_WITHIN_MS = 2_000;

/** What a sink has received so far, and why that is not to be believed, or null. */
export type SinkCounts = Pick<Exported, 'refused' | 'fault'> &
  Record<'spans' | 'payloads' | 'bytes', number>;

/** What a sink is told of the server: names that it does not count, and how it is to behave. */
type Told = Pick<PlannedServer, 'uncounted' | 'receiver'>;
const PLAIN: Told = { uncounted: [], receiver: 'takes' };

export type Sink = Awaited<ReturnType<typeof startSink>>;

/**
 * Starts what receives the spans of one server, and counts them. Resolves when it listens, or when it is clear that it
 * won't: its server then finds nobody there. It ends when this is disposed of: after its server, so it need not wait for a
 * last export, as it does at SIGTERM.
 */
export async function startSink(pinning: Pinning | undefined, told = PLAIN) {
  const port = await freePort();
  const own = `127.0.0.1:${port}`;
  /** For the server's variables. */
  const address = told.receiver === 'gone' ? `127.0.0.1:${await freePort()}` : own;
  const child = new Child(sinkArgv(port, pinning, told));
  const counts = async (): Promise<SinkCounts> => {
    try {
      const answer = await fetch(`http://${own}/counts`, {
        signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      });
      return (await answer.json()) as SinkCounts;
    } catch (error) {
      const { ending } = child;
      const why = ending ? `ended ${ending}` : `does not answer: ${(error as Error).message}`;
      return { spans: 0, payloads: 0, bytes: 0, refused: [], fault: `the sink ${why}` };
    }
  };
  await child.unready('answered', async () => (await counts()).fault === null, LISTEN_WITHIN_MS);
  return { child, address, counts, [Symbol.asyncDispose]: () => child.stop('SIGKILL') };
}

/** The command that starts a sink at the port, on the core of its own if it has one, else on the load tool's. */
export function sinkArgv(
  port: number,
  pinning: Pinning | undefined,
  { uncounted, receiver }: Told,
): string[] {
  const told =
    uncounted.length > 0 || receiver !== 'takes' ? [receiver, JSON.stringify(uncounted)] : [];
  return pinned(
    [...OWN_BUN, SCRIPT, String(port), ...told],
    pinning?.sinkCore ?? pinning?.toolCores,
  );
}
