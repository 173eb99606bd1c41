import { limitText } from '../analysis/aims.ts';
import type { CostChange } from '../analysis/compare.ts';
import {
  gateAnswer,
  isUndecided,
  type Judgement,
  limitedChange,
  type Verdict,
} from '../analysis/gate.ts';
import { halfWidth } from '../analysis/interval.ts';
import type { MisreadReason } from '../analysis/misreading.ts';
import { pairsFor } from '../analysis/precision.ts';
import type { Limit } from '../result/schema.ts';
import { counted } from '../words/text.ts';
import { intervalText, MS, PERCENT, plusMinusText, type Scale, US } from './cells.ts';
import { misreadingRemedy, tooHighText, tooLowText } from './misreading-text.ts';

/** In what words, and in what unit, the gate names each quantity. */
const LIMITED: Record<Judgement['quantity'], { name: string; scale: Scale }> = {
  cpuUs: { name: 'CPU per request', scale: US },
  p99Us: { name: 'p99', scale: MS },
};

/** The old server of a comparison, or the baseline of a run. */
const COUNTERPART = 'what it is compared with';

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
  const verdicts = judgements.flatMap((judgement) => judgement.verdicts);
  const count = (wanted: Verdict['kind']) => verdicts.filter(({ kind }) => kind === wanted).length;
  // By two limits, each row has two verdicts.
  const all = counted(verdicts.length, judgements.length === 1 ? 'row' : 'verdict');
  const undecided = verdicts.filter(isUndecided).length;
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
        (remedies.fewPairs ?? fewPairsRemedy(verdict.pairsNeeded))
      );
    case 'reads-too-low':
      return misreadLine(title, tooLowText(verdict.reason), verdict.reason);
    case 'reads-too-high':
      return misreadLine(title, tooHighText(verdict.reason, COUNTERPART), verdict.reason);
    case 'undecided':
      return undecidedLine(verdict, judgement, remedies.undecided);
    case 'exceeds':
      return exceedingLine(verdict, judgement);
  }
}

/** Where too few answers are what lacks, longer pairs bring them, too. */
function fewPairsRemedy(pairsNeeded: number | undefined): string {
  return pairsNeeded === undefined
    ? `give it more (--pairs ${USUAL_PAIRS})`
    : `give it more (--pairs ${pairsNeeded}), or longer ones (--duration)`;
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

function misreadLine(title: string, why: string, reason: MisreadReason): string {
  return `not decided: ${title} ${why}: ${misreadingRemedy(reason)}`;
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
    : 'so near the limit, more pairs would hardly decide it: judge for yourself';
}
