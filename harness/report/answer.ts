import { max } from 'simple-statistics';
import type { Run } from '../analysis/analysis.ts';
import type { Estimate } from '../analysis/compare-estimates.ts';
import { clarityOf } from '../analysis/interval.ts';
import { hasFootprint, type Row } from '../analysis/rows.ts';
import { counted } from '../words/text.ts';
import { asNumber, asUs } from '../words/units.ts';
import { plusMinusText, US } from './cells.ts';

/** A row whose CPU per request is known. */
interface KnownRow {
  row: Row;
  cost: Estimate;
  /** All that a request takes, as a multiple of what it takes of the baseline. */
  multiple: number;
}

/** Returns what a run says, in words, for who reads one sentence: what a request pays in CPU. */
export function answerOf(run: Run): string {
  const rows = run.tasks.flatMap((task) => task.rows);
  const known = rows.flatMap((row) => knownRowOf(row) ?? []);
  if (known.length === 0) return notMeasuredText(rows.length);
  const dearer = known
    .filter(({ cost }) => clarityOf(cost, cost.baseline) === 'significant' && cost.value > 0)
    .toSorted((one, other) => other.multiple - one.multiple);
  const [dearest, second] = dearer;
  if (!dearest) return nothingFoundText(known);
  const cheapest = dearer.at(-1) as KnownRow;
  if (hasFootprint(run) && cheapest !== dearest)
    return `${costText(cheapest)}, the least of ${counted(known.length, 'row')}; ${lowerFirst(costText(dearest))}, the most.`;
  return second ? `${costText(dearest)}; ${shortText(second)}.` : `${costText(dearest)}.`;
}

function knownRowOf(row: Row): KnownRow | null {
  const cost = row.change.cpuUs;
  if (cost === null || row.cpuMultiple === null) return null;
  return { row, cost, multiple: row.cpuMultiple.value };
}

function notMeasuredText(rows: number): string {
  return rows === 0
    ? 'Nothing was compared with the baseline.'
    : 'What a request takes of CPU was not measured.';
}

/** No row costs more than nothing, as far as anybody knows. */
function nothingFoundText(known: readonly KnownRow[]): string {
  const most = max(known.map(({ cost }) => cost.high));
  if (!Number.isFinite(most))
    return 'One pair tells no interval, so nobody knows whether a row costs more.';
  const isClear = known.every(({ cost }) => clarityOf(cost, cost.baseline) !== 'unclear');
  const atMost = `more than ${asUs(Math.max(0, most))} of CPU above the baseline`;
  return isClear
    ? `No row takes ${atMost}.`
    : `No row was found to take more than the baseline; nor is it known that none takes ${atMost}.`;
}

function costText({ row, cost, multiple }: KnownRow): string {
  const more = plusMinusText(US, cost).replace(/^\+/, '');
  return `With ${row.label} a request takes ${asNumber(multiple)} times the baseline's CPU: ${more} more`;
}

function shortText({ row, multiple }: KnownRow): string {
  return `with ${row.label} ${asNumber(multiple)} times`;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
