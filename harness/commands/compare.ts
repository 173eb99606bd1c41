import { appendFileSync } from 'node:fs';
import { Problem } from '../problem.ts';
import { type ComparisonReport, comparisonReport } from '../report/comparison.ts';
import { annotations } from '../report/github.ts';
import { markdownSafe } from '../report/markdown.ts';
import { readResult } from '../results/file.ts';
import { differences } from '../stats/comparable.ts';
import { compareResults, isAbove, type Limit } from '../stats/compare.ts';
import { EXIT, print } from './output.ts';

export interface CompareOptions {
  failAbove?: Limit;
  force: boolean;
  format: 'markdown' | 'github';
}

/**
 * Prints what became of each scenario's cost. Returns the exit status: `failed` where a change lies above the limit.
 * @throws Problem where the results should not be compared, and nothing says to do so all the same.
 */
export function compare(oldFile: string, newFile: string, options: CompareOptions): number {
  const old = readResult(oldFile);
  const current = readResult(newFile);
  const found = differences(old, current);
  if (found.length > 0 && !options.force)
    throw new Problem(
      `The results are not comparable, ${found.join('; ')} (old / new)`,
      '--force compares them all the same, and marks it',
    );
  const report = { comparisons: compareResults(old, current), differences: found, limit: options.failAbove };
  if (options.format === 'github') printForGitHub(report);
  else print(comparisonReport(markdownSafe(report)));
  const isFailing = report.comparisons.some((each) => options.failAbove && isAbove(each, options.failAbove));
  return isFailing ? EXIT.failed : EXIT.done;
}

/** The table for the job's summary, or to the log where there is none; annotations to the log, where they are read. */
function printForGitHub(report: ComparisonReport): void {
  const table = comparisonReport(markdownSafe(report));
  const summary = process.env.GITHUB_STEP_SUMMARY;
  if (summary) append(summary, `${table}\n\n`);
  else print(table);
  for (const each of annotations(report)) print(each);
}

function append(file: string, text: string): void {
  try {
    appendFileSync(file, text);
  } catch (error) {
    throw new Problem(
      `The job's summary can't be written: ${(error as Error).message}`,
      'Mend $GITHUB_STEP_SUMMARY',
    );
  }
}
