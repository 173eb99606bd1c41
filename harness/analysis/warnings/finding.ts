import { type MeasuredRun, type Row, rowsWithNoiseFloor, type TaskAnalysis } from '../rows.ts';

/** Something that makes a figure wrong or weak. */
export interface Finding {
  /** What it means and what was seen, without the last full stop. */
  text: string;
  /** What to do about it, without the last full stop. */
  remedy: string;
  /** What it says of its row, if findings of its kind may say several things; else empty. */
  sense: string;
  /** Names of the row that it is about, which the table marks; null if it is about more. */
  task: string | null;
  scenario: string | null;
}

/** Finds one kind of thing that makes figures wrong or weak: nothing in a run without it. */
export type Find = (run: MeasuredRun) => Finding[];

/**
 * Returns a finding about a row, or about more: what that is stands in the text. Those of one kind
 * and sense can be told together.
 */
export function finding(text: string, remedy: string, row?: Row, sense = ''): Finding {
  return { text, remedy, sense, task: row?.task ?? null, scenario: row?.scenario ?? null };
}

/** Returns the rows that have figures, the baseline against itself among them. */
export function validRows(tasks: TaskAnalysis[]): Row[] {
  return tasks.flatMap(rowsWithNoiseFloor).filter(({ faults }) => faults.length === 0);
}
