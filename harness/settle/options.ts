import type { RunLimits } from '../analysis/gate.ts';
import type { ExportMode, Precision } from '../result/schema.ts';

/** What the user says of a load on the servers of a suite. */
export interface LoadOptions {
  /** A name in `suites/`, or the path of a suite file. */
  suite: string;
  /** Names of tasks; all of the suite if left out. */
  tasks?: string[];
  connections?: number;
  /** The name of a load tool, or `auto` for the first that is installed and can send the load. */
  tool: string;
  export: ExportMode;
}

/** A steady rate: requests a second, or a share of what the baseline answers at full load. */
export type WantedRate = { rate: number } | { rateShare: number };

/**
 * What the user says of a measurement. A field that is left out gets the suite's default, or else
 * that of `defaults.ts`. Limits decide how many pairs a row gets, if their number is not fixed.
 */
export interface MeasureOptions extends LoadOptions, RunLimits {
  /** Names of scenarios; all of the suite if left out. The baseline is always among them. */
  scenarios?: string[];
  rate?: WantedRate;
  /** Seconds of load on each server in alternating slices, over all pairs of a fixed number. */
  duration?: number;
  /** How many seconds a slice lasts. */
  slice?: number;
  /** A fixed number of pairs for each row. */
  pairs?: number;
  /** The precision that decides how many pairs a row gets. */
  within?: Precision;
  /** Seconds that pairs may take at most. */
  atMost?: number;
  duetSlices?: number;
  /** How many seconds a warm-up may last. */
  warmup?: number;
  /** How many seconds servers get no requests. */
  idle?: number;
  quick: boolean;
  /** The address of this machine on which servers listen. */
  listen?: string;
  /** The host that makes the load, as ssh takes it. */
  loadHost?: string;
  seed?: number;
  /** The file that the result is written to. */
  out?: string;
  pin: boolean;
  keepAwake: boolean;
  strict: boolean;
  dryRun: boolean;
}
