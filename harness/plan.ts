import type { FoundTool } from './load/find.ts';
import type { CpuClock } from './machine/cpu-time.ts';
import type { Pinning } from './machine/pinning.ts';
import type { Result } from './result/schema.ts';
import type { PlannedServer, PlannedTask } from './suite/planned.ts';

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
