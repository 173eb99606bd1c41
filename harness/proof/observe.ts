import { checkAnswer } from '../exchange/check.ts';
import type { PlannedServer } from '../plan/planned-server.ts';
import { membersOf } from '../processes/processes.ts';
import { type Place, type StartRequest, startServer } from '../server/server.ts';
import { ARRIVAL_TIMEOUT_MS } from '../sink/arrival-timeout.ts';
import { listen } from '../sink/listen.ts';
import type { ReceivedSpan } from '../sink/protocols/protocol.ts';
import type { RefusedRequests } from '../sink/refusals.ts';
import type { Exchange } from '../suite/suite.ts';
import { matchesAnyName } from '../suite/telemetry.ts';
import type { Arrived } from './arrived.ts';
import { tracesWithin } from './discrepancies.ts';
import { Recorder } from './recorder.ts';

/** So many requests are under way at once. */
const CONCURRENCY = 10;
/** A server is asked to export this often. */
const EXPORT_INTERVAL_MS = 200;
/** What is to come has come after some exports. */
const SETTLE_MS = 3 * EXPORT_INTERVAL_MS;

const KILLED = 'did not end within 5 s of SIGTERM, and was killed';

const FREQUENT_EXPORTS: Record<string, string> = {
  OTEL_BSP_SCHEDULE_DELAY: String(EXPORT_INTERVAL_MS),
  OTEL_METRIC_EXPORT_INTERVAL: String(EXPORT_INTERVAL_MS),
  // The timeout must not exceed the interval.
  OTEL_METRIC_EXPORT_TIMEOUT: String(EXPORT_INTERVAL_MS),
  OTEL_BLRP_SCHEDULE_DELAY: String(EXPORT_INTERVAL_MS),
  DD_TRACE_FLUSH_INTERVAL: String(EXPORT_INTERVAL_MS),
  ELASTIC_APM_API_REQUEST_TIME: `${EXPORT_INTERVAL_MS}ms`,
  // Datadog's does not send more often: it takes whole seconds.
  DD_PROFILING_UPLOAD_PERIOD: '1',
  PYROSCOPE_FLUSH_INTERVAL_MS: '1000',
};

/** What was seen of a server in its whole life. */
export interface Observation extends Arrived {
  /** Requests by which the server sent what nothing takes. */
  refused: RefusedRequests[];
  /** What was seen and is no fault, in words. */
  notes: string[];
  /** The last lines of the server's output: `it said: ...`. */
  said: string;
}

/** What an observation uses of a server. */
export interface ObservedServer {
  origin: string;
  /** How often it was asked until it was ready. */
  attempts: number;
  child: ObservedChild;
}

interface ObservedChild extends AsyncDisposable {
  pid: number;
  /** Undefined while it runs. */
  readonly exit: { signal: number | string | null } | undefined;
  output: { lastLines(): string };
  stop(): Promise<void>;
}

/** All that an observation does to the world. Tests put a fake in its place: then nothing waits. */
export interface ProofWorld {
  startServer(request: StartRequest): Promise<ObservedServer>;
  checkAnswer(server: PlannedServer, origin: string, exchange: Exchange): Promise<unknown>;
  countProcesses(pid: number): number;
  sleep(ms: number): Promise<void>;
  nowMs(): number;
}

const REAL_WORLD: ProofWorld = {
  startServer,
  checkAnswer,
  countProcesses: (pid) => membersOf(pid).length,
  sleep: (ms) => Bun.sleep(ms),
  nowMs: () => performance.now(),
};

/** What a server is sent: so many of each request. */
export interface RequestsToSend {
  exchanges: Exchange[];
  requestsEach: number;
}

/** A server that is observed, and what its telemetry arrives at. */
interface Observing {
  world: ProofWorld;
  planned: PlannedServer;
  started: ObservedServer;
  recorder: Recorder;
}

/**
 * Starts a fresh server, sends so many of each request, waits also for spans that are sent seldom,
 * and ends the server. Returns what arrived. Of the time before the server was ready, that is only
 * what comes without a request.
 * @throws ScenarioProblem if the server does not start, or gives a wrong answer
 */
export async function observe(
  place: Place,
  planned: PlannedServer,
  requests: RequestsToSend,
  world: ProofWorld = REAL_WORLD,
): Promise<Observation> {
  const recorder = new Recorder(pathsOfGrpc(planned.env));
  await using listening = await listen(recorder);
  const started = await world.startServer({
    planned,
    place,
    exchanges: requests.exchanges,
    sinkAddress: listening.address,
    moreEnv: FREQUENT_EXPORTS,
  });
  await using _ = started.child;
  const observing = { world, planned, started, recorder };
  await sendAll(observing, requests);
  await waitForAll(observing, requests);
  // It is awaited here, so that the receiver stays until the server has ended.
  return await observationOf(observing);
}

/** Returns the paths of OTLP by HTTP to which the server is to send nothing: it has gRPC for that. */
function pathsOfGrpc(env: PlannedServer['env']): string[] {
  return ['traces', 'metrics', 'logs']
    .filter((signal) => {
      const own = env[`OTEL_EXPORTER_OTLP_${signal.toUpperCase()}_PROTOCOL`];
      return (own ?? env.OTEL_EXPORTER_OTLP_PROTOCOL) === 'grpc';
    })
    .map((signal) => `/v1/${signal}`);
}

/** Sends each request so often. */
async function sendAll(
  observing: Observing,
  { exchanges, requestsEach }: RequestsToSend,
): Promise<void> {
  // If the server was ready at once, the first request of each kind counts.
  const wasReadyAtOnce = observing.started.attempts === exchanges.length;
  if (!wasReadyAtOnce) await forgetStart(observing);
  const requestsLeft = wasReadyAtOnce ? requestsEach - 1 : requestsEach;
  for (const exchange of exchanges) await sendRequests(observing, exchange, requestsLeft);
}

/**
 * Forgets what requests caused before the server was ready, once that has arrived: what is sent
 * late would count as that of later requests.
 */
async function forgetStart({ world, planned, started, recorder }: Observing): Promise<void> {
  const { spans: claimed, flushesAtEnd, uncounted } = planned;
  const isUncounted = (name: string) => matchesAnyName(uncounted, name);
  const claimsNone = claimed !== null && claimed.perRequest * claimed.sampled === 0;
  const timeoutMs = claimsNone || flushesAtEnd ? 0 : ARRIVAL_TIMEOUT_MS;
  await waitForExports(
    world,
    timeoutMs,
    () => recorder.spans.some(({ name }) => !isUncounted(name)) || started.child.exit !== undefined,
  );
  recorder.forget(isUncounted);
}

async function sendRequests(
  { world, planned, started }: Observing,
  exchange: Exchange,
  count: number,
): Promise<void> {
  for (let left = count; left > 0; left -= CONCURRENCY) {
    const batch = Array.from({ length: Math.min(left, CONCURRENCY) }, () =>
      world.checkAnswer(planned, started.origin, exchange),
    );
    await Promise.all(batch);
  }
}

/** Waits for what the requests caused; not for long if the server sends it as it ends. */
async function waitForAll(
  { world, planned, started, recorder }: Observing,
  { exchanges, requestsEach }: RequestsToSend,
): Promise<void> {
  const requests = requestsEach * exchanges.length;
  await waitForExports(
    world,
    planned.flushesAtEnd ? 0 : ARRIVAL_TIMEOUT_MS,
    () => isDecided(planned, recorder, requests) || started.child.exit !== undefined,
  );
}

/** Ends the server. Returns what was seen of it in its whole life. */
async function observationOf({ world, started, recorder }: Observing): Promise<Observation> {
  const { child } = started;
  const processes = world.countProcesses(child.pid);
  // The output goes when the server is stopped.
  const said = child.output.lastLines();
  // Some tracers export only when their process gets SIGTERM.
  await child.stop();
  return {
    spans: recorder.spans,
    points: recorder.points,
    logs: recorder.logs,
    profiles: recorder.profiles,
    fault: recorder.fault,
    processes,
    refused: recorder.refused,
    notes: child.exit?.signal === 'SIGKILL' ? [KILLED] : [],
    said,
  };
}

function isDecided(
  server: PlannedServer,
  { spans, profiles }: Recorder,
  requests: number,
): boolean {
  // Only the end of the time shows that nothing is recorded: a batch may come late. A span shows the
  // contrary at once.
  const { spans: claimed } = server;
  const counted = spans.filter(({ name }) => !matchesAnyName(server.uncounted, name));
  if (claimed && claimed.perRequest * claimed.sampled === 0) return counted.length > 0;
  const hasProfiles = profiles > 0 || !server.exportsProfiles;
  if (!hasProfiles) return false;
  // A claim may be an old one, of fewer spans a request: each is to have begun its trace, too.
  const traces = counted.filter(beginsTrace).length;
  const least = leastTraces(claimed?.sampled ?? 1, requests);
  return traces >= least && counted.length >= least * (claimed?.perRequest ?? 1);
}

/** Returns how many traces must arrive; if chance samples them, in all but one of 10,000 proofs. */
function leastTraces(sampled: number, requests: number): number {
  const { least } = tracesWithin(requests * sampled, requests * sampled * (1 - sampled));
  return Math.max(0, least);
}

/** A request may name a parent that is the client's. */
function beginsTrace({ kind, parentSpanId }: ReceivedSpan): boolean {
  return kind === 'SERVER' || parentSpanId === undefined;
}

/** Waits for some exports, and then until it is over, or the time is up. */
async function waitForExports(
  world: ProofWorld,
  timeoutMs: number,
  isOver: () => boolean,
): Promise<void> {
  const deadlineMs = world.nowMs() + timeoutMs;
  do await world.sleep(SETTLE_MS);
  while (!isOver() && world.nowMs() < deadlineMs);
}
