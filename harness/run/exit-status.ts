import { type GateAnswer, gateAnswer, type Judgement } from '../analysis/gate.ts';
import { EXIT_STATUS } from '../words/output.ts';

const GATE_STATUSES: Record<GateAnswer, number> = {
  passed: EXIT_STATUS.success,
  failed: EXIT_STATUS.failure,
  undecided: EXIT_STATUS.undecided,
};

/**
 * Returns the exit status of a gate.
 * @param isFinished whether all was measured: if not, nothing passes
 */
export function gateStatus(judgements: readonly Judgement[], isFinished = true): number {
  return GATE_STATUSES[gateAnswer(judgements, isFinished)];
}

/** Returns the first of these exit statuses that is no success; that of a success if all are. */
export function firstFailure(...statuses: readonly number[]): number {
  return statuses.find((status) => status !== EXIT_STATUS.success) ?? EXIT_STATUS.success;
}
