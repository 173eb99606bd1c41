import type { ExportMode } from '../result/schema.ts';
import { sentIn } from '../suite/select.ts';
import type { Exchange, LoadedSuite, LoadedTask, Scenario } from '../suite/suite-schema.ts';
import { apart, flat, type Telemetry, telemetrySchema } from '../suite/telemetry.ts';

/** What is sent to the servers of a task, and on how many connections of the load tool to a server alone. */
export type PlannedTask = Pick<LoadedTask, 'name' | 'exchanges' | 'warmUp' | 'rate'> & {
  connections: number;
};

/** What a suite says of all its servers. */
type OfSuite = Pick<LoadedSuite, 'cwd' | 'startWithinSeconds' | 'services'>;

/** One server as it is started in one task. */
export type PlannedServer = Readonly<ReturnType<typeof serverOf>>;

/** What stands for host and port of what receives spans, by HTTP or gRPC alike, and for where the server is to listen. */
const PLACES = /\{(sink|host|port)\}/g;

/**
 * In any mode of export. Without an exporter for metrics, an SDK counts none. Code may ask for the endpoint before it
 * traces.
 */
const EXPORTING = {
  OTEL_METRICS_EXPORTER: 'otlp',
  OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://{sink}',
};

const namesSink = ({ command, env }: Scenario) =>
  [...command, ...Object.values(env)].some((value) => value.includes('{sink}'));

/** What becomes of the scenario's spans under measurement. Variables of a tracer's own can't say anything but `otlp`. */
export function exportModeOf(scenario: Scenario, chosen: ExportMode): ExportMode {
  return namesSink(scenario) ? 'otlp' : (scenario.export ?? chosen);
}

/** The scenario's server as it is measured in the task. One that claims to record nothing is not set up to export. */
export function plannedServer(
  suite: OfSuite,
  task: LoadedTask,
  scenario: Scenario,
  chosen: ExportMode,
): PlannedServer {
  const claims = task.exchanges.map((exchange) => telemetryOf(exchange, scenario));
  const records = claims.some(
    (claim) => claim && (claim.span || claim.metrics.length > 0 || claim.logs),
  );
  const isSetUp = records || scenario.switchedOff || namesSink(scenario);
  return serverOf(suite, scenario, sentIn(task), isSetUp ? exportModeOf(scenario, chosen) : null);
}

/** The scenario's server that gets these requests. In a proof the mode is `otlp`, also if it claims to record nothing. */
export function serverOf(
  suite: OfSuite,
  scenario: Scenario,
  sent: Exchange[],
  mode: ExportMode | null,
) {
  const { name, command, versions, flushesAtEnd, cwd = suite.cwd, receiver = 'takes' } = scenario;
  const { startWithinSeconds, services } = suite;
  const env: Scenario['env'] = {
    ...(mode && { ...EXPORTING, OTEL_TRACES_EXPORTER: mode }),
    ...scenario.env,
  };
  const claims = sent.map((exchange) => telemetryOf(exchange, scenario));
  const perRequest = ({ span }: Telemetry) => (span && mode === 'otlp' ? flat(span).length : 0);
  const spans = claims.map((claim) =>
    claim ? { perRequest: perRequest(claim), sampled: claim.sampled } : null,
  );
  const isRecording = claims.some((claim) => !claim || (claim.span && claim.sampled > 0));
  const isTaken = receiver === 'takes' || receiver === 'slow';
  return {
    ...{ name, command, versions, flushesAtEnd, cwd, receiver, startWithinSeconds, services },
    /** What its suite says and its export needs. */
    env,
    /** Whether a sink receives what it exports. */
    sink: mode !== null,
    /** Spans that its sink gets of a traced request by what it claims, and the share that is traced; null if requests differ. */
    spans: spans.every((each) => Bun.deepEquals(each, spans[0])) ? (spans[0] ?? null) : null,
    /** Names of spans that are none of a request's. */
    uncounted: apart(claims),
    /** Whether its sink must get some spans: it takes them, and the server does not claim to record none. */
    exportsSpans: mode === 'otlp' && isRecording && isTaken,
  };
}

/** The server's command and variables, with addresses where these names stand. */
export function filled(
  { command, env }: PlannedServer,
  places: Record<'sink' | 'host' | 'port', string>,
) {
  const fill = (text: string) =>
    text.replace(PLACES, (_, name: keyof typeof places) => places[name]);
  const variables = Object.entries(env).map(([name, value]) => [name, fill(value)]);
  return {
    command: command.map(fill),
    env: Object.fromEntries(variables) as Record<string, string>,
  };
}

/** What a scenario claims to record of this exchange: nothing if it is switched off. Undefined if nothing is claimed. */
export function telemetryOf(exchange: Exchange, scenario: Scenario): Telemetry | undefined {
  const claimed = exchange.telemetry[scenario.name] ?? scenario.telemetry;
  return claimed ?? (scenario.switchedOff ? telemetrySchema.parse({}) : undefined);
}
