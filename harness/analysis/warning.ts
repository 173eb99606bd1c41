import { type MeasuredRun, type Row, rowsOf, type TaskAnalysis } from './rows.ts';

/** Something that makes a figure wrong or weak. */
export interface Warning {
  kind: string;
  /** What it means and what was seen, and what to do about it, both without the last full stop. */
  text: string;
  remedy: string;
  /** Names of the row that it is about, which the table marks; null if it is about more. */
  task: string | null;
  scenario: string | null;
}

/** Finds one kind of thing that makes figures wrong or weak; what is false or null is none. */
export type Find = (measured: MeasuredRun) => (Omit<Warning, 'kind'> | false | null)[];

/** About a row, or about more: what that is stands in the text. */
export function warn(text: string, remedy: string, row?: Row) {
  return { text, remedy, task: row?.task ?? null, scenario: row?.scenario ?? null };
}

/** The baseline against itself among them. */
export function validRows(tasks: TaskAnalysis[]): Row[] {
  return tasks.flatMap(rowsOf).filter(({ faults }) => faults.length === 0);
}

/** Each once: `A`, `A and B`, `A, B and C`. */
export function listed(titles: string[]): string {
  return new Intl.ListFormat('en-GB').format(new Set(titles));
}
