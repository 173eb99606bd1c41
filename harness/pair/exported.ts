import type { PlannedServer } from '../plan/planned-server.ts';
import { type Fault, faultOf } from '../result/faults.ts';
import type { Exported } from '../result/schema.ts';
import { ARRIVAL_TIMEOUT_MS } from '../sink/arrival-timeout.ts';
import type { SinkCounts } from '../sink/counter.ts';
import { describeRefusals } from '../sink/refusals.ts';
import type { Sink } from '../sink/sink.ts';
import type { Arm, AtWarmUpEnd, RunningPair } from './arms.ts';
import { allEnded, type Both, SIDES } from './sides.ts';
import type { World } from './world.ts';

/** The last payload of a server that has ended may still be on its way. */
const LAST_ARRIVAL_TIMEOUT_MS = 200;
const POLLING_INTERVAL_MS = 50;
/**
 * Nobody waits for what chance leaves out: so many standard deviations fewer sampled requests than
 * expected.
 */
const LIKELY_DEVIATIONS = 2;
/** Chance alone leaves out so many standard deviations in one of three million servers. */
export const MAX_CHANCE_DEVIATIONS = 5;

/** How many spans the requests of a server leave, by what its scenario claims. */
interface ExpectedSpans {
  /** Null if the scenario claims nothing. */
  count: number | null;
  /** The standard deviation of that number, if requests are sampled by chance. */
  deviation: number;
}

/**
 * Waits for what both servers owe their sinks, and notes it: a warm-up is at full load, where a
 * server may lose what it sends at a steady rate. Of a sink that fails nothing is noted.
 */
export async function noteWarmUpTelemetry({ world, arms }: RunningPair): Promise<void> {
  await allEnded(SIDES.map((side) => noteOfArm(world, arms[side])));
}

async function noteOfArm(world: World, arm: Arm): Promise<void> {
  const { planned, sink, answered } = arm;
  if (!sink) return;
  const most = mostOf(planned, answered + arm.underWay);
  const { spans, logRecords, fault } = await waitForTelemetry(
    world,
    sink,
    most,
    ARRIVAL_TIMEOUT_MS,
  );
  if (fault === null) arm.atWarmUpEnd = { answered, spans, logRecords };
}

/**
 * Ends both servers, and returns what their sinks received. Payloads can be told per request if all
 * requests were alike.
 */
export async function stopBothAndCountExports({
  world,
  pair,
  arms,
}: RunningPair): Promise<Both<Exported | null>> {
  const areRequestsAlike = pair.row.task.warmUp.length === 0;
  const [baseline, scenario] = await allEnded([
    stopAndCountExports(world, arms.baseline, areRequestsAlike),
    stopAndCountExports(world, arms.scenario, areRequestsAlike),
  ]);
  return { baseline, scenario };
}

/**
 * Ends a server, and returns what its sink received in the server's whole life; null without a
 * sink. Before that it waits as long as telemetry is to be expected: not every server sends what is
 * left as it ends.
 */
export async function stopAndCountExports(
  world: World,
  { planned, server, sink, answered, underWay, atWarmUpEnd }: Arm,
  areRequestsAlike = true,
): Promise<Exported | null> {
  if (!sink) return null;
  const enough = enoughSince(planned, answered, atWarmUpEnd);
  const { metricPayloads } = planned.flushesAtEnd
    ? await sink.counts()
    : await waitForTelemetry(world, sink, enough, ARRIVAL_TIMEOUT_MS);
  await server.child.stop();
  const counts = await waitForTelemetry(world, sink, enough, LAST_ARRIVAL_TIMEOUT_MS);
  const payloads = { count: counts.payloads, bytes: counts.bytes, requests: answered };
  const withUnanswered = expectedSpans(planned, answered + underWay).count;
  return {
    ...countsOf(planned, { ...counts, answered }),
    ...(underWay > 0 && withUnanswered !== null && { spansWithUnanswered: withUnanswered }),
    ...(atWarmUpEnd &&
      counts.fault === null && {
        sinceWarmUp: countsOf(planned, {
          answered: answered - atWarmUpEnd.answered,
          spans: counts.spans - atWarmUpEnd.spans,
          logRecords: counts.logRecords - atWarmUpEnd.logRecords,
        }),
      }),
    ...(areRequestsAlike && { payloads }),
    metricPayloads,
    ...(counts.profiles > 0 && { profiles: counts.profiles }),
    refused: counts.refused,
    fault: counts.fault,
  };
}

/** Returns what requests were to leave, and what of it came. */
function countsOf(
  planned: PlannedServer,
  { answered, spans, logRecords }: AtWarmUpEnd,
): Pick<Exported, 'spansExpected' | 'spansDeviation' | 'spansReceived' | 'logRecords'> {
  const expected = expectedSpans(planned, answered);
  const { logRecordsPerRequest } = planned;
  return {
    spansExpected: expected.count,
    spansDeviation: expected.deviation,
    spansReceived: spans,
    ...(logRecordsPerRequest !== null && {
      logRecords: { expected: logRecordsPerRequest * answered, received: logRecords },
    }),
  };
}

/** Requests are sampled by chance: their number has a binomial distribution. */
function expectedSpans({ spans }: PlannedServer, requests: number): ExpectedSpans {
  if (!spans) return { count: null, deviation: 0 };
  const sampledRequests = requests * spans.sampled;
  return {
    count: spans.perRequest * sampledRequests,
    deviation: spans.perRequest * Math.sqrt(sampledRequests * (1 - spans.sampled)),
  };
}

/** What a sink has once nothing more is to be expected. */
type Enough = Pick<SinkCounts, 'spans' | 'logRecords'>;

/** Returns what a sink gets at most of so many requests: nobody knows how many chance samples. */
function mostOf(planned: PlannedServer, requests: number): Enough {
  const { count, deviation } = expectedSpans(planned, requests);
  return {
    spans: deviation > 0 ? Number.POSITIVE_INFINITY : (count ?? 0),
    logRecords: (planned.logRecordsPerRequest ?? 0) * requests,
  };
}

/** Returns what a sink is likely to have in the end: what was lost in the warm-up does not come. */
function enoughSince(
  planned: PlannedServer,
  answered: number,
  atWarmUpEnd: AtWarmUpEnd | null,
): Enough {
  if (!atWarmUpEnd) return enoughOf(planned, answered);
  const more = enoughOf(planned, answered - atWarmUpEnd.answered);
  return {
    spans: atWarmUpEnd.spans + more.spans,
    logRecords: atWarmUpEnd.logRecords + more.logRecords,
  };
}

/** Returns what a sink is likely to get of so many requests. */
function enoughOf(planned: PlannedServer, answered: number): Enough {
  const expected = expectedSpans(planned, answered);
  const likelyCount = (expected.count ?? 0) - LIKELY_DEVIATIONS * expected.deviation;
  return {
    spans: Math.max(likelyCount, planned.exportsSpans ? 1 : 0),
    logRecords: (planned.logRecordsPerRequest ?? 0) * answered,
  };
}

/** Resolves with what the sink has, once it has enough, or the time is up. */
async function waitForTelemetry(
  world: World,
  sink: Sink,
  enough: Enough,
  timeoutMs: number,
): Promise<SinkCounts> {
  const deadlineMs = world.nowMs() + timeoutMs;
  for (;;) {
    const counts = await sink.counts();
    const isOver = counts.fault !== null || world.nowMs() > deadlineMs;
    const hasEnough = counts.spans >= enough.spans && counts.logRecords >= enough.logRecords;
    if (hasEnough || isOver) return counts;
    await world.sleep(POLLING_INTERVAL_MS);
  }
}

/**
 * Returns the fault of what arrived: it can't be counted; or no span arrived of a server that must
 * send some; or one did of a server that must send none.
 */
export function exportFaults(
  { name, exportsSpans }: Pick<PlannedServer, 'name' | 'exportsSpans'>,
  exported: Exported | null,
): Fault[] {
  if (!exported) return [];
  const { spansExpected, spansReceived, payloads, refused, fault } = exported;
  if (fault !== null) return [faultOf('exports-not-counted', fault, name)];
  if (spansExpected === 0 && spansReceived > 0)
    return [faultOf('spans-arrived', `${spansReceived}, where none was to be sent`, name)];
  const mustHaveSpans = exportsSpans && !mayChanceLeaveNone(exported);
  if (!mustHaveSpans || spansReceived > 0) return [];
  const withoutSpans = payloads?.count
    ? `${payloads.count} x without a span`
    : 'nothing was refused, either';
  return [faultOf('no-span-arrived', describeRefusals(refused).join('; ') || withoutSpans, name)];
}

function mayChanceLeaveNone({ spansExpected, spansDeviation }: Exported): boolean {
  return spansExpected !== null && spansExpected <= MAX_CHANCE_DEVIATIONS * spansDeviation;
}
