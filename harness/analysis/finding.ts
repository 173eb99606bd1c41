import type { Pair, Result } from '../result/schema.ts';
import { type Row, rowsOf, type TaskAnalysis, type Verdict } from './model.ts';

type Message = Pick<Verdict, 'message' | 'remedy' | 'changesReading'>;

/** A message, or anything false if there is nothing to say. */
type Found = Message | null | undefined | false;

export type Finding = Omit<Verdict, 'kind'>;

/** Finds one kind of thing that makes figures wrong or weak. */
export type Find = (result: Result, tasks: TaskAnalysis[]) => Finding[];

/** What was seen, and what to do about it. It changes how figures are to be read. */
export function warn(message: string, remedy: string): Message {
  return { message, remedy, changesReading: true };
}

/** The same of what is worth knowing, and changes nothing. */
export function mention(message: string, remedy: string): Message {
  return { message, remedy, changesReading: false };
}

/** About the whole run. */
export function inRun(find: (result: Result) => Found): Find {
  return (result) => about(null, null, find(result));
}

/** About each task of which it finds something. */
export function inTasks(find: (task: TaskAnalysis, result: Result) => Found): Find {
  return (result, tasks) => tasks.flatMap((task) => about(task.name, null, find(task, result)));
}

/** About each row of which it finds something, the baseline against itself among them. */
export function inRows(find: (row: Row, pairs: Pair[], result: Result) => Found): Find {
  return (result, tasks) =>
    tasks.flatMap((task) =>
      rowsOf(task).flatMap((row) => {
        const pairs = result.pairs.filter((pair) => pair.task === task.name && pair.scenario === row.scenario);
        return about(task.name, row.scenario, find(row, pairs, result));
      }),
    );
}

function about(task: string | null, scenario: string | null, found: Found): Finding[] {
  return found ? [{ ...found, task, scenario }] : [];
}

/** `3.4 %`, `34 %`. */
export function percent(share: number): string {
  return `${Number((share * 100).toFixed(share < 0.0995 ? 1 : 0))} %`;
}

/** `A`, `A and B`, `A, B and C`. */
export function listed(words: string[]): string {
  return new Intl.ListFormat('en-GB').format(words);
}
