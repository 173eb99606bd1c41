import type { Inspector } from './inspector.ts';

/** Where a measuring tool in the same process finds the counts of instrumentation. */
const REGISTRY = Symbol.for('tracetax.telemetry');

/** Lets measuring tools read the inspector's counts. Returns a function that removes them again. */
export function registerTelemetryCounts(inspector: Inspector): () => void {
  const global = globalThis as { [REGISTRY]?: object[] };
  global[REGISTRY] ??= [];
  const sources = global[REGISTRY];
  const { traces, metrics } = inspector.instruments;
  const source = {
    counts() {
      const { started, exported, dropped } = traces.counts;
      const requestsMeasured = metrics.counts.recorded;
      return { spansStarted: started, spansExported: exported, spansDropped: dropped, requestsMeasured };
    },
    flush: () => inspector.flush(),
  };
  sources.push(source);
  return () => void sources.splice(sources.indexOf(source), 1);
}
