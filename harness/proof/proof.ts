import { checkAnswer } from '../exchange/check.ts';
import { type PlannedServer, serverFor, telemetryOf } from '../plan/planned-server.ts';
import { membersOf } from '../processes/processes.ts';
import type { Proof } from '../result/schema.ts';
import { type Place, startServer } from '../server/server.ts';
import { listen } from '../sink/listen.ts';
import { describeRefusals } from '../sink/refusals.ts';
import { scenariosOf } from '../suite/select.ts';
import type { Exchange, Scenario, Suite } from '../suite/suite.ts';
import { flattenSpan, matchesAnyName, namesWithoutRequest } from '../suite/telemetry.ts';
import { ScenarioProblem } from '../words/errors.ts';
import { INVOKED_AS } from '../words/output.ts';
import { findDiscrepancies } from './discrepancies.ts';
import { Recorder } from './recorder.ts';
import { buildSpanTrees } from './span-tree.ts';

/** Of all exchanges together, and of each at least. */
const REQUESTS = 200;
const MIN_REQUESTS = 20;
const CONCURRENCY = 10;
/** How often a server is asked to export; what is to come has come after some of these. */
const EXPORT_INTERVAL_MS = 200;
const SETTLE_MS = 3 * EXPORT_INTERVAL_MS;
const MAX_DIFFERENCES = 5;
const REMEDY = `Fix the server, its "env", or the telemetry that the suite declares: ${INVOKED_AS} prove prints what arrives`;

const OFTEN = {
  OTEL_BSP_SCHEDULE_DELAY: String(EXPORT_INTERVAL_MS),
  OTEL_METRIC_EXPORT_INTERVAL: String(EXPORT_INTERVAL_MS),
  // Must not exceed the interval.
  OTEL_METRIC_EXPORT_TIMEOUT: String(EXPORT_INTERVAL_MS),
  OTEL_BLRP_SCHEDULE_DELAY: String(EXPORT_INTERVAL_MS),
  DD_TRACE_FLUSH_INTERVAL: String(EXPORT_INTERVAL_MS),
  ELASTIC_APM_API_REQUEST_TIME: `${EXPORT_INTERVAL_MS}ms`,
};

/** Where agents are; `serverFor` says where OTLP goes. */
const AGENTS = { DD_TRACE_AGENT_URL: 'http://{sink}', ELASTIC_APM_SERVER_URL: 'http://{sink}' };
const OF_TRACERS = /^(OTEL|DD|ELASTIC_APM|SENTRY)_/;
const OTLP_ADDRESS = /^OTEL_EXPORTER_\w*ENDPOINT$/;
/** Of refused requests, those that hold spans, or may: no server that records nothing sends them. */
const MAY_BE_SPANS = /traces|spans|envelope|intake|TLS/;
/** Some tracers send every 2 s; a batch of OpenTelemetry's waits 5 s if code says so. */
const ARRIVE_WITHIN_MS = 6_000;

/** What the scenario gets: each request once, of a task that says what it leaves if there is one. */
export function exchangesOf({ tasks }: Suite, scenario: Scenario): Exchange[] {
  const sent = tasks
    .filter((task) => scenariosOf([task]).includes(scenario))
    .flatMap(({ exchanges }) => exchanges);
  const isClaimed = (exchange: Exchange) => telemetryOf(exchange, scenario) !== undefined;
  const claimedLast = sent.sort((one, other) => Number(isClaimed(one)) - Number(isClaimed(other)));
  return [...new Map(claimedLast.map((each) => [JSON.stringify(each.request), each])).values()];
}

/**
 * Has a fresh server of the scenario export to tracetax, sends so many of each request, and returns the proof; undefined if
 * the suite claims nothing of it. @throws ScenarioProblem with what arrived and is not what the scenario claims.
 */
export async function prove(
  place: Place,
  suite: Suite,
  scenario: Scenario,
): Promise<Proof | undefined> {
  const exchanges = exchangesOf(suite, scenario).filter((exchange) =>
    telemetryOf(exchange, scenario),
  );
  const claims = exchanges.flatMap((exchange) => telemetryOf(exchange, scenario) ?? []);
  if (claims.length === 0) return undefined;
  const isTraced = claims.some(({ span }) => span);
  const server = serverFor(suite, isTraced ? scenario : toSink(scenario), exchanges, 'otlp');
  const each = Math.max(MIN_REQUESTS, Math.round(REQUESTS / exchanges.length));
  const seen = await observe(place, server, exchanges, each);
  const { spans, points, logs, refused } = seen;
  const requests = each * exchanges.length;
  const found = findDiscrepancies(claims, each, seen);
  if (found.length > 0 || (!isTraced && refused.some((request) => MAY_BE_SPANS.test(request)))) {
    const isNothing = spans.length + points.length + logs.length === 0;
    const nothing = refused.length > 0 ? 'sends what nothing takes' : 'records nothing';
    const detail = `after ${requests} requests: ${[...refused, ...found].slice(0, MAX_DIFFERENCES).join('; ')}`;
    const what = isNothing ? nothing : 'does not do what it claims';
    throw new ScenarioProblem(scenario.name, what, detail, REMEDY, `; ${seen.said}`);
  }
  const trees = buildSpanTrees(spans, namesWithoutRequest(claims));
  return {
    scenario: scenario.name,
    requests,
    spans: trees.flatMap(flattenSpan).length,
    traces: trees.length,
    metrics: [...new Set(points.map(({ metric }) => metric))],
    notes: [...refused, ...seen.notes],
  };
}

/** A scenario that is to record nothing: wherever its tracer would send, that must be seen. What is no URL goes. */
function toSink({ env, ...scenario }: Scenario): Scenario {
  const own = Object.entries(env).flatMap(([name, value]) => {
    const seen = OF_TRACERS.test(name)
      ? value.replace(/^https?:\/\/([^/@]*@)?[^/]*/, 'http://$1{sink}')
      : value;
    const isAddress = name in AGENTS || OTLP_ADDRESS.test(name);
    return isAddress && !seen.includes('{sink}') ? [] : [[name, seen]];
  });
  return { ...scenario, env: { ...AGENTS, ...Object.fromEntries(own) } };
}

/**
 * What arrived of a fresh server in its whole life, in which it got so many of each request; and what else was seen. Of
 * the time before it was ready, only what comes without a request. It waits for spans that are sent seldom.
 */
export async function observe(
  place: Place,
  server: PlannedServer,
  exchanges: Exchange[],
  each: number,
) {
  const recorder = new Recorder(server.env.OTEL_EXPORTER_OTLP_PROTOCOL === 'grpc');
  await using listening = await listen(recorder);
  const { origin, attempts, ...started } = await startServer({
    planned: server,
    place,
    exchanges,
    sinkAddress: listening.address,
    moreEnv: OFTEN,
  });
  await using child = started.child;
  const wasReady = attempts === exchanges.length;
  if (!wasReady) {
    await Bun.sleep(SETTLE_MS);
    recorder.forget((name) => matchesAnyName(server.uncounted, name));
  }
  for (const exchange of exchanges)
    for (let left = wasReady ? each - 1 : each; left > 0; left -= CONCURRENCY)
      await Promise.all(
        Array.from({ length: Math.min(left, CONCURRENCY) }, () =>
          checkAnswer(server, origin, exchange),
        ),
      );
  // Of those that are sampled, chance says how many come.
  const { perRequest, sampled } = server.spans ?? { perRequest: 1, sampled: 1 };
  const enoughSpans = sampled === 1 ? each * exchanges.length * perRequest : 0;
  const deadlineMs = performance.now() + (server.flushesAtEnd ? 0 : ARRIVE_WITHIN_MS);
  do await Bun.sleep(SETTLE_MS);
  while (recorder.spans.length < enoughSpans && !child.exit && performance.now() < deadlineMs);
  const processes = membersOf(child.pid).length;
  // Its output goes with it.
  const said = child.lastWords();
  // SIGTERM: the last chance to export, for what does it only then.
  await child.stop();
  const { spans, points, logs, fault } = recorder;
  const notes =
    child.exit?.signal === 'SIGKILL' ? ['did not end within 5 s of SIGTERM, and was killed'] : [];
  return {
    spans,
    points,
    logs,
    fault,
    processes,
    refused: describeRefusals(recorder.refused),
    notes,
    said,
  };
}
