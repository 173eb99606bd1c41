import type { Exported } from '../result/schema.ts';
import type { Sink } from '../sink/sink.ts';
import { type Exchange, type Scenario, spansPerTrace, telemetryOf } from '../suite/suite-schema.ts';

/** OpenTelemetry's batch processors wait 5 s for a batch to be full, and then send what they have. */
const ARRIVE_WITHIN_MS = 6_000;
/** So many spans they take for a full one, unless they are told otherwise. */
const USUAL_BATCH = 512;
const SILENT_MS = 1_000;
const POLL_MS = 50;
/** So far chance alone takes a sampled count from its mean less than once in a million servers. */
const DEVIATIONS = 5;

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
  const expected = expectedSpans(exchanges, scenario, requests);
  const { spansExpected, spansMargin } = expected;
  const waiting = Number(scenario.env.OTEL_BSP_MAX_EXPORT_BATCH_SIZE ?? USUAL_BATCH);
  const deadline = performance.now() + ARRIVE_WITHIN_MS;
  let [before, changedMs] = [0, performance.now()];
  for (;;) {
    const { spans, fault } = await sink.counts();
    const missing = (spansExpected ?? 0) - spans;
    if (spans > before) [before, changedMs] = [spans, performance.now()];
    // More than waits for a batch to be full is missing only if it was dropped, and then nobody waits for the rest.
    const isDropped = missing > waiting + spansMargin && performance.now() - changedMs > SILENT_MS;
    if (missing <= 0 || isDropped || fault !== null || performance.now() > deadline)
      return { ...expected, spansReceived: spans, fault };
    await Bun.sleep(POLL_MS);
  }
}

/** How many spans so many of these requests make, by what is claimed of each, if that is the same of all. */
function expectedSpans(exchanges: Exchange[], scenario: Scenario, requests: number) {
  const claims = exchanges.map((exchange) => telemetryOf(exchange, scenario));
  const [claim, ...others] = new Map(
    claims.map((each) => [each && `${spansPerTrace(each)}, ${each.sampled}`, each]),
  ).values();
  if (!claim || others.length > 0) return { spansExpected: null, spansMargin: 0 };
  const { sampled } = claim;
  const each = spansPerTrace(claim);
  // Each request is sampled or not, whatever becomes of the others: the count of traces is binomial.
  const deviation = Math.sqrt(requests * sampled * (1 - sampled));
  return { spansExpected: requests * sampled * each, spansMargin: DEVIATIONS * deviation * each };
}

/**
 * That more spans arrived than so many requests make, if that is so. `unseen`: further requests that the load tool may
 * have sent, and ended without their answers.
 */
export function surplus({ name }: Scenario, exported: Exported | null, requests: number, unseen: number): string[] {
  const { spansExpected = null, spansMargin = 0, spansReceived = 0 } = { ...exported };
  if (spansExpected === null || spansReceived <= spansExpected * (1 + unseen / requests) + spansMargin) return [];
  return [`${name}: ${spansReceived} spans arrived, but ${requests} requests make ${Math.round(spansExpected)}`];
}
