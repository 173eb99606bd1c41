import type { Pair, Result, Side, Usage } from '../result/schema.ts';
import { slicesOf, total } from './figures.ts';
import { type Find, inRows, mention, warn } from './finding.ts';

/** Slices in which a steady rate was not held: what they show is another load, so they are left out of all figures. */

/** More of them than this say that the servers can't take the rate. */
const FEW = 0.1;

/** The result without them. A pair that has none but such slices of a kind is invalid. */
export function withoutLate(result: Result): Result {
  return { ...result, pairs: result.pairs.map(onTime) };
}

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

const notHeld = inRows(({ title }, pairs) => {
  const slices = pairs.flatMap(slicesOf);
  const late = slices.flatMap((slice) => slice.late ?? []);
  const say = late.length > FEW * slices.length ? warn : mention;
  const message = `Left out: ${late.length} of ${slices.length} slices of ${title}, in which the rate was not held (${late[0]})`;
  return late.length > 0 && say(message, 'Use a lower --rate: in duet slices both servers share a core');
});

/** Only the result as it was measured still has these slices. */
export const rateNotHeld: Find = (_, tasks, measured) => notHeld(measured, tasks, measured);
