import type { Exported } from '../result/schema.ts';
import type { Sink } from '../sink/sink.ts';
import { claimedSpans, type Exchange, type Scenario } from '../suite/suite-schema.ts';

/** OpenTelemetry's batch processors wait 5 s for more spans, and then send what they have. */
const ARRIVE_WITHIN_MS = 6_000;
/** More than a batch of theirs has: so much is missing only if it was dropped, and then nobody waits for the rest. */
const LARGEST_BATCH = 512;
const SILENT_MS = 1_000;
const POLL_MS = 50;

/**
 * What the sink received of a server that answered at least so many requests and gets no more; null if it has no sink.
 * Waits until as many spans have arrived as that makes, until no more are to be expected, or until the sink has a fault.
 */
export async function awaitExport(
  exchanges: Exchange[],
  { scenario, sink }: { scenario: Scenario; sink: Pick<Sink, 'counts'> | null },
  requests: number,
): Promise<Exported | null> {
  if (!sink) return null;
  const each = claimedSpans(exchanges, scenario);
  const spansExpected = each === null ? null : each * requests;
  const deadline = performance.now() + ARRIVE_WITHIN_MS;
  let [before, changedMs] = [0, performance.now()];
  for (;;) {
    const { spans, fault } = await sink.counts();
    const missing = (spansExpected ?? 0) - spans;
    if (spans > before) [before, changedMs] = [spans, performance.now()];
    const isDropped = missing > LARGEST_BATCH && performance.now() - changedMs > SILENT_MS;
    if (missing <= 0 || isDropped || fault !== null || performance.now() > deadline)
      return { spansExpected, spansReceived: spans, fault };
    await Bun.sleep(POLL_MS);
  }
}
