export type { BodiesInstrument, BodiesOptions } from './bodies.ts';
export { Inspector, type InspectorOptions } from './inspector.ts';
export type { MetricsInstrument } from './metrics.ts';
export type { SpanCounts } from './span-processor.ts';
export type { TracesInstrument } from './traces.ts';
export type { TransformRule } from './transforms.ts';
