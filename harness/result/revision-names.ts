const OLD = 'old';
const NEW = 'new';

/**
 * Returns what tells one of so many revisions, or versions, from the others, the old one first:
 * `old`, and `new`, or `new-1` and `new-2`.
 */
export function revisionName(index: number, count: number): string {
  if (index === 0) return OLD;
  return count === 2 ? NEW : `${NEW}-${index}`;
}

/** Returns the name of a scenario in a run that compares revisions: `trace-active.old`. */
export function nameInRevision(scenario: string, revision: string): string {
  return `${scenario}.${revision}`;
}

/** Whether a scenario of a run that compares revisions is of the older one. */
export function isOfOldRevision(scenario: string): boolean {
  return scenario.endsWith(nameInRevision('', OLD));
}

/** Whether a scenario of a run that compares two revisions is of the newer one. */
export function isOfNewRevision(scenario: string): boolean {
  return scenario.endsWith(nameInRevision('', NEW));
}
