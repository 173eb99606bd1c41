import type { Judgement, Limit, Verdict } from '../analysis/gate.ts';
import { intervalText, MS, PERCENT, type Scale, US } from './cells.ts';

/** In what words, and in what unit, the gate names each quantity. */
const LIMITED: Record<Judgement['quantity'], { name: string; scale: Scale }> = {
  cpuUs: { name: 'CPU per request', scale: US },
  p99Us: { name: 'p99', scale: MS },
};

/**
 * Returns a line for each row that exceeds a limit or can't be judged, each once: what one limit
 * can't judge, the other can't judge either. `option` makes the gate accept what is missing, if
 * something else was judged.
 */
export function gateLines(judgements: Judgement[], option?: string): string[] {
  const lines = judgements.flatMap((judgement) => {
    if (judgement.verdicts.length === 0) return ['Nothing was measured that could be judged'];
    const isPartly = judgement.verdicts.some(({ kind }) => kind !== 'not-judged');
    const remedy = option !== undefined && isPartly ? `; ${option} accepts that` : '';
    return judgement.verdicts.flatMap((verdict) => verdictLine(verdict, judgement, remedy) ?? []);
  });
  return [...new Set(lines)];
}

function verdictLine(verdict: Verdict, judgement: Judgement, remedy: string): string | null {
  const { title } = verdict;
  if (verdict.kind === 'passes') return null;
  if (verdict.kind === 'not-judged')
    return `${title} could not be judged: ${verdict.reason}${remedy}`;
  const { name, scale } = LIMITED[judgement.quantity];
  const { changeUs, relative } = verdict.cost;
  const added = `${intervalText(scale, changeUs)} (${intervalText(PERCENT, relative)})`;
  return `${title} adds ${added} to ${name}, ${aboveText(judgement.limit, scale)}`;
}

/** Returns a limit in the unit of what it limits, such as `above 2 µs`. */
export function aboveText({ value, unit }: Limit, scale: Scale): string {
  return unit === 'us' ? `above ${value / scale.size} ${scale.unit}` : `above ${value} %`;
}
