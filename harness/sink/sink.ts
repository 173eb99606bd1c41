import { join } from 'node:path';
import getPort from 'get-port';
import { z } from 'zod';
import { Child } from '../machine/child.ts';
import { type Pinning, pinned } from '../machine/pinning.ts';
import { exportedSchema } from '../result/schema.ts';
import type { Telemetry } from '../suite/telemetry.ts';

const SCRIPT = join(import.meta.dir, 'sink-main.ts');
const LISTEN_WITHIN_MS = 10_000;
const ANSWER_WITHIN_MS = 2_000;

/** What a sink has received so far. */
const { spansReceived: spans, refused, fault } = exportedSchema.shape;
const countsSchema = z.object({ spans, payloads: spans, bytes: spans, refused, fault });
type Counts = z.output<typeof countsSchema>;

export type Sink = Awaited<ReturnType<typeof startSink>>;

/**
 * Starts what receives the spans of one server, and counts those that have other names. Resolves when it listens, or when it is clear that it won't: its server
 * then finds nobody there. `counts`: what has arrived, and why that is not to be believed, or null. It ends when this is
 * disposed of: after its server, so it need not wait for a last export, as it does at SIGTERM.
 */
export async function startSink(pinning: Pinning | undefined, uncounted: Telemetry['ignore'] = []) {
  const port = await getPort();
  /** For the server's variables. */
  const address = `127.0.0.1:${port}`;
  const child = new Child(sinkArgv(port, pinning, uncounted));
  const counts = async (): Promise<Counts> => {
    try {
      const answer = await fetch(`http://${address}/counts`, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
      return countsSchema.parse(await answer.json());
    } catch (error) {
      const { exit } = child;
      const ended = exit && `the sink ended with ${exit.how}: ${child.complaint()}`;
      return {
        spans: 0,
        payloads: 0,
        bytes: 0,
        refused: [],
        fault: ended ?? `the sink does not answer: ${(error as Error).message}`,
      };
    }
  };
  await child.unready('answered', async () => (await counts()).fault === null, LISTEN_WITHIN_MS);
  return { child, address, counts, [Symbol.asyncDispose]: () => child.stop('SIGKILL') };
}

/** The command that starts a sink at the port, on the core of its own if it has one, else on the load tool's. */
export function sinkArgv(port: number, pinning: Pinning | undefined, uncounted: Telemetry['ignore'] = []): string[] {
  const names = uncounted.length > 0 ? [JSON.stringify(uncounted)] : [];
  return pinned([process.execPath, SCRIPT, String(port), ...names], pinning?.sinkCore ?? pinning?.toolCores);
}
