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

/** Whether the scenario has a sink while this task is measured: for its spans, or for its metrics alone. */
export function needsSink({ exchanges }: LoadedTask, scenario: Scenario): boolean {
  if (scenario.switchedOff || namesSink(scenario)) return true;
  const claims = exchanges.map((exchange) => telemetryOf(exchange, scenario));
  return claims.some((claim) => claim && (claim.span || claim.metrics.length > 0));
}

/** The scenario as it is measured: with variables for its export, unless it is not set up to export in this task. */
export function asMeasured(task: LoadedTask, scenario: Scenario, chosen: ExportMode, sinkAddress?: string): Scenario {
  return needsSink(task, scenario) ? exporting(scenario, exportModeOf(scenario, chosen), sinkAddress) : scenario;
}

/**
 * The scenario with the variables that tell an OpenTelemetry SDK to export like that, below its own. `address`: host and
 * port of what receives it by OTLP. The mode concerns spans: without an exporter, an SDK would not even count its metrics.
 */
export function exporting(scenario: Scenario, mode: ExportMode, address = ''): Scenario {
  const own = Object.entries(scenario.env).map(([name, value]) => [name, value.replaceAll(SINK, address)]);
  const endpoint =
    mode === 'otlp'
      ? { OTEL_EXPORTER_OTLP_ENDPOINT: `http://${address}` }
      : { OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `http://${address}/v1/metrics` };
  const exporters = { OTEL_TRACES_EXPORTER: mode, OTEL_METRICS_EXPORTER: 'otlp' };
  const protocol = { OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf' };
  return { ...scenario, env: { ...exporters, ...endpoint, ...protocol, ...Object.fromEntries(own) } };
}
