import type { PlannedServer } from '../plan/planned-server.ts';
import { type Fault, type FaultKind, faultOf } from '../result/faults.ts';
import type { Exported } from '../result/schema.ts';
import { refusals } from '../sink/intake.ts';
import type { Sink } from '../sink/sink.ts';
import type { Started } from './starts.ts';

/** OpenTelemetry's batch processors wait 5 s for more spans, and then send what they have. */
const ARRIVE_WITHIN_MS = 6_000;
/** What a server sent as its last may still be on its way. */
const LAST_WITHIN_MS = 200;
const POLL_MS = 50;
/** By so many standard deviations may chance sample fewer requests than are expected. */
const MAX_DEVIATIONS = 2;

/**
 * Ends the server, and returns what its sink received in its whole life, of the requests that it answered; null without one.
 * Before that, it waits as long as spans are to be expected: not every server sends what is left as it ends. `areAlike`: the
 * warm-up sent the same requests, so payloads can be told for each.
 */
export async function exportedBy(
  { planned, server, sink, answered: requests }: Started,
  areAlike = true,
): Promise<Exported | null> {
  if (!sink) return null;
  const { perRequest = 0, sampled = 0 } = planned.spans ?? {};
  const sampledRequests = requests * sampled;
  const spansExpected = planned.spans ? perRequest * sampledRequests : null;
  // Each is sampled by chance: that of a binomial distribution.
  const spansDeviation = perRequest * Math.sqrt(sampledRequests * (1 - sampled));
  const enough = Math.max(
    (spansExpected ?? 0) - MAX_DEVIATIONS * spansDeviation,
    planned.exportsSpans ? 1 : 0,
  );
  if (!planned.flushesAtEnd) await arrival(sink, enough, ARRIVE_WITHIN_MS);
  await server.child.stop();
  const { spans, payloads, bytes, refused, fault } = await arrival(sink, enough, LAST_WITHIN_MS);
  const sent = { payloads: { count: payloads, bytes, requests } };
  return {
    spansExpected,
    spansDeviation,
    spansReceived: spans,
    ...(areAlike && sent),
    refused,
    fault,
  };
}

/** What the sink has once nothing more is to be waited for. */
async function arrival(sink: Sink, enough: number, withinMs: number) {
  const deadline = performance.now() + withinMs;
  for (;;) {
    const counts = await sink.counts();
    if (counts.spans >= enough || counts.fault !== null || performance.now() > deadline)
      return counts;
    await Bun.sleep(POLL_MS);
  }
}

/** By so many standard deviations chance never samples fewer requests than are expected. */
export const NEVER_DEVIATIONS = 5;

/**
 * The fault that what arrived can't be counted, that no span did of a server that must send some, or that one did of a
 * server that must send none.
 */
export function exportFaults(
  { name, exportsSpans }: Pick<PlannedServer, 'name' | 'exportsSpans'>,
  exported: Exported | null,
): Fault[] {
  if (!exported) return [];
  const fault = (kind: FaultKind, detail: string) => [faultOf(kind, detail, name)];
  if (exported.fault !== null) return fault('exports-not-counted', exported.fault);
  const { spansExpected, spansDeviation, spansReceived, payloads, refused } = exported;
  if (spansExpected === 0 && spansReceived > 0)
    return fault('spans-arrived', `${spansReceived}, where none was to be sent`);
  if (!exportsSpans || spansReceived > 0) return [];
  if (spansExpected !== null && spansExpected <= NEVER_DEVIATIONS * spansDeviation) return [];
  const others = payloads?.count
    ? `${payloads.count} x without a span`
    : 'nothing was refused, either';
  return fault('no-span-arrived', refusals(refused).join('; ') || others);
}
