import { ClosedConnection, NoWholeAnswer } from '../exchange/check.ts';
import { type Fault, faultOf } from '../result/faults.ts';
import type { Exchange } from '../suite/suite.ts';
import { ScenarioProblem } from '../words/errors.ts';
import type { Arm } from './arms.ts';
import type { World } from './world.ts';

/** The middle of a slice of a second. */
const BUSY_AFTER_MS = 500;
/** How long it may take until it is known that a server has ended. */
const END_TOLD_WITHIN_MS = 20;

/** The fault of a wrong answer, by the moment of the question. */
const FAULT_KINDS = {
  'under load': 'wrong-answer-under-load',
  afterwards: 'wrong-answer-afterwards',
} as const;

type Moment = keyof typeof FAULT_KINDS;

/**
 * Asks a server half a second from now, while it is under load: an answer may turn wrong only then.
 * @returns the faults that were found; none if there are no exchanges
 */
export async function checkWhileBusy(
  world: World,
  arm: Arm,
  exchanges: readonly Exchange[],
): Promise<Fault[]> {
  if (exchanges.length === 0) return [];
  await world.sleep(BUSY_AFTER_MS);
  return checkAnswers(world, arm, exchanges, 'under load');
}

/**
 * Asks a server for each exchange until one is wrong. Returns the fault; none of a server that has
 * ended under load, which its load tells.
 */
export async function checkAnswers(
  world: World,
  arm: Arm,
  exchanges: readonly Exchange[],
  when: Moment,
): Promise<Fault[]> {
  if (arm.server.child.exit) return endFaults(arm, when);
  try {
    for (const exchange of exchanges) {
      await world.checkAnswer(arm.planned, arm.server.origin, exchange);
      arm.answered++;
    }
    return [];
  } catch (error) {
    if (!(error instanceof ScenarioProblem)) throw error;
    // A connection may break a moment before its server's end is told.
    if (when === 'afterwards') await world.sleep(END_TOLD_WITHIN_MS);
    if (arm.server.child.exit) return endFaults(arm, when);
    // A busy server may be late: its load tells whether it answers.
    if (when === 'under load' && error instanceof NoWholeAnswer) return [];
    const detail = [error.what, error.detail].filter(Boolean).join(': ');
    const isClosed = error instanceof ClosedConnection;
    const kind = isClosed ? 'connections-closed' : FAULT_KINDS[when];
    return [faultOf(kind, detail, arm.planned.name)];
  }
}

function endFaults({ server, planned }: Arm, when: Moment): Fault[] {
  if (when === 'under load') return [];
  return [faultOf('server-ended', server.child.exitDescription, planned.name)];
}
