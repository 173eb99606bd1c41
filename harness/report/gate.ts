import { appendFile } from 'node:fs/promises';
import { analyse, type Run } from '../analysis/analysis.ts';
import { comparePairs, costsOf, isAbove, type Limit } from '../analysis/compare.ts';
import type { Result } from '../result/schema.ts';
import { orProblem, Problem } from '../words/errors.ts';
import { complain, EXIT, print } from '../words/output.ts';
import { counted } from '../words/text.ts';
import { asMs } from '../words/units.ts';
import { intervalText } from './cells.ts';
import { annotations, type ComparisonReport, comparisonSection, limitText } from './comparison.ts';
import { asMarkdown, firstWarnings } from './formats.ts';
import { viewOf } from './view.ts';

/** How a comparison is printed, and what makes it a failure. */
export interface GateOptions {
  format: 'markdown' | 'github';
  failAbove?: Limit;
  /** Whether rows that could not be compared are no failure. */
  allowMissing: boolean;
}

/** Prints what a run of two revisions measured. Returns the exit status, as the gate does. @throws Problem for another run. */
export function showRevisions(result: Result, options: GateOptions): Promise<number> {
  if (result.suite.tasks.some(({ baseline, scenarios }) => scenarios.includes(baseline)))
    throw new Problem('This result is not of two revisions', 'Name a second result to compare it with');
  const run = analyse(result);
  // No row of the table has a mark that they could explain.
  const warnings = run.warnings.map((warning) => ({ ...warning, scenario: null }));
  const first = firstWarnings(viewOf({ ...run, warnings }), 'with report --format full');
  const remarks = [...result.suite.remarks, ...first];
  return showComparison({ comparisons: comparePairs(run), differences: [], isPaired: true, remarks }, options);
}

/**
 * Prints a comparison as the options say. Returns the exit status: failed if a cost rose too far, or can't be compared.
 * @throws Problem if the job's summary can't be written.
 */
export async function showComparison(
  comparison: Omit<ComparisonReport, 'limit'>,
  options: GateOptions,
): Promise<number> {
  const { failAbove: limit = null, allowMissing, format } = options;
  const { comparisons } = comparison;
  const found = { ...comparison, limit };
  const table = asMarkdown([comparisonSection(found)]);
  const summary = process.env.GITHUB_STEP_SUMMARY;
  if (format === 'github' && summary) {
    const append = () => appendFile(summary, `${table}\n\n`);
    await orProblem(append, "The job's summary can't be written", 'Fix $GITHUB_STEP_SUMMARY');
  } else print(table);
  if (format === 'github') for (const each of annotations(found)) print(each);
  if (!limit) return EXIT.done;
  const isEmpty = comparisons.every(({ cost }) => !cost);
  const missing = allowMissing && !isEmpty ? 0 : comparisons.filter(({ cost }) => !cost).length;
  const remedy = isEmpty ? 'Nothing was.' : 'Use --allow-missing to accept that.';
  if (missing > 0) complain(`tracetax: ${counted(missing, 'row')} could not be compared. ${remedy}`);
  return missing > 0 || comparisons.some((each) => isAbove(each, limit)) ? EXIT.failed : EXIT.done;
}

/** What must not be exceeded by any row of a run. */
export interface RunLimits {
  /** CPU per request more than the baseline. */
  failAbove?: Limit;
  /** What is added to the 99th percentile at a steady rate, in µs. */
  failAboveP99?: number;
}

/** Says which rows of a run exceed a limit, or can't be judged: a line for each. Returns the exit status. */
export function judge(run: Run, { failAbove, failAboveP99 }: RunLimits): number {
  const lines = [
    ...(failAbove ? costsOf(run).flatMap((each) => costFault(each, failAbove) ?? []) : []),
    ...(failAboveP99 === undefined ? [] : p99Faults(run, failAboveP99)),
  ];
  for (const line of lines) complain(`tracetax: ${line}.`);
  return lines.length > 0 ? EXIT.failed : EXIT.done;
}

function costFault(each: ReturnType<typeof costsOf>[number], limit: Limit): string | null {
  const { title, cost, missing } = each;
  if (!cost) return `${title} could not be judged: ${missing}`;
  const costs = `${intervalText('cpuUs', cost.changeUs)} CPU per request (${intervalText('relative', cost.relative)})`;
  return isAbove(each, limit) ? `${title} costs ${costs}, above ${limitText(limit)}` : null;
}

function p99Faults({ tasks }: Run, limitUs: number): string[] {
  return tasks
    .flatMap(({ rows }) => rows)
    .flatMap(({ label, change }) => {
      const added = change.p99Us?.estimate;
      if (!added) return `${label} could not be judged: its p99 is not known`;
      // Of a single pair, the interval has no end.
      if (!Number.isFinite(added.low)) return `${label} could not be judged: there is but one pair`;
      const adds = `${label} adds ${intervalText('p99Us', added)} to p99`;
      return added.low > limitUs ? `${adds}, above ${asMs(limitUs)}` : [];
    });
}
