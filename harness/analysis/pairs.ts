import type { Pair, Result, Side, Usage } from '../result/schema.ts';
import { slicesOf, total } from './figures.ts';

/** What counts of the pairs of a run, of a task, or of one scenario in it. */
export function pairsOf({ pairs }: Result, task?: string, scenario?: string): Pair[] {
  const isOwn = (pair: Pair) => pair.task === (task ?? pair.task) && pair.scenario === (scenario ?? pair.scenario);
  return pairs.filter(isOwn).map(onTime);
}

export function isValid({ invalid }: Pair): boolean {
  return invalid.length === 0;
}

/**
 * The pair without slices in which a steady rate was not held: what they show is another load, so they are left out of all
 * figures. A pair that has none but such slices of a kind is invalid.
 */
function onTime(pair: Pair): Pair {
  const alternating = pair.alternating.filter(({ late }) => !late);
  const duets = pair.duets.filter(({ late }) => !late);
  const lost = [pair.alternating, pair.duets].flatMap((slices) => {
    const reasons = slices.map(({ late }) => late);
    return reasons.every(Boolean) ? reasons.slice(0, 1) : [];
  });
  const invalid = [...pair.invalid, ...lost.map((late) => `no slice held the rate: ${late}`)];
  const kept = { ...pair, alternating, duets, invalid };
  return { ...kept, usage: { baseline: usageIn(kept, pair, 'baseline'), scenario: usageIn(kept, pair, 'scenario') } };
}

/** The probe counted over all slices. Of its CPU times the part that is left is that of the requests. */
function usageIn(kept: Pair, pair: Pair, side: Side): Usage | null {
  const usage = pair.usage[side];
  const part = total(slicesOf(kept), side, 'requests') / total(slicesOf(pair), side, 'requests');
  return usage && { ...usage, cpuUserUs: usage.cpuUserUs * part, cpuSystemUs: usage.cpuSystemUs * part };
}
