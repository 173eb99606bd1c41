// Results of one suite that were measured on several days, for histories.
import { analyse, type Run } from '../analysis/analysis.ts';
import type { Result } from '../result/schema.ts';
import { fakePairs, fakeResult } from './fakes.ts';

/**
 * The result of a day of November, in which a request takes so much CPU in µs, after `edit`. It has
 * the scenario `other`.
 */
export function fakeResultAt(
  day: number,
  otherUs: number,
  baselineUs = 10,
  edit: (result: Result) => void = () => {},
): Result {
  const costsUs = [0.99, 1, 1.01, 1].map((factor) => otherUs * factor);
  const result = fakeResult(fakePairs('other', costsUs, baselineUs));
  result.startedAt = `2026-11-${String(day).padStart(2, '0')}T08:00:00.000Z`;
  result.environment.gitRevision = `${day}a1b2c3d4e5f6`.slice(0, 12);
  edit(result);
  return result;
}

/** The same as a run. */
export function fakeRunAt(...of: Parameters<typeof fakeResultAt>): Run {
  return analyse(fakeResultAt(...of));
}
