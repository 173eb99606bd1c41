export { Inspector, type InspectorOptions } from './inspector.ts';
export type { Instrument } from './instrument.ts';
export type { TracesInstrument } from './traces.ts';
