// Suites as files write them, with no more than a test needs.
import type { Suite } from '../suite/suite.ts';
import { type ScenarioInput, suiteSchema, type TaskInput } from '../suite/suite-schema.ts';
import { expandSweep } from '../suite/sweep.ts';

/** Scenarios of these names as a suite file writes them. */
export function scenarios(...names: string[]): ScenarioInput[] {
  return names.map((name) => ({ name, command: ['bun', 'run', `${name}.ts`] }));
}

/** A task with one request as a suite file writes it. */
export function task(name: string, more: object = {}): TaskInput {
  return { name, exchanges: [{}], ...more };
}

/**
 * The suite that a file with these fields would give: of the scenarios `a` and `b`, if it names no
 * others.
 */
export function suiteOf(fields: object): Suite {
  const whole = { name: 'test', baseline: 'a', scenarios: scenarios('a', 'b'), ...fields };
  return expandSweep(suiteSchema.parse(whole));
}
