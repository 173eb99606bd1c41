import type { Inspector } from './inspector.ts';

interface TelemetrySource {
  counts(): { spansStarted: number; spansExported: number; spansDropped: number; requestsMeasured: number };
  flush(): Promise<void>;
}

/** The array in which a measuring tool in the same process looks for what instrumentation counts. */
const REGISTRY = Symbol.for('tracetax.telemetry');

/** Lets measuring tools read the inspector's counts. Returns a function that takes this back. */
export function registerTelemetryCounts(inspector: Inspector): () => void {
  const global = globalThis as { [REGISTRY]?: TelemetrySource[] };
  global[REGISTRY] ??= [];
  const sources = global[REGISTRY];
  const source: TelemetrySource = {
    counts() {
      const { traces, metrics } = inspector.instruments;
      const { started, exported, dropped } = traces.counts;
      return {
        spansStarted: started,
        spansExported: exported,
        spansDropped: dropped,
        requestsMeasured: metrics.counts.recorded,
      };
    },
    flush: () => inspector.flush(),
  };
  sources.push(source);
  return () => void sources.splice(sources.indexOf(source), 1);
}
