import type { Exported } from '../result/schema.ts';
import type { PlannedServer } from '../suite/planned.ts';
import type { Started } from './starts.ts';

/** OpenTelemetry's batch processors wait 5 s for more spans, and then send what they have. */
const ARRIVE_WITHIN_MS = 6_000;
/** A batch of theirs has no more: so much is missing only if it was dropped, and then nobody waits for the rest. */
const MAX_BATCH = 512;
const SILENT_MS = 1_000;
const POLL_MS = 50;
/** By so many standard deviations may chance sample fewer requests than are expected. */
const MAX_DEVIATIONS = 2;

/**
 * What the sink received of a server that answered at least so many requests and gets no more; null if it has no sink.
 * Waits until as many spans have arrived as that makes, until no more are to be expected, or until the sink has a fault.
 */
export async function awaitExport(
  {
    planned,
    sink,
  }: { planned: Pick<PlannedServer, 'spans'>; sink: Pick<NonNullable<Started['sink']>, 'counts'> | null },
  requests: number,
): Promise<Exported | null> {
  if (!sink) return null;
  const { spansExpected, spansDeviation } = expectedOf(planned, requests);
  const enough = (spansExpected ?? 0) - MAX_DEVIATIONS * spansDeviation;
  const deadline = performance.now() + ARRIVE_WITHIN_MS;
  let [before, changedMs] = [0, performance.now()];
  for (;;) {
    const { spans, refused, fault } = await sink.counts();
    const missing = enough - spans;
    if (spans > before) [before, changedMs] = [spans, performance.now()];
    const isDropped = missing > MAX_BATCH && performance.now() - changedMs > SILENT_MS;
    if (missing <= 0 || isDropped || fault !== null || performance.now() > deadline)
      return { spansExpected, spansDeviation, spansReceived: spans, refused, fault };
    await Bun.sleep(POLL_MS);
  }
}

/** Spans of so many requests, each of which is sampled by chance: a binomial distribution's mean and deviation. */
function expectedOf({ spans }: Pick<PlannedServer, 'spans'>, requests: number) {
  if (!spans) return { spansExpected: null, spansDeviation: 0 };
  const { perRequest, sampled } = spans;
  const sampledRequests = requests * sampled;
  return {
    spansExpected: perRequest * sampledRequests,
    spansDeviation: perRequest * Math.sqrt(sampledRequests * (1 - sampled)),
  };
}
