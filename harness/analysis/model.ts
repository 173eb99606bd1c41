import type { ExportMode, Latency, Proof, Result, Task, Usage } from '../result/schema.ts';

/** A figure, and where the true one is to be expected. */
export interface Interval {
  value: number;
  low: number;
  high: number;
}

/** The mean over `n` pairs with its 95 % interval, which is infinite for a single pair. */
export interface Estimate extends Interval {
  n: number;
  standardError: number;
}

/** What is compared. Throughput changes are relative to the pair's baseline; the others are differences in µs. */
export const QUANTITIES = ['latencyUs', 'cpuUs', 'throughput'] as const;
export type Quantity = (typeof QUANTITIES)[number];

/** Scenario minus baseline: one difference for each pair, and their mean. */
export interface Change {
  estimate: Estimate;
  differences: number[];
}

/** What one server did, in the mean over its pairs. Null if nothing tells. */
export interface Figures {
  /** In alternating slices: means over slices, and the largest of all. Null for a run of duet slices alone. */
  latencyUs: Omit<Latency, 'p75' | 'p90'> | null;
  /** Requests a second in alternating slices. */
  throughput: number | null;
  /** CPU time per request in duet slices. */
  cpuUs: number | null;
  /** How busy the server was in alternating slices: 1 for a full core. */
  busyShare: number | null;
  resources: Resources | null;
  /** Null if the server did not export to a sink. */
  exported: {
    /** Of the spans that the requests make; null if nobody knows how many those are. */
    receivedShare: number | null;
    /** What the sink took while its server was under load: 1 for a full core. */
    sinkShare: number | null;
  } | null;
}

/** By the probe in the server, over all slices. CPU times are per request. */
export type Resources = Pick<Usage, 'cpuUserUs' | 'cpuSystemUs' | 'rssBytes' | 'heapBytes' | 'eventLoopDelayUs'>;

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
  agreement: Agreement | null;
  /** What it costs more than the baseline in each pair, if that is known: as its servers measured it, else as declared. */
  trueCostsUs: number[] | null;
  /** The load tool's command in the first pair; empty if nothing was measured. */
  command: string[];
}

/** Whether the two columns tell the same story: the change of latency, and what the change of CPU time makes of it. */
export interface Agreement {
  verdict: 'agrees' | 'disagrees';
  measuredUs: number;
  expectedUs: number;
}

/** One comparison: what is sent, to which servers. */
export interface TaskAnalysis extends Pick<Task, 'name' | 'title' | 'bodyBytes' | 'rate'> {
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
  /** What was seen, without the last full stop. It names its row, and its task if there are several. */
  message: string;
  /** What to do about it, without its full stop. */
  remedy: string;
  /** Whether it changes how the figures are to be read; the table then shows it. */
  changesReading: boolean;
}

/** Everything that reports print. Computed once from a result. */
export interface Analysis {
  suite: Pick<Result['suite'], 'name' | 'title' | 'skipped'>;
  run: Omit<Result, 'schemaVersion' | 'kind' | 'suite' | 'proofs' | 'pairs'> & {
    pairs: { measured: number; planned: number };
  };
  tasks: TaskAnalysis[];
  proofs: (Omit<Proof, 'metrics'> & { title: string; metrics: string[]; export: ExportMode })[];
  /** Those that matter most first. */
  verdicts: Verdict[];
}

/** What became of that which the scenarios recorded while they were measured: each way once. */
export function exportModes({ proofs }: Analysis): ExportMode[] {
  const recording = proofs.filter(({ spans, metrics }) => spans > 0 || metrics.length > 0);
  return [...new Set(recording.map((proof) => proof.export))];
}

/** All rows that have an interval, the baseline against itself last. */
export function rowsOf({ rows, noiseFloor }: TaskAnalysis): Row[] {
  return noiseFloor ? [...rows, noiseFloor] : rows;
}

/** The rows of all tasks; their titles say the task if there are several. */
export function titledRows(tasks: TaskAnalysis[]): (Row & { task: string })[] {
  return tasks.flatMap(({ name: task, rows }) =>
    rows.map((row) => ({ ...row, task, title: withTask(row.title, task, tasks) })),
  );
}

/** What is said of a task, with its title before it if there are several. */
export function withTask(text: string, name: string | null, tasks: TaskAnalysis[]): string {
  const task = tasks.find((each) => each.name === name);
  return task && tasks.length > 1 ? `${task.title}: ${text}` : text;
}
