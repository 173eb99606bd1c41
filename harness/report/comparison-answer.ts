import type { Comparison, CostChange } from '../analysis/compare.ts';
import { type Direction, directionOf } from '../analysis/direction.ts';
import { limitedChange } from '../analysis/gate.ts';
import type { Limit } from '../result/schema.ts';
import { counted } from '../words/text.ts';
import { roundedUp } from '../words/units.ts';
import { MEASURE_BETTER } from './answer.ts';
import { amountText, PERCENT, plusMinusText, US } from './cells.ts';
import { misreadingText } from './misreading-text.ts';

/** A row that could be compared. */
export interface Compared {
  title: string;
  cost: CostChange;
}

/** Returns what became of the costs: of those that rose, the one that rose most. */
export function comparisonAnswer(comparisons: readonly Comparison[]): string {
  const compared: Compared[] = comparisons.flatMap(({ title, cost }) =>
    cost ? { title, cost } : [],
  );
  if (compared.length === 0) return 'No row could be compared.';
  const missing = comparisons.length - compared.length;
  const others = missing === 0 ? '' : ` ${counted(missing, 'row')} could not be compared.`;
  return `${answerOfCompared(compared)}${others}`;
}

function answerOfCompared(compared: readonly Compared[]): string {
  const sorted = dearestFirst(compared);
  const inDirection = (wanted: Direction) =>
    sorted.filter(({ cost }) => directionOf(cost) === wanted);
  const [worse, better, unclear] = [
    inDirection('worse'),
    inDirection('better').toReversed(),
    inDirection('unclear'),
  ];
  if (worse[0]) return changeAnswer(worse[0], 'more', worse.length);
  if (unclear[0]) return unclearAnswer(unclear[0], unclear.length);
  if (better[0]) return changeAnswer(better[0], 'less', better.length);
  const costs = compared.map(({ cost }) => cost);
  return `No change was found: ${noDearerText(costs, '%')}.`;
}

/** Returns the rows with the one first whose cost rose most, as a share of what it took before. */
export function dearestFirst<Row extends Compared>(rows: readonly Row[]): Row[] {
  return rows.toSorted((one, other) => other.cost.relative.value - one.cost.relative.value);
}

/** Returns how much dearer a request may have got: `no request got dearer by more than 0.8 %`. */
export function noDearerText(costs: readonly CostChange[], unit: Limit['unit']): string {
  const most = Math.max(...costs.map((cost) => limitedChange(cost, { value: 0, unit }).high));
  if (most <= 0) return 'every request got cheaper';
  return `no request got dearer by more than ${roundedUp(most)} ${unit === 'us' ? 'µs' : '%'}`;
}

function changeAnswer({ title, cost }: Compared, than: 'more' | 'less', rows: number): string {
  const verb = rows === 2 ? 'does' : 'do';
  const others = rows > 1 ? ` So ${verb} ${counted(rows - 1, 'other row')}, by less.` : '';
  return (
    `${title}: a request takes ${amountText(PERCENT, cost.relative)} ${than} CPU than before, ` +
    `${amountText(US, cost.changeUs)}.${others}`
  );
}

function unclearAnswer({ title, cost }: Compared, rows: number): string {
  const others = rows > 1 ? ` Nor is that of ${counted(rows - 1, 'other row')}.` : '';
  const change = plusMinusText(PERCENT, cost.relative);
  const why = misreadingText(cost);
  if (why !== '') return `${title}: the change is not known: ${change}, which ${why}.${others}`;
  return `${title}: the change is not known (${change}).${others} ${MEASURE_BETTER}`;
}
