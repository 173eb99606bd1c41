import type { Direction } from '../analysis/direction.ts';
import type { TooLowReason } from '../analysis/reads-too-low.ts';
import { type Cell, plain } from './cells.ts';
import { tooLowText } from './gate-text.ts';

/** What a cost is called that surely rose, and one that surely fell. */
export type SureWords = Record<'worse' | 'better', string>;

/** Returns the verdict on a change, as the last cell of its row has it. */
export function verdictCell(
  direction: Direction,
  tooLowBecause: TooLowReason | null,
  words: SureWords,
): Cell {
  switch (direction) {
    case 'worse':
    case 'better':
      return { text: words[direction], tone: direction };
    case 'insignificant':
      return { text: 'no significant difference', tone: 'insignificant' };
    case 'unclear':
      return unclearCell(tooLowBecause);
  }
}

/** A rough interval is another reason not to know one: notes below a table explain that alone. */
function unclearCell(tooLowBecause: TooLowReason | null): Cell {
  return tooLowBecause === null
    ? { text: 'not known', tone: 'unclear' }
    : plain(`not known: ${tooLowText(tooLowBecause)}`);
}
