/** What the names of scenarios end with that are of the older of two revisions. */
export const OLD_SUFFIX = '.old';

/** Whether a scenario of a run that compares revisions is of the older one. */
export function isOfOldRevision(scenario: string): boolean {
  return scenario.endsWith(OLD_SUFFIX);
}
