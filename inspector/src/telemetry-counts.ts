import type { MetricsInstrument } from './metrics.ts';
import type { TracesInstrument } from './traces.ts';

/** Where a measuring tool in the same process finds the counts of instrumentation. */
const REGISTRY = Symbol.for('tracetax.telemetry');

/** Lets measuring tools read the counts, and flush before they do. Returns a function that removes them again. */
export function registerTelemetryCounts(
  traces: TracesInstrument,
  metrics: MetricsInstrument,
  flush: () => Promise<void>,
): () => void {
  const global = globalThis as { [REGISTRY]?: object[] };
  global[REGISTRY] ??= [];
  const sources = global[REGISTRY];
  const source = {
    counts() {
      const { started, exported, dropped } = traces.counts;
      const requestsMeasured = metrics.counts.recorded;
      return { spansStarted: started, spansExported: exported, spansDropped: dropped, requestsMeasured };
    },
    flush,
  };
  sources.push(source);
  return () => void sources.splice(sources.indexOf(source), 1);
}
