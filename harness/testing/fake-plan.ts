// Fake plans, rows and servers, in which nothing on this machine has a part.
import type { Plan, PlannedRow } from '../plan/plan.ts';
import type { PlannedServer } from '../plan/planned-server.ts';
import { taskSchema } from '../suite/suite-schema.ts';
import { fakeResult } from './fakes.ts';

/**
 * A plan of two rows, `base` against itself and `other`, that nothing on this machine has a part
 * in.
 */
export function fakePlan(
  configuration: Partial<Plan['header']['configuration']> = {},
  rows = fakeRows(),
): Plan {
  const {
    kind: _kind,
    schemaVersion: _schemaVersion,
    endedAt: _endedAt,
    stoppedBy: _stoppedBy,
    endReason: _endReason,
    startUps: _startUps,
    idles: _idles,
    pairs: _pairs,
    ...header
  } = fakeResult([]);
  return {
    header: { ...header, configuration: { ...header.configuration, pairs: 1, ...configuration } },
    rows,
    expectedSeconds: { startUps: 1, pair: 1, idle: 1, run: 1, longestRun: 1 },
    pinning: undefined,
    listen: '127.0.0.1',
  };
}

/**
 * Rows of one task, `/` by 10 connections; `more` is set in the task, `server` in the scenario
 * `other`.
 */
export function fakeRows(
  more: Partial<PlannedRow['task']> = {},
  server: Partial<PlannedServer> = {},
): PlannedRow[] {
  const { exchanges } = taskSchema.parse({ name: 'default', exchanges: [{}] });
  const task = {
    name: 'default',
    exchanges,
    warmUp: [],
    connections: 10,
    ...more,
  } as PlannedRow['task'];
  const baseline = fakeServer('base');
  const other = { ...fakeServer('other'), ...server };
  return [baseline, other].map((scenario) => ({
    label: scenario.name,
    task,
    baseline,
    scenario,
    mayBeUnlike: scenario !== baseline,
  }));
}

/** A server that exports nothing. */
export function fakeServer(name: string): PlannedServer {
  return {
    name,
    command: [name],
    env: {},
    cwd: '/',
    startWithinSeconds: 10,
    versions: undefined,
    services: [],
    sink: false,
    receiver: 'takes',
    spans: null,
    logRecordsPerRequest: null,
    uncounted: [],
    exportsSpans: false,
    exportsProfiles: false,
    flushesAtEnd: false,
  };
}
