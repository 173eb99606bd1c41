import type { Exported, Fault } from '../result/schema.ts';
import type { PlannedServer } from '../suite/planned.ts';
import type { Started } from './starts.ts';

/** OpenTelemetry's batch processors wait 5 s for more spans, and then send what they have. */
const ARRIVE_WITHIN_MS = 6_000;
/** So many spans they take for a full batch, unless they are told otherwise. */
const USUAL_BATCH = 512;
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
  }: { planned: Pick<PlannedServer, 'spans' | 'env'>; sink: Pick<NonNullable<Started['sink']>, 'counts'> | null },
  requests: number,
): Promise<Exported | null> {
  if (!sink) return null;
  const { spansExpected, spansDeviation } = expectedOf(planned, requests);
  const enough = (spansExpected ?? 0) - MAX_DEVIATIONS * spansDeviation;
  const batch = Number(planned.env.OTEL_BSP_MAX_EXPORT_BATCH_SIZE ?? USUAL_BATCH);
  const deadline = performance.now() + ARRIVE_WITHIN_MS;
  let [before, changedMs] = [0, performance.now()];
  for (;;) {
    const { spans, refused, fault } = await sink.counts();
    const missing = enough - spans;
    if (spans > before) [before, changedMs] = [spans, performance.now()];
    // More than waits for a full batch is missing only if it was dropped, and then nobody waits for the rest.
    const isDropped = missing > batch && performance.now() - changedMs > SILENT_MS;
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

/** By so many standard deviations chance never samples more requests than are expected. */
const SURPLUS_DEVIATIONS = 5;

/**
 * The fault that more spans arrived than so many requests make. `unseen`: further requests that the load tool may have
 * sent, and ended without their answers.
 */
export function surplus(scenario: string, exported: Exported | null, requests: number, unseen: number): Fault[] {
  const { spansExpected = null, spansDeviation = 0, spansReceived = 0 } = { ...exported };
  const most = (spansExpected ?? 0) * (1 + unseen / requests) + SURPLUS_DEVIATIONS * spansDeviation;
  if (spansExpected === null || spansReceived <= most) return [];
  const detail = `${spansReceived} arrived, but ${requests} requests make ${Math.round(spansExpected)}`;
  return [{ what: 'too many spans', detail, scenario, slice: null, count: 1 }];
}
