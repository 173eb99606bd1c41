import { Problem } from './errors.ts';

/** What is printed below a comparison of a thing with itself that the user asked for. */
export const SAME_REMARK = 'Both are the same, so every difference is noise.';

/**
 * Returns the problem that a thing would be compared with itself: whatever is wrong with it would
 * pass every gate.
 * @param seen which two are the same, in words
 * @param remedy what the user names in place of one of them
 */
export function sameProblem(seen: string, remedy: string): Problem {
  return new Problem(
    `${seen}, so there is nothing to compare`,
    `${remedy}, or use --allow-same to see the noise`,
  );
}
