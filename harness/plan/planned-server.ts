import type { ReceiverBehaviour } from '../result/pair-schema.ts';
import type { ExportMode } from '../result/schema.ts';
import { sentIn } from '../suite/select.ts';
import type { Exchange, Scenario, Service, Suite, SuiteTask } from '../suite/suite.ts';
import {
  flattenSpan,
  namesWithoutRequest,
  type Telemetry,
  telemetrySchema,
} from '../suite/telemetry.ts';

/** One server as it is started in one task. */
export interface PlannedServer {
  readonly name: string;
  /**
   * The program and its arguments. Names in braces, such as `{port}`, stand for what is known once
   * it starts.
   */
  readonly command: readonly string[];
  /** What its suite says, and what its export needs. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly startWithinSeconds: number;
  /** A command that prints what the server runs on, and its packages. */
  readonly versions: string[] | undefined;
  /** The suite's services, of which it may name some. */
  readonly services: readonly Service[];
  /** Whether a sink receives what it exports. */
  readonly sink: boolean;
  /** How its sink behaves. */
  readonly receiver: ReceiverBehaviour;
  /** Null if nothing is claimed, or if requests differ in it. */
  readonly spans: PlannedSpans | null;
  /** The log records of each request; null if nothing is claimed, or if requests differ in it. */
  readonly logRecordsPerRequest: number | null;
  /** Names of spans that belong to no request. */
  readonly uncounted: Telemetry['ignore'];
  /**
   * Whether its sink must get some spans: it takes them, and the server does not claim to record
   * none.
   */
  readonly exportsSpans: boolean;
  /** Whether its sink must get some profiles. */
  readonly exportsProfiles: boolean;
  /** Whether it sends all spans that it holds as it ends. */
  readonly flushesAtEnd: boolean;
}

/** What a sink gets of the requests of one server, by what its scenario claims. */
export interface PlannedSpans {
  /** Of a request that is traced. */
  readonly perRequest: number;
  /** The share of requests that is traced. */
  readonly sampled: number;
}

/** What a suite says of all its servers. */
type SuiteOfServers = Pick<Suite, 'cwd' | 'startWithinSeconds' | 'services'>;

/** What is known of a server's addresses once it starts. */
export interface Addresses {
  /** Host and port of what receives telemetry, by HTTP or gRPC alike. */
  sink: string;
  host: string;
  port: string;
}

const PLACEHOLDERS = /\{(sink|host|port)\}/g;

/**
 * Variables of a server that exports, in any mode of export. Without an exporter for metrics an SDK
 * counts none, and code may ask for the endpoint before it traces.
 */
const EXPORTING = {
  OTEL_METRICS_EXPORTER: 'otlp',
  OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://{sink}',
};

/**
 * Returns the scenario's server as it is measured in the task. One that claims to record nothing is
 * not set up to export.
 */
export function plannedServer(
  suite: SuiteOfServers,
  task: SuiteTask,
  scenario: Scenario,
  wantedMode: ExportMode,
): PlannedServer {
  const claims = task.exchanges.map((exchange) => telemetryOf(exchange, scenario));
  const exports = claims.some(recordsSomething) || scenario.switchedOff || namesSink(scenario);
  const mode = exports ? exportModeOf(scenario, wantedMode) : null;
  return serverFor(suite, scenario, sentIn(task), mode);
}

/**
 * Returns the scenario's server that gets these requests.
 * @param mode null for a server that is not set up to export. In a proof it is `otlp`, whatever the
 * scenario claims
 */
export function serverFor(
  suite: SuiteOfServers,
  scenario: Scenario,
  sent: readonly Exchange[],
  mode: ExportMode | null,
): PlannedServer {
  const { receiver = 'takes' } = scenario;
  const claims = sent.map((exchange) => telemetryOf(exchange, scenario));
  const takesSpans = receiver === 'takes' || receiver === 'slow';
  const mayTrace = claims.some((claim) => !claim || (claim.span && claim.sampled > 0));
  const exportEnv = mode === null ? {} : { ...EXPORTING, OTEL_TRACES_EXPORTER: mode };
  return {
    name: scenario.name,
    command: scenario.command,
    env: { ...exportEnv, ...scenario.env },
    cwd: scenario.cwd ?? suite.cwd,
    startWithinSeconds: suite.startWithinSeconds,
    versions: scenario.versions,
    services: suite.services,
    sink: mode !== null,
    receiver,
    spans: commonSpans(claims, mode),
    logRecordsPerRequest: mode === 'otlp' ? commonLogRecords(claims) : null,
    uncounted: namesWithoutRequest(claims),
    exportsSpans: mode === 'otlp' && mayTrace && takesSpans,
    exportsProfiles: mode !== null && takesSpans && claims.some((claim) => claim?.profiles),
    flushesAtEnd: scenario.flushesAtEnd,
  };
}

/** Returns the spans of a request if all requests leave as many; else null. */
function commonSpans(
  claims: readonly (Telemetry | undefined)[],
  mode: ExportMode | null,
): PlannedSpans | null {
  const spans = claims.map((claim) => spansOf(claim, mode));
  const [first = null] = spans;
  return spans.every((each) => Bun.deepEquals(each, first)) ? first : null;
}

/** Returns the log records of a request if all requests leave as many; else null. */
function commonLogRecords(claims: readonly (Telemetry | undefined)[]): number | null {
  const counts = claims.map((claim) => claim?.logs?.perRequest ?? null);
  const [first = null] = counts;
  return counts.every((count) => count === first) ? first : null;
}

function spansOf(claim: Telemetry | undefined, mode: ExportMode | null): PlannedSpans | null {
  if (!claim) return null;
  const { span, sampled } = claim;
  return {
    perRequest: span && mode === 'otlp' ? flattenSpan(span).length : 0,
    sampled,
  };
}

/**
 * Returns what becomes of the scenario's spans under measurement. A tracer's own variables can say
 * nothing but `otlp`.
 */
export function exportModeOf(scenario: Scenario, wantedMode: ExportMode): ExportMode {
  return namesSink(scenario) ? 'otlp' : (scenario.export ?? wantedMode);
}

/**
 * Returns what a scenario claims to record of an exchange: nothing if it is switched off. Undefined
 * without a claim.
 */
export function telemetryOf(exchange: Exchange, scenario: Scenario): Telemetry | undefined {
  const claim = exchange.telemetry[scenario.name] ?? scenario.telemetry;
  return claim ?? (scenario.switchedOff ? telemetrySchema.parse({}) : undefined);
}

/** Returns the server's command and variables, with addresses in place of their names. */
export function withAddresses(
  { command, env }: PlannedServer,
  addresses: Addresses,
): { command: string[]; env: Record<string, string> } {
  const resolve = (text: string) =>
    text.replace(PLACEHOLDERS, (_, name: keyof Addresses) => addresses[name]);
  const variables = Object.entries(env).map(([name, value]) => [name, resolve(value)]);
  return {
    command: command.map(resolve),
    env: Object.fromEntries(variables),
  };
}

function recordsSomething(claim: Telemetry | undefined): boolean {
  return Boolean(claim && (claim.span || claim.metrics.length > 0 || claim.logs || claim.profiles));
}

function namesSink({ command, env }: Scenario): boolean {
  return [...command, ...Object.values(env)].some((value) => value.includes('{sink}'));
}
