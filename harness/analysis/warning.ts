import type { Result } from '../result/schema.ts';
import type { Quantity } from './figures.ts';
import { type Row, rowsOf, type TaskAnalysis } from './rows.ts';

/** Something that makes a figure wrong or weak. The table marks its row. */
export interface Warning {
  kind: string;
  /** What it means and what was seen, and what to do about it, both without the last full stop. */
  text: string;
  remedy: string;
  /** The one quantity that it is about; null if it is about all. */
  quantity: Quantity | null;
  /** Names; null if it is about all of them. */
  task: string | null;
  scenario: string | null;
}

export interface Measured {
  header: Omit<Result, 'proofs' | 'pairs' | 'startUps' | 'idles'>;
  pairs: { measured: number; planned: number };
  tasks: TaskAnalysis[];
}

/** Finds one kind of thing that makes figures wrong or weak; what is false or null is none. */
export type Find = (measured: Measured) => (Omit<Warning, 'kind'> | false | null)[];

type About = Partial<Pick<Warning, 'quantity' | 'task' | 'scenario'>>;

/** About all of a run, or about a row or a task; their titles stand in the text. */
export function warn(text: string, remedy: string, { quantity = null, task = null, scenario = null }: About = {}) {
  return { text, remedy, quantity, task, scenario };
}

/** The baseline against itself among them. */
export function validRows(tasks: TaskAnalysis[]): Row[] {
  return tasks.flatMap(rowsOf).filter(({ faults }) => faults.length === 0);
}

/** Each once: `A`, `A and B`, `A, B and C`. */
export function listed(titles: string[]): string {
  return new Intl.ListFormat('en-GB').format(new Set(titles));
}
