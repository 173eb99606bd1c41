export type { BodiesOptions } from './bodies.ts';
export { Inspector, type InspectorOptions } from './inspector.ts';
export type { Instrument } from './instrument.ts';
export type { TracesInstrument } from './traces.ts';
export type { TransformRule } from './transforms.ts';
