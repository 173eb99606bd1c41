import { Problem } from '../words/errors.ts';
import type { Result } from './schema.ts';

/** The result of the tasks with these names, or all of it. @throws Problem for a name that it does not have */
export function partOf(result: Result, names: string[] | undefined): Result {
  if (names === undefined) return result;
  const { suite, pairs, startUps, idles, proofs } = result;
  const tasks = chosen(suite.name, 'task', suite.tasks, names);
  const isKept = ({ task }: { task: string }) => tasks.some(({ name }) => name === task);
  return {
    ...result,
    suite: { ...suite, tasks, skipped: suite.skipped.filter((each) => each.tasks.some((task) => isKept({ task }))) },
    pairs: pairs.filter(isKept),
    startUps: startUps.filter(isKept),
    idles: idles.filter(isKept),
    proofs: proofs.filter(({ scenario }) => tasks.some(({ scenarios }) => scenarios.includes(scenario))),
  };
}

/** Those that are named; all if no names are given. @throws Problem for a name that the suite does not have. */
export function chosen<Named extends { name: string }>(suite: string, what: string, all: Named[], names?: string[]) {
  const unknown = names?.filter((name) => !all.some((each) => each.name === name)) ?? [];
  if (unknown.length === 0) return all.filter(({ name }) => names?.includes(name) ?? true);
  const known = all.map(({ name }) => name).join(', ');
  throw new Problem(`Suite ${suite} has no ${what} "${unknown.join('", "')}"`, `It has: ${known}`);
}
