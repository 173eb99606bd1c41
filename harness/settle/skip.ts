import { type FoundTool, toolFor } from '../load/find.ts';
import { reasonOf } from '../result/faults.ts';
import { isPaced } from '../result/steady-rate.ts';
import { scenariosOf, withoutScenario, withoutTasks } from '../suite/select.ts';
import type { Scenario, Suite } from '../suite/suite.ts';
import { Problem, ScenarioProblem } from '../words/errors.ts';

/**
 * Returns the suite without the tasks that the load tool can't send. @throws Problem if none are
 * left
 */
export function withoutUnsendable(suite: Suite, found: FoundTool): Suite {
  const { name, latencyFrom } = toolFor(found, { isPaced: true }).tool;
  const canPace = latencyFrom !== null;
  const left = canPace
    ? suite
    : withoutTasks(suite, isPaced, `${name} can't send at a steady rate`);
  if (left.tasks.length > 0) return left;
  const reasons = left.skipped.map(({ scenario, fault }) => `; ${scenario}: ${fault.what}`);
  throw new Problem(
    `Suite ${suite.name} has nothing to measure${reasons.join('')}`,
    canPace ? 'Choose others with --scenarios' : 'Choose another --tool',
  );
}

/**
 * Makes each scenario ready, one after the other.
 * @returns the suite without the optional scenarios that could not be made ready
 * @throws the error of any other scenario, or of the last one if nothing is left
 */
export async function withoutFailing(
  wanted: Suite,
  makeReady: (scenario: Scenario) => Promise<unknown>,
): Promise<Suite> {
  let suite = wanted;
  for (const scenario of scenariosOf(wanted.tasks)) {
    // The only tasks of a scenario may have gone with their baseline.
    if (!scenariosOf(suite.tasks).includes(scenario)) continue;
    try {
      await makeReady(scenario);
    } catch (error) {
      if (!scenario.optional || !(error instanceof ScenarioProblem)) throw error;
      const reason = reasonOf(error.what, error.detail, scenario.name);
      suite = withoutScenario(suite, scenario, reason);
      if (suite.tasks.length === 0) throw error;
    }
  }
  return suite;
}
