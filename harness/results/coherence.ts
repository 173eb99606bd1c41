import { taskResults } from '../stats/tasks.ts';
import type { DuetFork, Result, SoloMeasurement } from './schema.ts';

/** No suite has so many scenarios, in all its tasks together; a file that was made to keep a reader busy might. */
const MOST = 1_000;

/**
 * What in a result does not go together, though each field is of its type: a file that was edited, or cut, or made up.
 * Undefined for any file that the kit wrote. What passes can be computed with: nothing is divided by nothing.
 */
export function incoherence(result: Result): string | undefined {
  const { suite } = result;
  const rows = suite.tasks.reduce((sum, { scenarios }) => sum + Math.max(1, scenarios.length), 0);
  if (Math.max(rows, suite.scenarios.length) > MOST) return `there are more than ${MOST} scenarios`;
  const tasks = taskResults(result);
  const known = new Set(tasks.map(({ task }) => task.name));
  if ([...result.soloRounds, ...result.duetForks].some(({ task }) => !known.has(task)))
    return 'something was measured of a task that the suite does not have';
  for (const { task, result } of tasks) {
    const reason = incoherenceOf(result, task.scenarios);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

function incoherenceOf({ suite, soloRounds, duetForks }: Result, scenarios: string[]): string | undefined {
  const names = suite.scenarios.map(({ name }) => name);
  if (!names.includes(suite.baseline) || names.length !== scenarios.length)
    return 'the baseline, or a scenario of a task, is none of the scenarios';
  const isWhole = (measured: string[]) => measured.toSorted().join('\n') === names.toSorted().join('\n');
  const cut = soloRounds.findIndex(
    ({ measurements }) => !isWhole(measurements.map(({ scenario }) => scenario)),
  );
  if (cut !== -1) return `round ${cut + 1} does not have each scenario once`;
  if (duetForks.some(({ scenario }) => !names.includes(scenario)))
    return 'a duet is of none of the scenarios';
  const measurements = soloRounds.flatMap((round) => round.measurements);
  const isEmpty = measurements.some(isHollow) || duetForks.some(isHollowFork);
  return isEmpty ? 'a measurement that counts as valid has no requests, no time or no latency' : undefined;
}

function isHollow({ invalid, load }: SoloMeasurement): boolean {
  return invalid.length === 0 && !(load.requests > 0 && load.seconds > 0 && (load.latencyUs?.mean ?? 0) > 0);
}

function isHollowFork({ invalid, slices }: DuetFork): boolean {
  const sides = slices.flatMap(({ baseline, scenario }) => [baseline, scenario]);
  const isFull = sides.length > 0 && sides.every(({ cpuNs, load }) => cpuNs > 0 && load.requests > 0);
  return invalid.length === 0 && !isFull;
}
