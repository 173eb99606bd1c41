import type { Between, NotBetween } from '../analysis/between.ts';
import { type Direction, directionOf } from '../analysis/direction.ts';
import { dividedBy, type Interval } from '../analysis/interval.ts';
import { capitalized } from '../words/text.ts';
import { asMs, asUs, roundedUp } from '../words/units.ts';
import { amountText, MS, PERCENT, plusMinusText, type Section, US } from './cells.ts';
import { misreadingRemedy, misreadingText } from './misreading-text.ts';

/** In what words and in what unit each quantity is compared. */
const QUANTITIES = {
  cpuUs: { name: 'CPU per request', scale: US, text: asUs },
  latencyUs: { name: 'latency', scale: MS, text: asMs },
} as const;

const METHOD =
  'From the pairs of both, each against the baseline. What their errors share counts once, so this ' +
  'also tells apart rows whose own intervals overlap. ± is a 95 % interval of noise, not of bias.';

/** Returns what is said of two scenarios, and below it how that is known. */
export function betweenSections(answers: readonly (Between | NotBetween)[]): Section[] {
  const found = answers.flatMap((answer) => ('reason' in answer ? [] : [answer]));
  const texts = answers.map((answer) => sentence(answer.prefix, answerText(answer)));
  const isOne = texts.length === 1;
  return [
    { paragraphs: isOne ? texts : [], list: isOne ? [] : texts },
    { paragraphs: [...remedyTexts(found), ...(found.length > 0 ? [METHOD] : [])] },
  ];
}

/** Returns what to do, if one of the answers is not known: each remedy once. */
function remedyTexts(answers: readonly Between[]): string[] {
  const unclear = answers.filter((answer) => becameOf(answer) === 'unclear');
  return [...new Set(unclear.map(remedyText))];
}

function remedyText({ first, second, tooLowBecause, tooHighBecause }: Between): string {
  const reason = tooLowBecause ?? tooHighBecause;
  return reason === null
    ? `To know it, measure both more precisely: --scenarios ${first.scenario},${second.scenario} --within 5%.`
    : `To know it, ${misreadingRemedy(reason)}.`;
}

/** Returns what the first is beside the second, as if that were what it had been before. */
function becameOf(answer: Between): Direction {
  return directionOf({ ...answer, relative: relativeOf(answer) });
}

/** Returns the difference as a part of what a request takes of the second. */
function relativeOf({ differenceUs, secondUs }: Between): Interval {
  return dividedBy(differenceUs, secondUs);
}

function sentence(prefix: string, text: string): string {
  return prefix === '' ? capitalized(text) : prefix + text;
}

/** Returns the answer to: is the first dearer than the second? */
function answerText(answer: Between | NotBetween): string {
  if ('reason' in answer) return `not known: ${answer.reason}.`;
  const { first, second, quantity, differenceUs, secondUs } = answer;
  const { name, scale, text } = QUANTITIES[quantity];
  const direction = becameOf(answer);
  switch (direction) {
    case 'worse':
    case 'better': {
      const [isDearer, than] = direction === 'worse' ? ['yes', 'more'] : ['no', 'less'];
      const share = amountText(PERCENT, relativeOf(answer));
      return (
        `${isDearer}, ${first.title} takes ${amountText(scale, differenceUs)} ${than} ${name} than ` +
        `${second.title}, which takes ${text(secondUs)}: ${share} of that.`
      );
    }
    case 'insignificant':
      return (
        `no difference was found. ${first.title} minus ${second.title} is ` +
        `${plusMinusText(scale, differenceUs)} of ${name}: ${atMostText(answer)}.`
      );
    case 'unclear':
      return (
        `not known. ${first.title} minus ${second.title} is ${plusMinusText(scale, differenceUs)} ` +
        `of ${name}${whyUnclear(answer)}.`
      );
  }
}

function atMostText({ quantity, differenceUs, secondUs }: Between): string {
  const { scale } = QUANTITIES[quantity];
  const most = `${roundedUp(differenceUs.high / scale.size)} ${scale.unit}`;
  return `at most ${most} more, which is ${roundedUp((100 * differenceUs.high) / secondUs)} %`;
}

/** A range of a figure that is surely wrong would say too much. */
function whyUnclear(answer: Between): string {
  const why = misreadingText(answer, answer.second.title);
  return why === '' ? `: ${rangeText(answer)}` : `, which ${why}`;
}

function rangeText({ quantity, differenceUs }: Between): string {
  const { text } = QUANTITIES[quantity];
  return `anything from ${text(-differenceUs.low)} less to ${text(differenceUs.high)} more`;
}
