import type { Run } from '../analysis/analysis.ts';
import type { Warning } from '../analysis/warnings/list.ts';
import { type Cell, MARK } from './cells.ts';

/** Returns the warnings about a row: a table marks a row that has one. */
export function warningsAbout(
  { warnings }: Pick<Run, 'warnings'>,
  task: string,
  scenario: string,
): Warning[] {
  return warnings.filter((warning) => warning.task === task && warning.scenario === scenario);
}

/** Returns the cell with a mark. */
export function marked({ text }: Cell): Cell {
  return { text: `${text} ${MARK}`, tone: 'marked' };
}
