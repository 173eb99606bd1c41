import { limitText } from '../analysis/aims.ts';
import type { CostChange } from '../analysis/compare.ts';
import { gateAnswer, type Judgement, limitedChange, type Verdict } from '../analysis/gate.ts';
import { halfWidth } from '../analysis/interval.ts';
import { pairsFor } from '../analysis/precision.ts';
import type { TooLowReason } from '../analysis/reads-too-low.ts';
import type { Limit } from '../result/schema.ts';
import { counted } from '../words/text.ts';
import { intervalText, MS, PERCENT, plusMinusText, type Scale, US } from './cells.ts';

/** In what words, and in what unit, the gate names each quantity. */
const LIMITED: Record<Judgement['quantity'], { name: string; scale: Scale }> = {
  cpuUs: { name: 'CPU per request', scale: US },
  p99Us: { name: 'p99', scale: MS },
};

/** What a row needs of which nobody knows how far it is. */
const USUAL_PAIRS = 10;
/** Nobody waits for more. */
const MANY_PAIRS = 100;

/**
 * Returns what a gate says in all; empty if there is none.
 * @param isFinished whether all was measured: if not, nothing passes
 */
export function gateSentence(judgements: readonly Judgement[], isFinished = true): string {
  if (judgements.length === 0) return '';
  const kinds = judgements.flatMap(({ verdicts }) => verdicts.map(({ kind }) => kind));
  const count = (...wanted: typeof kinds) => kinds.filter((kind) => wanted.includes(kind)).length;
  // By two limits, each row has two verdicts.
  const all = counted(kinds.length, judgements.length === 1 ? 'row' : 'verdict');
  const undecided = count('undecided', 'too-few-pairs', 'reads-too-low');
  switch (gateAnswer(judgements, isFinished)) {
    case 'passed':
      return `Passed: ${all}, each surely within the limit.`;
    case 'undecided':
      return undecided > 0
        ? `Not decided: of ${all}, ${undecided} may be above the limit.`
        : 'Not decided: a run was not finished.';
    case 'failed':
      return `Failed: of ${all}, ${failuresText(count('exceeds'), count('not-judged'))}.`;
  }
}

function failuresText(exceeding: number, notJudged: number): string {
  const parts = [
    exceeding > 0 ? `${exceeding} surely above the limit` : '',
    notJudged > 0 ? `${notJudged} could not be judged` : '',
  ].filter((part) => part !== '');
  return parts.join(', and ') || 'none could be judged';
}

/** Returns why a figure says less than is true: `reads too low, since ...`. */
export function tooLowText(reason: TooLowReason): string {
  return `reads too low, since ${TOO_LOW[reason].cause}`;
}

const TOO_LOW: Record<TooLowReason, { cause: string; remedy: string }> = {
  'records-lost': {
    cause: 'spans or log records were lost',
    remedy: 'use a larger buffer, or an exporter that keeps up',
  },
  'work-put-off': {
    cause: 'its server was still at work when the load had ended',
    remedy: 'measure at a rate that it can keep up with (--rate)',
  },
};

const MORE_TIME = 'give it more time (--at-most)';

/** What to do about rows that do not pass, where it depends on how they were measured. */
export interface GateRemedies {
  /** About a row that could not be judged, if others could. */
  notJudged?: string;
  /** About one that is not decided, in place of more pairs. */
  undecided?: string;
  /** About one that has too few pairs for that. */
  fewPairs?: string;
}

/** What to do where the time was over. */
export const OUT_OF_TIME: GateRemedies = { undecided: MORE_TIME, fewPairs: MORE_TIME };

/**
 * Returns a line for each row that does not pass, each once: what one limit can't judge, the other
 * can't judge either.
 */
export function gateLines(judgements: Judgement[], remedies: GateRemedies = {}): string[] {
  const lines = judgements.flatMap((judgement) => {
    if (judgement.verdicts.length === 0) return ['Nothing was measured that could be judged'];
    return judgement.verdicts.flatMap((verdict) => verdictLine(verdict, judgement, remedies) ?? []);
  });
  return [...new Set(lines)];
}

function verdictLine(
  verdict: Verdict,
  judgement: Judgement,
  remedies: GateRemedies,
): string | null {
  const { title } = verdict;
  switch (verdict.kind) {
    case 'passes':
      return null;
    case 'not-judged':
      return notJudgedLine(verdict, judgement, remedies.notJudged);
    case 'too-few-pairs':
      return (
        `not decided: ${title} has ${counted(verdict.pairs, 'pair')}, too few to tell: ` +
        (remedies.fewPairs ?? `give it more (--pairs ${USUAL_PAIRS})`)
      );
    case 'reads-too-low':
      return `not decided: ${title} ${tooLowText(verdict.reason)}: ${TOO_LOW[verdict.reason].remedy}`;
    case 'undecided':
      return undecidedLine(verdict, judgement, remedies.undecided);
    case 'exceeds':
      return exceedingLine(verdict, judgement);
  }
}

function notJudgedLine(
  { title, reason }: Extract<Verdict, { kind: 'not-judged' }>,
  { verdicts }: Judgement,
  remedy: string | undefined,
): string {
  const areOthersJudged = verdicts.some(({ kind }) => kind !== 'not-judged');
  const advice = remedy !== undefined && areOthersJudged ? `; ${remedy}` : '';
  return `${title} could not be judged: ${reason}${advice}`;
}

function exceedingLine(
  { title, cost }: Extract<Verdict, { kind: 'exceeds' }>,
  { quantity, limit }: Judgement,
): string {
  const { name, scale } = LIMITED[quantity];
  const added = `${intervalText(scale, cost.changeUs)} (${intervalText(PERCENT, cost.relative)})`;
  return `${title} adds ${added} to ${name}, above ${limitText(limit, quantity)}`;
}

function undecidedLine(
  { title, cost }: Extract<Verdict, { kind: 'undecided' }>,
  { quantity, limit }: Judgement,
  remedy = morePairsRemedy(cost, limit),
): string {
  const { name, scale } = LIMITED[quantity];
  const added =
    limit.unit === 'us'
      ? plusMinusText(scale, cost.changeUs)
      : plusMinusText(PERCENT, cost.relative);
  return (
    `not decided: ${title} adds ${added} to ${name} after ${counted(cost.pairs, 'pair')}, ` +
    `perhaps more than ${limitText(limit, quantity)}: ${remedy}, or choose another limit`
  );
}

function morePairsRemedy(cost: CostChange, limit: Limit): string {
  const change = limitedChange(cost, limit);
  const pairs = pairsFor(cost.pairs, halfWidth(change), Math.abs(limit.value - change.value));
  return pairs <= MANY_PAIRS
    ? `give it more pairs (--pairs ${pairs})`
    : 'it lies so near the limit that more pairs would hardly decide it: judge for yourself';
}
