export { Inspector, type InspectorOptions } from './inspector.ts';
export type { MetricsInstrument } from './metrics.ts';
export type { SpanCounts, TracesInstrument } from './traces.ts';
