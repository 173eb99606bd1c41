/**
 * What is compared with what: this room reads suite files, and turns them into the data that is
 * declared here. A name or a path goes in; a `Suite` comes out, whose names are resolved, whose
 * paths are absolute, and whose sweep has become rows. What becomes of a suite on this machine (the
 * load tool, packages, running servers) does not belong here.
 *
 * To add a field: `suite-schema.ts` says how a file writes it, and this file how the program reads
 * it.
 */
import type { Answer, Request, RequestAndAnswer } from '../exchange/request-schema.ts';
import type { Reason } from '../result/faults.ts';
import type { ReceiverBehaviour } from '../result/pair-schema.ts';
import type { ExportMode } from '../result/schema.ts';
import type { Telemetry } from './telemetry.ts';

/** The task of a suite that has but one. */
export const ONLY_TASK = 'default';

/** What a suite file says of the whole suite, and the program reads as it is written. */
export interface SuiteFields {
  name: string;
  /** The folder in which commands run that name none. */
  cwd: string;
  /** How long a server may take until it gives the expected answer. */
  startWithinSeconds: number;
  /** What git ignores and servers need, relative to the suite file. */
  files: string[];
  /** The name of the scenario with which tasks compare that name no other. */
  baseline: string;
  /** Whether what is compared is instrumentation: what it records then wants proof. */
  isInstrumentation: boolean;
  /** What the report prints beside the table. */
  remarks: string[];
  /** The name of the scenario that the answer in words is about; if left out, the dearest. */
  headline?: string;
  /** Whether each scenario adds to the one before it. */
  isLadder: boolean;
  scenarios: Scenario[];
  services: Service[];
  sweep?: Sweep;
  /** How long and how often a run measures, if the user does not say. */
  full: Pace;
  /** The same for a quick run. */
  quick: Pace;
}

/** A suite as its file writes it: names stand for scenarios. */
export interface WrittenSuite extends SuiteFields {
  title?: string | undefined;
  /** Each command is a list of its words. */
  prepare: string[][];
  /** The only request of a suite without `tasks`. */
  request?: Request | undefined;
  answer?: Answer | undefined;
  tasks?: WrittenTask[] | undefined;
  /** The name of a task whose request warms up the servers of all others. */
  warmUp?: string | undefined;
}

/** What is compared with what. */
export interface Suite extends SuiteFields {
  title: string;
  /** What builds, migrates or seeds, once, before anything is started. */
  prepare: Preparation[];
  tasks: SuiteTask[];
  /** Whether each task compares revisions of one scenario: each with the old one. */
  comparesRevisions: boolean;
  skipped: Skipped[];
}

/** A command that runs once, and the folder in which it does. */
export interface Preparation {
  command: string[];
  cwd: string;
}

/** One server at one level. */
export interface Scenario {
  name: string;
  /** The row's label in the table. */
  title: string;
  command: string[];
  env: Record<string, string>;
  /** The folder in which its command runs; undefined for the suite's. */
  cwd?: string | undefined;
  /**
   * What it claims to record of each request; undefined if nothing is claimed, and so nothing is
   * proven.
   */
  telemetry?: Telemetry | undefined;
  /** Whether it is set up to export like one that records, and claims to record nothing. */
  switchedOff: boolean;
  /** What becomes of its spans, whatever the user says. */
  export?: ExportMode | undefined;
  /** How what receives its spans behaves while it is measured. */
  receiver?: ReceiverBehaviour | undefined;
  /** Whether it sends all spans that it holds as it ends by SIGTERM. */
  flushesAtEnd: boolean;
  /** A command that prints what the server runs on, and then its packages, one a line. */
  versions?: string[] | undefined;
  /** Folders whose lock files say what is installed there. */
  packages: string[];
  /** Whether it is skipped if it can't be measured here. */
  optional: boolean;
  /** The name that it has in each revision, if revisions are compared. */
  revisionOf?: string;
  /** What it costs more than the baseline per request, if that is known. */
  trueCostUs?: number | undefined;
  /** A part of what the line through the values of a sweep is called. */
  curve?: string;
  /** The value of the sweep for which this is the row. */
  value?: number | undefined;
}

/** What servers talk to, such as a database. */
export interface Service {
  name: string;
  command: string[];
  cwd: string;
}

/** One request of a task, and what must come of it. */
export interface Exchange extends RequestAndAnswer {
  /** How often it is sent, against the others of its task. */
  weight: number;
  /** Claims by the names of scenarios, where they are not the scenario's own. */
  telemetry: Record<string, Telemetry>;
}

/** What a suite file says of a task, and the program reads as it is written. */
export interface TaskFields {
  name: string;
  title: string;
  exchanges: Exchange[];
  /** Requests a second on each server; undefined for as many as it answers. */
  rate?: number | undefined;
}

/** One comparison as a suite file writes it: names stand for scenarios. */
export interface WrittenTask extends TaskFields {
  /** Undefined for the suite's. */
  baseline?: string | undefined;
  /** Undefined for all of the suite. */
  scenarios?: string[] | undefined;
}

/** One comparison: what is sent, to which scenarios, against which baseline. */
export interface SuiteTask extends TaskFields {
  baseline: Scenario;
  /** The baseline is among them, if it is to be measured against itself. */
  scenarios: Scenario[];
  /** Short requests that warm up the servers before the task's own; empty if it has none. */
  warmUp: Exchange[];
  /** The rate as a part of what the baseline can do, found when the run begins. */
  rateShare?: number;
  /** Of the load tool on a server alone, if they are not the run's. */
  connections?: number;
  /** What the names of the lines through the values of a sweep begin with. */
  curvePrefix?: string;
  /** The value of the sweep for which these are the rows. */
  value?: number | undefined;
}

/** What is changed in steps: of a variable, or of a part of the load. */
export interface Sweep {
  env?: string;
  load?: 'connections' | 'rate';
  values: number[];
  /** What one more of it is called in a sentence, such as "span". */
  unit: string;
}

/** How long and how often a run measures; what is left out has the defaults. */
export interface Pace {
  connections?: number;
  durationSeconds?: number;
  sliceSeconds?: number;
  pairs?: number;
  duetSlices?: number;
  warmupSeconds?: number;
  /** Of each scenario and of its baseline, for the start-up time. */
  starts?: number;
  /** Of one pair of each row without requests, for the CPU that is taken then. */
  idleSeconds?: number;
}

/** What can't be measured, and why. */
export interface Skipped {
  /** The title of a scenario, or of a task. */
  scenario: string;
  fault: Reason;
  /** Names of the tasks in which the scenario would have been. */
  tasks: string[];
}
