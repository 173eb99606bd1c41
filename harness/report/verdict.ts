import type { Direction } from '../analysis/direction.ts';
import type { Misreading } from '../analysis/misreading.ts';
import { type Cell, plain } from './cells.ts';
import { misreadingText } from './misreading-text.ts';

/** What a cost is called that surely rose, and one that surely fell. */
export type SureWords = Record<'worse' | 'better', string>;

/** Returns the verdict on a change, as the last cell of its row has it. */
export function verdictCell(direction: Direction, misreading: Misreading, words: SureWords): Cell {
  switch (direction) {
    case 'worse':
    case 'better':
      return { text: words[direction], tone: direction };
    case 'insignificant':
      return { text: 'no significant difference', tone: 'insignificant' };
    case 'unclear':
      return unclearCell(misreading);
  }
}

/** A rough interval is another reason not to know one: notes below a table explain that alone. */
function unclearCell(misreading: Misreading): Cell {
  const why = misreadingText(misreading);
  return why === '' ? { text: 'not known', tone: 'unclear' } : plain(`not known: ${why}`);
}
