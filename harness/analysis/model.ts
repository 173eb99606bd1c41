import type { Proof, Result } from '../result/schema.ts';

/** A mean over pairs with its 95 % interval. */
export interface Estimate {
  value: number;
  /** Infinite for a single pair. */
  low: number;
  high: number;
  /** Pairs. */
  n: number;
  standardError: number;
}

/** What is compared. Throughput changes are relative to the pair's baseline; the others are differences in µs. */
export const QUANTITIES = ['latencyUs', 'cpuUs', 'throughput'] as const;
export type Quantity = (typeof QUANTITIES)[number];

/** Scenario minus baseline. */
export interface Change {
  estimate: Estimate;
  /** One for each pair: what the estimate is the mean of. */
  differences: number[];
}

/** What one server did, in the mean over its pairs. Null if nothing tells. */
export interface Figures {
  /** In alternating slices: means over slices, and the largest of all. Null for a run of duet slices alone. */
  latencyUs: {
    mean: number;
    p50: number | null;
    p95: number | null;
    p99: number | null;
    max: number | null;
  } | null;
  /** Requests a second in alternating slices. */
  throughput: number | null;
  /** CPU time per request in duet slices. */
  cpuUs: number | null;
  /** How busy the server was in alternating slices: 1 for a full core. */
  busyShare: number | null;
  resources: Resources | null;
}

/** By the probe in the server, over all slices. */
export interface Resources {
  /** CPU times are per request. */
  cpuUserUs: number;
  cpuSystemUs: number;
  rssBytes: { mean: number; max: number };
  heapBytes: { mean: number; max: number };
  eventLoopDelayUs: { p50: number; p99: number; max: number };
}

/** One scenario against the baseline. */
export interface Row {
  scenario: string;
  title: string;
  /** Valid pairs. */
  pairs: number;
  /** Why the row has no figures; empty if it has. */
  invalid: string[];
  /** The scenario's own figures; null for an invalid row, and if nothing was measured. */
  figures: Figures | null;
  /** Null if the row is invalid, or the quantity was not measured. */
  change: Record<Quantity, Change | null>;
  /** Whether the two columns tell the same story. */
  agreement: Agreement | null;
  /** What it costs more than the baseline, if that is known: as its servers measured it, else as the suite says. */
  trueCostUs: number | null;
  /** The load tool's command in the first pair; empty if nothing was measured. */
  command: string[];
}

/**
 * In a closed loop a server that is busy for the share `u` of its core answers with a mean latency of
 * connections x CPU per request / u. So the change in ms can be computed from the CPU column.
 */
export interface Agreement {
  verdict: 'agrees' | 'disagrees';
  measuredUs: number;
  expectedUs: number;
}

/** One comparison: what is sent, to which servers. */
export interface TaskAnalysis {
  name: string;
  title: string;
  requests: Result['suite']['tasks'][number]['requests'];
  bodyBytes: number | null;
  baseline: { name: string; title: string; figures: Figures | null };
  /** In the suite's order, without the baseline. */
  rows: Row[];
  /** The baseline against itself: what a difference of nothing looks like. Null if it has no pairs. */
  noiseFloor: Row | null;
}

/** Something that makes a figure wrong or weak. */
export interface Verdict {
  kind: string;
  /** Names; null if it is about all of them. */
  task: string | null;
  scenario: string | null;
  /** What was seen: a sentence without its full stop. It names its row, and its task if there are several. */
  message: string;
  /** What to do about it. */
  remedy: string;
  /** Whether it changes how the figures are to be read; the table then shows it. */
  changesReading: boolean;
}

/** Everything that reports print. Computed once from a result. */
export interface Analysis {
  suite: { name: string; title: string; skipped: Result['suite']['skipped'] };
  run: Pick<
    Result,
    | 'startedAt'
    | 'endedAt'
    | 'stoppedBy'
    | 'configuration'
    | 'tool'
    | 'pinning'
    | 'keepAwake'
    | 'cpuClock'
    | 'environment'
  > & {
    /** Pairs that were measured, and that were planned. */
    pairs: { measured: number; planned: number };
  };
  tasks: TaskAnalysis[];
  proofs: (Pick<Proof, 'scenario' | 'requests' | 'spans' | 'traces' | 'concurrency'> & {
    title: string;
    metrics: string[];
  })[];
  /** Those that matter most first. */
  verdicts: Verdict[];
}
