import type { FoundTool } from '../load/find.ts';
import type { Load } from '../load/tool.ts';
import type { Pinning } from '../machine/pinning.ts';
import type { RIG } from '../pair/world.ts';
import type { Configuration, Result, Side } from '../result/schema.ts';
import { type LoadedSuite, ONLY_TASK, type Scenario } from '../suite/suite-schema.ts';
import { type PlannedServer, type PlannedTask, plannedServer } from './planned-server.ts';

/** Starting two servers and checking their answers, in seconds. */
const START_SECONDS = 0.8;
/** Most servers warm up in this time; slow ones have a limit of their suite. */
const USUAL_WARMUP_SECONDS = 5;

/** All that a run needs to know, decided once by `settle` and frozen. */
export interface Plan {
  /** What the result file says before anything is measured. */
  readonly header: Omit<
    Result,
    'pairs' | 'startUps' | 'idles' | 'endedAt' | 'stoppedBy' | 'kind' | 'schemaVersion'
  >;
  /** What has pairs of its own, the baselines against themselves among them; in the order of the table. */
  readonly rows: readonly PlannedRow[];
  readonly tool: FoundTool;
  /** Undefined if cores are not pinned. */
  readonly pinning: Pinning | undefined;
  /** About how long it takes. */
  readonly seconds: ReturnType<typeof secondsOf>;
  /** The address of this machine on which servers listen. */
  readonly listen: string;
  /** What its pairs do to the world; tests put fakes there. */
  readonly rig: typeof RIG;
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

/** One pair of a run: of which row, which server starts first, and which has the first alternating slice. */
export interface PlannedPair {
  row: PlannedRow;
  startedFirst: Side;
  loadedFirst: Side;
}

/** What is started for every scenario of every task. */
export function rowsOf(suite: LoadedSuite, configuration: Configuration): PlannedRow[] {
  return suite.tasks.flatMap((of) => {
    const task = { ...of, connections: of.connections ?? configuration.connections };
    const server = (each: Scenario) => plannedServer(suite, of, each, configuration.export);
    const baseline = server(of.baseline);
    return of.scenarios.map((each) => {
      const label = of.name === ONLY_TASK ? each.name : `${of.name}, ${each.name}`;
      return { label, task, baseline, scenario: each === of.baseline ? baseline : server(each) };
    });
  });
}

/** The load of a task on a server, wherever that is. */
export type TaskLoad = Omit<Load, 'origin'>;

/** On each of so many servers at once: they share the connections. */
export function loadOf(task: PlannedTask, durationSeconds: number, servers: 1 | 2 = 1): TaskLoad {
  const requests = task.exchanges.map(({ request, weight }) => ({ ...request, weight }));
  return {
    requests,
    connections: Math.ceil(task.connections / servers),
    durationSeconds,
    rate: task.rate,
  };
}

/** How long a row takes for its start-ups, for one pair, and without requests, and all of these rows; about, in seconds. */
export function secondsOf(configuration: Configuration, rows: number) {
  const { pairs, starts, warmupSeconds, alternatingSlices, duetSlices, sliceSeconds, idleSeconds } =
    configuration;
  const warmUp = Math.min(warmupSeconds, USUAL_WARMUP_SECONDS);
  const startUps = starts > 0 ? START_SECONDS * (1 + 2 * starts) : 0;
  const pair = START_SECONDS + warmUp + (2 * alternatingSlices + duetSlices) * sliceSeconds;
  const idle = idleSeconds > 0 ? START_SECONDS + idleSeconds : 0;
  return { startUps, pair, idle, all: rows * (startUps + pairs * pair + idle) };
}
