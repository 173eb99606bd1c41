import type { Configuration } from '../result/schema.ts';
import type { Suite } from '../suite/suite.ts';
import type { MeasureOptions } from './options.ts';
import { FULL, QUICK } from './pace.ts';

/** Returns how long and how often is measured. The user goes before the suite, and the suite before the defaults. */
export function configurationFor(options: MeasureOptions, suite: Suite): Configuration {
  const pace = options.quick ? { ...QUICK, ...suite.quick } : { ...FULL, ...suite.full };
  const pairs = options.pairs ?? pace.pairs;
  const sliceSeconds = options.slice ?? pace.sliceSeconds;
  const wantedSeconds = options.duration ?? pace.durationSeconds;
  const alternatingSlices = Math.max(1, Math.round(wantedSeconds / pairs / sliceSeconds));
  return {
    connections: options.connections ?? pace.connections,
    durationSeconds: alternatingSlices * sliceSeconds * pairs,
    sliceSeconds,
    pairs,
    alternatingSlices,
    duetSlices: options.duetSlices ?? pace.duetSlices,
    warmupSeconds: options.warmup ?? pace.warmupSeconds,
    starts: pace.starts,
    idleSeconds: options.idle ?? pace.idleSeconds,
    export: options.export,
    isQuick: options.quick,
    seed: options.seed ?? Math.floor(Math.random() * 2 ** 31),
  };
}
