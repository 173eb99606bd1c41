import type { FoundTool } from './load/find.ts';
import type { CpuClock } from './machine/cpu-time.ts';
import type { Pinning } from './machine/pinning.ts';
import type { Result } from './result/schema.ts';
import type { Exchange } from './suite/suite-schema.ts';

/** All that a run needs to know, decided once by `settle` and frozen. */
export interface Plan {
  /** What the result file says before anything is measured. */
  readonly header: Omit<Result, 'pairs' | 'startUps' | 'idles' | 'endedAt' | 'stoppedBy' | 'kind' | 'schemaVersion'>;
  /** What has pairs of its own, the baselines against themselves among them; in the order of the table. */
  readonly rows: readonly PlannedRow[];
  readonly tool: FoundTool;
  /** Undefined if cores are not pinned. */
  readonly pinning: Pinning | undefined;
  /** Undefined if no clock reads the CPU time of another process. */
  readonly clock: CpuClock | undefined;
  /** The address of this machine on which servers listen. */
  readonly listen: string;
  /** Whether idle cores are to be kept awake. */
  readonly keepAwake: boolean;
}

/** A scenario against the baseline of its task. */
export interface PlannedRow {
  /** What messages call it. */
  readonly label: string;
  readonly task: PlannedTask;
  readonly baseline: PlannedServer;
  /** The baseline itself, for the noise floor. */
  readonly scenario: PlannedServer;
}

/** What is sent to the servers of a task. */
export interface PlannedTask {
  readonly name: string;
  readonly exchanges: readonly Exchange[];
  /** Short requests that warm up the servers before its own do; empty if it has none. */
  readonly warmUp: readonly Exchange[];
  /** Of the load tool on a server alone. */
  readonly connections: number;
  /** Requests a second on each server; null for as many as it answers. */
  readonly rate: number | null;
}

/** One server as it is started in one task. */
export interface PlannedServer {
  readonly name: string;
  readonly title: string;
  readonly command: readonly string[];
  /** An absolute path. */
  readonly cwd: string;
  /** What its suite says and its export needs. `{sink}` in a value stands for host and port of its sink. */
  readonly env: Readonly<Record<string, string>>;
  /** Whether a sink receives what it exports. */
  readonly sink: boolean;
  /** Headers that its answers must have, beside what the task expects. */
  readonly answerHeaders: Readonly<Record<string, string>>;
  /** Spans of a request by what it claims to record, and the share of requests that is sampled; null if nobody knows. */
  readonly spans: { readonly perRequest: number; readonly sampled: number } | null;
}
