import type { Result } from '../result/schema.ts';
import type { Quantity } from './figures.ts';
import { type Row, rowsOf, type TaskAnalysis } from './rows.ts';

/** Something that makes a figure wrong or weak. The table marks its row. */
export interface Warning {
  kind: string;
  /** Names; null if it is about all of them. */
  task: string | null;
  scenario: string | null;
  /** What it means and what was seen, without the last full stop. It names its row, and its task if there are several. */
  text: string;
  /** What to do about it, without its full stop. */
  remedy: string;
  /** The one quantity that it is about; null if it is about all. */
  quantity: Quantity | null;
}

export interface Measured {
  header: Omit<Result, 'proofs' | 'pairs' | 'startUps' | 'idles'>;
  pairs: { measured: number; planned: number };
  tasks: TaskAnalysis[];
}

type Found = ReturnType<typeof warn>;
/** Nothing, one or several; anything false is nothing. */
type Findings = Found | (Found | false)[] | null | undefined | false;

/** Finds one kind of thing that makes figures wrong or weak. */
export type Find = (measured: Measured) => Omit<Warning, 'kind'>[];

/** What changes how figures are to be read: what that means, and what to do about it. */
export const warn = (text: string, remedy: string, quantity: Quantity | null = null) => {
  return { text, remedy, quantity };
};

export function inRun(find: (measured: Measured) => Findings): Find {
  return (measured) => about(null, null, find(measured));
}

export function inTasks(find: (task: TaskAnalysis, measured: Measured) => Findings): Find {
  return (measured) => measured.tasks.flatMap((task) => about(task.name, null, find(task, measured)));
}

type FindInRow = (row: Row, task: TaskAnalysis, measured: Measured) => Findings;

/** About each row that is not invalid, the baseline against itself among them. */
export const inRows = (find: FindInRow) => inRowsThat(({ faults }) => faults.length === 0, find);
export const inInvalidRows = (find: FindInRow) => inRowsThat(({ faults }) => faults.length > 0, find);

function inRowsThat(are: (row: Row) => boolean, find: FindInRow): Find {
  const inTask = (task: TaskAnalysis, measured: Measured) =>
    rowsOf(task)
      .filter(are)
      .flatMap((row) => about(task.name, row.scenario, find(row, task, measured)));
  return (measured) => measured.tasks.flatMap((task) => inTask(task, measured));
}

function about(task: string | null, scenario: string | null, findings: Findings): ReturnType<Find> {
  return [findings].flat().flatMap((found) => (found ? [{ ...found, task, scenario }] : []));
}

/** Each once: `A`, `A and B`, `A, B and C`. */
export function listed(titles: string[]): string {
  return new Intl.ListFormat('en-GB').format(new Set(titles));
}
