import type { Pinning } from '../machine/pinning.ts';
import type { ResultHeader, Side } from '../result/schema.ts';
import type { SuiteTask } from '../suite/suite.ts';
import type { PlannedServer } from './planned-server.ts';

/**
 * What will be measured: this room has data that `settle` decides once and freezes, and no
 * functions but those that make it. A suite, options and what this machine has go in; rows with
 * their servers and loads come out. How something is measured does not belong here.
 */
export interface Plan {
  /** What the result file says before anything is measured. */
  readonly header: ResultHeader;
  /**
   * What has pairs of its own, in the order of the table. The baselines against themselves are
   * among them.
   */
  readonly rows: readonly PlannedRow[];
  /** Undefined if cores are not pinned. */
  readonly pinning: Pinning | undefined;
  /** The address of this machine on which servers listen. */
  readonly listen: string;
  readonly expectedSeconds: ExpectedSeconds;
}

/** A scenario against the baseline of its task. */
export interface PlannedRow {
  /** What messages call it. */
  readonly label: string;
  readonly task: PlannedTask;
  readonly baseline: PlannedServer;
  /** The baseline itself, for the noise floor. */
  readonly scenario: PlannedServer;
  /**
   * Whether its servers may be unlike. Then CPU per request is measured of each alone if the row
   * costs much; else it is measured in duets.
   */
  readonly mayBeUnlike: boolean;
}

/** What is sent to the servers of a task. */
export interface PlannedTask {
  readonly name: string;
  readonly exchanges: SuiteTask['exchanges'];
  /** Short requests that warm up the servers before their own do; empty if the suite names none. */
  readonly warmUp: SuiteTask['warmUp'];
  /** Requests a second on each server; undefined for as many as it answers. */
  readonly rate?: number | undefined;
  /** Of the load tool on a server alone; each of two at once has half of them. */
  readonly connections: number;
}

/** One pair of a run. */
export interface PlannedPair {
  readonly row: PlannedRow;
  readonly startedFirst: Side;
  /** Which server comes first in the first slice of each kind. */
  readonly loadedFirst: Side;
}

/** About how long each step takes, in seconds. */
export interface ExpectedSeconds {
  /** All start-ups of a row. */
  readonly startUps: number;
  readonly pair: number;
  /** The time without requests of a row. */
  readonly idle: number;
  /** The whole run; the shortest, if a precision decides how many pairs there are. */
  readonly run: number;
  /** How long the longest run takes. */
  readonly longestRun: number;
}
