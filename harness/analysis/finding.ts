import type { Pair, Result } from '../result/schema.ts';
import type { Row, TaskAnalysis, Verdict } from './model.ts';

/** What was seen, and what to do about it: sentences without their full stop. */
export type Message = Pick<Verdict, 'message' | 'remedy'>;

/** A message, or anything false if there is nothing to say. */
type Found = Message | null | undefined | false;

/** A message, and the names of what it is about: null for all of them. */
export type Finding = Message & Pick<Verdict, 'task' | 'scenario'>;

/** Finds one kind of thing that makes figures wrong or weak. */
export type Find = (result: Result, tasks: TaskAnalysis[]) => Finding[];

export function say(message: string, remedy: string): Message {
  return { message, remedy };
}

/** About the whole run. */
export function inRun(find: (result: Result, tasks: TaskAnalysis[]) => Found): Find {
  return (result, tasks) => about(null, null, find(result, tasks));
}

/** About each task of which it finds something. */
export function inTasks(find: (task: TaskAnalysis, result: Result) => Found): Find {
  return (result, tasks) => tasks.flatMap((task) => about(task.name, null, find(task, result)));
}

/** About each row of which it finds something, the baseline against itself among them. */
export function inRows(find: (row: Row, pairs: Pair[], result: Result) => Found): Find {
  return (result, tasks) =>
    tasks.flatMap((task) =>
      rowsOf(task).flatMap((row) =>
        about(task.name, row.scenario, find(row, pairsOf(result, task, row.scenario), result)),
      ),
    );
}

function about(task: string | null, scenario: string | null, found: Found): Finding[] {
  return found ? [{ ...found, task, scenario }] : [];
}

/** All rows that have an interval, the baseline against itself among them. */
export function rowsOf({ rows, noiseFloor }: TaskAnalysis): Row[] {
  return noiseFloor ? [...rows, noiseFloor] : rows;
}

export function pairsOf({ pairs }: Result, { name }: TaskAnalysis, scenario: string): Pair[] {
  return pairs.filter((pair) => pair.task === name && pair.scenario === scenario);
}

/** `3.4 %`, `34 %`. */
export function percent(share: number): string {
  return `${Number((share * 100).toFixed(share < 0.0995 ? 1 : 0))} %`;
}

/** `A`, `A and B`, `A, B and C`. */
export function listed(words: string[]): string {
  return new Intl.ListFormat('en-GB').format(words);
}
