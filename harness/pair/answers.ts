import { NO_WHOLE_ANSWER } from '../exchange/check.ts';
import type { Plan } from '../plan/plan.ts';
import { type Fault, faultOf } from '../result/faults.ts';
import type { Exchange } from '../suite/suite-schema.ts';
import { ScenarioProblem } from '../words/errors.ts';
import type { Started } from './starts.ts';

/** In the middle of a slice of a second. */
const UNDER_LOAD_AFTER_MS = 500;

/** What a server answers otherwise, half a second from now, while it is under load; nothing is asked if there are no exchanges. */
export async function wrongWhileBusy(
  plan: Plan,
  started: Started,
  exchanges: readonly Exchange[],
): Promise<Fault[]> {
  if (exchanges.length === 0) return [];
  await plan.rig.sleep(UNDER_LOAD_AFTER_MS);
  return wrongAnswers(plan, started, exchanges, 'under load');
}

/** What a server answers otherwise than before the load. One that has ended is not asked, and a busy one may be late. */
export async function wrongAnswers(
  { rig }: Plan,
  started: Started,
  exchanges: readonly Exchange[],
  when: 'under load' | 'afterwards',
): Promise<Fault[]> {
  const { planned, server } = started;
  if (server.child.exit) return [];
  try {
    for (const exchange of exchanges) {
      await rig.checkAnswer(planned, server.origin, exchange);
      started.answered++;
    }
    return [];
  } catch (error) {
    if (!(error instanceof ScenarioProblem)) throw error;
    if (when === 'under load' && error.what === NO_WHOLE_ANSWER) return [];
    const detail = [error.what, error.detail].filter(Boolean).join(': ');
    const kind = when === 'under load' ? 'wrong-answer-under-load' : 'wrong-answer-afterwards';
    return [faultOf(kind, detail, planned.name)];
  }
}
