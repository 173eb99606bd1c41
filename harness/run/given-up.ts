import type { PlannedRow } from '../plan/plan.ts';
import type { Fault } from '../result/faults.ts';
import type { Pair, Result } from '../result/schema.ts';
import { pairsOf } from './of-row.ts';

/*
 * What gets no more pairs, because it can't succeed: a row that fails alike, and all rows of a task
 * whose baseline does.
 */

/**
 * What fails alike in two pairs, one after the other, goes on to fail. A load tool, or its host,
 * may go away once: then other rows are still measured.
 */
const MAX_FAILED_PAIRS = 2;

/** A baseline with which nothing can be compared. */
export interface FailedBaseline {
  task: string;
  /** What went wrong with it in its last pair. */
  fault: Fault;
}

/** Returns whether more pairs of a row can't give it figures. */
export function isGivenUp(row: PlannedRow, result: Result): boolean {
  const { task, baseline } = row;
  return (
    commonFault(pairsOf(row, result)) !== undefined ||
    commonFaultOf(baseline.name, pairsOfTask(task.name, result)) !== undefined
  );
}

/** Returns the baselines that failed alike in the last pairs of their tasks. */
export function failedBaselines(result: Result): FailedBaseline[] {
  return result.suite.tasks.flatMap(({ name, baseline }) => {
    const fault = commonFaultOf(baseline, pairsOfTask(name, result));
    return fault ? [{ task: name, fault }] : [];
  });
}

function pairsOfTask(task: string, { pairs }: Result): Pair[] {
  return pairs.filter((pair) => pair.task === task);
}

/** Returns a fault of this server that the last pairs, one after the other, have in common. */
function commonFaultOf(server: string, pairs: readonly Pair[]): Fault | undefined {
  const faults = pairs.map((pair) => pair.faults.filter(({ scenario }) => scenario === server));
  return commonFault(faults.map((each) => ({ faults: each })));
}

/** Returns a fault that the last pairs, one after the other, have in common: kind and server. */
function commonFault(pairs: readonly Pick<Pair, 'faults'>[]): Fault | undefined {
  const last = pairs.slice(-MAX_FAILED_PAIRS);
  if (last.length < MAX_FAILED_PAIRS) return undefined;
  const isInAll = (fault: Fault) =>
    last.every(({ faults }) => faults.some((other) => areAlike(fault, other)));
  return last.at(-1)?.faults.find(isInAll);
}

function areAlike(one: Fault, other: Fault): boolean {
  return one.kind === other.kind && one.scenario === other.scenario;
}
