// Options of runs that measure as little as the load tools allow, and what such a run should come
// to.
import { resolve } from 'node:path';

export const ROOT = resolve(import.meta.dir, '../..');

/**
 * Options of a run of one pair a row, whose result stays in the folder of the test as `out.json`.
 */
export const SHORT_RUN = [
  '--out',
  'out.json',
  '--pairs',
  '1',
  '--duration',
  '1s',
  '--duet-slices',
  '1',
  '--warmup',
  '0s',
  '--connections',
  '4',
];

/** The same without duets. */
export const SHORTEST_RUN = [...SHORT_RUN, '--duet-slices', '0'];

/**
 * The environment of a run whose load tool is not held back: else a load is gentle, so that it
 * leaves the machine to the tests beside it (gentle-bombardier.sh).
 */
export const FULL_LOAD = { BOMBARDIER: '' };

/** The outcome of a run that measured all that was planned, without a fault. */
export const COMPLETE = { status: 0, stoppedBy: null, faults: [] };
