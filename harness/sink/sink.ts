/**
 * This room receives telemetry: requests of any protocol go in, decoded spans, metrics and log
 * records come out, to be counted by a process of its own under load (the sink), or to be kept by a
 * proof. An intake takes requests, `protocols/` has a file for each protocol, and a counter counts.
 * What a server should have sent is not known here.
 */
import { join } from 'node:path';
import { freePort } from '../machine/free-port.ts';
import { LOOPBACK } from '../machine/loopback.ts';
import { type Pinning, pinned } from '../machine/pinning.ts';
import type { PlannedServer } from '../plan/planned-server.ts';
import { Child, OWN_BUN } from '../processes/child.ts';
import type { SinkCounts } from './counter.ts';

const PROGRAM = join(import.meta.dir, 'sink-main.ts');
const LISTENING_WITHIN_MS = 10_000;
const COUNTS_WITHIN_MS = 10_000;

/** What a sink must know of its server: which spans it does not count, and how it behaves. */
export type SinkSettings = Pick<PlannedServer, 'uncounted' | 'receiver'>;

const DEFAULT_SETTINGS: SinkSettings = { uncounted: [], receiver: 'takes' };

/** The process that counts the spans of one server. It ends at once when it is disposed of. */
export interface Sink extends AsyncDisposable {
  child: Child;
  /** Host and port, for the server's variables. */
  address: string;
  /** Resolves with what came so far. If the sink does not answer, that is the fault. */
  counts(): Promise<SinkCounts>;
}

/**
 * Starts a sink. Resolves when it listens, or when it is clear that it won't: its server then finds
 * nobody there. It is to be disposed of after its server: it does not wait for a last export then,
 * as it does at SIGTERM.
 */
export async function startSink(
  pinning: Pinning | undefined,
  settings = DEFAULT_SETTINGS,
): Promise<Sink> {
  const port = await freePort();
  const ownAddress = `${LOOPBACK}:${port}`;
  const isGone = settings.receiver === 'gone';
  const address = isGone ? `${LOOPBACK}:${await freePort()}` : ownAddress;
  const child = new Child(sinkArgv(port, pinning, settings));
  const counts = () => askForCounts(child, ownAddress);
  const isReady = async () => (await counts()).fault === null;
  await child.readinessFailure('answered', isReady, LISTENING_WITHIN_MS);
  return {
    child,
    address,
    counts,
    [Symbol.asyncDispose]: () => child.stop('SIGKILL'),
  };
}

async function askForCounts(child: Child, address: string): Promise<SinkCounts> {
  try {
    const signal = AbortSignal.timeout(COUNTS_WITHIN_MS);
    const answer = await fetch(`http://${address}/counts`, { signal });
    return (await answer.json()) as SinkCounts;
  } catch (error) {
    const { exitDescription } = child;
    const reason = exitDescription
      ? `ended ${exitDescription}`
      : `does not answer: ${(error as Error).message}`;
    return {
      spans: 0,
      payloads: 0,
      metricPayloads: 0,
      logRecords: 0,
      profiles: 0,
      bytes: 0,
      refused: [],
      fault: `the sink ${reason}`,
    };
  }
}

/**
 * Returns the command that starts a sink at the port. It runs on a core of its own if it has one,
 * else on the load tool's.
 */
export function sinkArgv(
  port: number,
  pinning: Pinning | undefined,
  { uncounted, receiver }: SinkSettings,
): string[] {
  const isDefault = uncounted.length === 0 && receiver === 'takes';
  const settings = isDefault ? [] : [receiver, JSON.stringify(uncounted)];
  const argv = [...OWN_BUN, PROGRAM, String(port), ...settings];
  return pinned(argv, pinning?.sinkCore ?? pinning?.toolCores);
}
