import { printable } from '../../words/text.ts';

/**
 * Returns a value as JSON. Infinite numbers become null. The result file has the pairs, so here
 * stands how many there are.
 */
export function asJson(value: unknown): string {
  const countPairs = (name: string, each: unknown) =>
    name === 'pairs' && Array.isArray(each) ? each.length : each;
  return printable(JSON.stringify(value, countPairs, 2));
}
