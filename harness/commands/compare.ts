import { analyse } from '../analysis/analysis.ts';
import { compareRuns, incomparable } from '../analysis/compare.ts';
import { type GateOptions, showComparison, showRevisions } from '../report/gate.ts';
import { readResult } from '../result/file.ts';
import { partOf } from '../result/part.ts';
import { Problem } from '../words/errors.ts';

export interface CompareOptions extends GateOptions {
  tasks?: string[];
  /** Whether results of different machines or versions are compared. */
  force: boolean;
}

/**
 * Prints what became of each cost from one result to the other, or again what a run with --git measured. Returns the exit
 * status. @throws Problem for results that can't be read or compared.
 */
export async function compare(oldFile: string, newFile: string | undefined, options: CompareOptions): Promise<number> {
  const read = (file: string) => partOf(readResult(file), options.tasks);
  if (newFile === undefined) return showRevisions(read(oldFile), options);
  const [old, current] = [analyse(read(oldFile)), analyse(read(newFile))];
  const differences = incomparable(old, current);
  const cause = `These results can't be compared (old / new): ${differences.join('; ')}`;
  if (differences.length > 0 && !options.force) throw new Problem(cause, 'Use --force to compare them anyway');
  const comparisons = compareRuns(old, current);
  return showComparison({ comparisons, differences, isPaired: false, remarks: [] }, options);
}
