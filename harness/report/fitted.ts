import type { Analysis } from '../analysis/analysis.ts';
import type { Curve } from '../analysis/curves.ts';
import { intervalCell } from '../analysis/units.ts';
import { COST_NAMES, type Table } from './tables.ts';

/** What the lines through the values of a sweep say. */

/** One with a row for each line; none if there is no line. */
export function fittedTables({ curves }: Analysis): Table[] {
  const [first] = curves;
  if (!first) return [];
  const rows = curves.map(({ title, quantity, fixed, slope, misfit, parameter }) => {
    const cells = [fixed, slope].map((coefficient) => intervalCell(quantity, coefficient));
    return [`${title}, ${COST_NAMES[quantity]}`, ...cells, misfit ? `not at ${parameter}=${misfit.value}` : 'yes'];
  });
  const figures = ['Fixed', `For each ${first.unit}`, 'A line fits'];
  return [{ names: ['Cost'], figures, rows }];
}

/** The same in words, of CPU time, and how it came about. */
export function fittedSentences({ curves }: Analysis): string[] {
  const said = curves.filter(({ quantity, misfit }) => quantity === 'cpuUs' && !misfit).map(sentence);
  return said.length > 0
    ? [`${said.join(' ')} Fitted to the pairs by weighted least squares; both intervals of a line hold at once.`]
    : [];
}

function sentence({ title, quantity, unit, fixed, slope }: Curve): string {
  const [each, always] = [slope, fixed].map((coefficient) => intervalCell(quantity, coefficient).replace('+', ''));
  return `${title} adds ${always} of server CPU to each request, and ${each} for each ${unit}.`;
}
