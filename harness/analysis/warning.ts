import type { Pair, Result } from '../result/schema.ts';
import type { Quantity } from './figures.ts';
import { pairsOf } from './pairs.ts';
import { type Row, rowsOf, type TaskAnalysis } from './rows.ts';

/** Something that makes a figure wrong or weak. */
export interface Verdict {
  kind: string;
  /** Names; null if it is about all of them. */
  task: string | null;
  scenario: string | null;
  /** What was seen, without the last full stop. It names its row, and its task if there are several. */
  message: string;
  /** What to do about it, without its full stop. */
  remedy: string;
  /** Whether it changes how the figures are to be read; the table then shows it. */
  changesReading: boolean;
  /** The one quantity that it is about; null if it is about all. */
  quantity: Quantity | null;
}

/** Anything false if there is nothing to say. */
type Found = ReturnType<typeof warn> | null | undefined | false;

/** Finds one kind of thing that makes figures wrong or weak. */
export type Find = (result: Result, tasks: TaskAnalysis[]) => Omit<Verdict, 'kind'>[];

/** What was seen, and what to do about it: of what changes how figures are to be read, and of what is worth knowing. */
export const warn = (message: string, remedy: string, quantity: Quantity | null = null) => {
  return { message, remedy, changesReading: true, quantity };
};
export const mention = (message: string, remedy: string) => ({ ...warn(message, remedy), changesReading: false });

/** About the whole run. */
export function inRun(find: (result: Result) => Found): Find {
  return (result) => about(null, null, find(result));
}

/** About each task of which it finds something in its pairs. */
export function inTasks(find: (task: TaskAnalysis, pairs: Pair[], result: Result) => Found): Find {
  return (result, tasks) => tasks.flatMap((task) => about(task, null, find(task, pairsOf(result, task.name), result)));
}

/** About each row of which it finds something in its pairs, the baseline against itself among them. */
export function inRows(find: (row: Row, pairs: Pair[], task: TaskAnalysis, result: Result) => Found): Find {
  return (result, tasks) => {
    const all = tasks.flatMap((task) => rowsOf(task).map((row) => ({ task, row })));
    return all.flatMap(({ task, row }) => {
      const pairs = pairsOf(result, task.name, row.scenario);
      return about(task, row.scenario, find(row, pairs, task, result));
    });
  };
}

function about(task: TaskAnalysis | null, scenario: string | null, found: Found): ReturnType<Find> {
  if (!found) return [];
  const { name = null, prefix = '' } = { ...task };
  return [{ ...found, message: prefix + found.message, task: name, scenario }];
}

/** Their titles: `A`, `A and B`, `A, B and C`. */
export function listed(all: { title: string }[]): string {
  return new Intl.ListFormat('en-GB').format(all.map(({ title }) => title));
}
