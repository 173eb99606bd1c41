import type { ExportMode } from '../result/schema.ts';
import type { LoadedTask } from './load.ts';
import { type Scenario, telemetryOf } from './suite-schema.ts';

/** In a scenario's `env` it stands for host and port of what receives its spans, for tracers with variables of their own. */
const SINK = '{sink}';

function namesSink({ env }: Scenario): boolean {
  return Object.values(env).some((value) => value.includes(SINK));
}

/** What becomes of the scenario's spans while it is measured. Variables of a tracer's own can't say anything but `otlp`. */
export function exportModeOf(scenario: Scenario, chosen: ExportMode): ExportMode {
  return scenario.export ?? (namesSink(scenario) ? 'otlp' : chosen);
}

/** Whether the scenario exports to a sink while this task is measured. */
export function needsSink(task: LoadedTask, scenario: Scenario, chosen: ExportMode): boolean {
  return isSetUp(task, scenario) && exportModeOf(scenario, chosen) === 'otlp';
}

/** The scenario as it is measured: with variables for its export, unless it is not set up to export in this task. */
export function asMeasured(task: LoadedTask, scenario: Scenario, chosen: ExportMode, sinkAddress?: string): Scenario {
  return isSetUp(task, scenario) ? exporting(scenario, exportModeOf(scenario, chosen), sinkAddress) : scenario;
}

function isSetUp({ exchanges }: LoadedTask, scenario: Scenario): boolean {
  if (scenario.switchedOff || namesSink(scenario)) return true;
  const claims = exchanges.map((exchange) => telemetryOf(exchange, scenario));
  return claims.some((claim) => claim && (claim.span || claim.metrics.length > 0));
}

/**
 * The scenario with the variables that tell an OpenTelemetry SDK to export like that, below its own. `address`: host and
 * port of what receives it by OTLP.
 */
export function exporting(scenario: Scenario, mode: ExportMode, address = ''): Scenario {
  const own = Object.entries(scenario.env).map(([name, value]) => [name, value.replaceAll(SINK, address)]);
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: `http://${address}`, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf' };
  const exporters = { OTEL_TRACES_EXPORTER: mode, OTEL_METRICS_EXPORTER: mode };
  return { ...scenario, env: { ...exporters, ...(mode === 'otlp' && endpoint), ...Object.fromEntries(own) } };
}
