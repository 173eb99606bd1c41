import { analyse } from '../analysis/analysis.ts';
import { requestsOf, whyIncomparable } from '../analysis/comparability.ts';
import { type GateOptions, type Judgement, judgeComparisons } from '../analysis/gate.ts';
import { isOfRevisions } from '../analysis/rows.ts';
import { interruptible } from '../processes/interruption.ts';
import {
  type ComparisonReport,
  comparisonSections,
  type Revisions,
  revisionsReport,
  runsReport,
} from '../report/comparison.ts';
import { comparisonAnswer } from '../report/comparison-answer.ts';
import { sectionsText } from '../report/formats/list.ts';
import { asPullRequestComment } from '../report/formats/pull-request.ts';
import { gateLines, gateSentence } from '../report/gate-text.ts';
import { readResult } from '../result/file.ts';
import { mismatches } from '../result/mismatches.ts';
import { conclude, failingWarnings } from '../run/conclude.ts';
import { firstFailure, gateStatus } from '../run/exit-status.ts';
import { writableFile } from '../run/result-path.ts';
import { run } from '../run/run.ts';
import { dryRun } from '../settle/dry-run.ts';
import type { MeasureOptions } from '../settle/options.ts';
import { settle } from '../settle/settle.ts';
import { exchangeSummary } from '../settle/summary.ts';
import { checkOutBoth } from '../software/checkout.ts';
import { installEach } from '../software/package-versions.ts';
import { pairRevisions } from '../suite/pair-revisions.ts';
import { suiteFile } from '../suite/read-suite.ts';
import { select } from '../suite/select.ts';
import type { Suite, SuiteTask } from '../suite/suite.ts';
import { Problem } from '../words/errors.ts';
import { EXIT_STATUS, print, printToStderr } from '../words/output.ts';
import { sameProblem } from '../words/same.ts';

/**
 * The command `compare`: what became of each cost, between two results, or between two revisions
 * that are measured in pairs.
 */

/** How a comparison is to be printed. */
export interface ComparisonTextOptions extends GateOptions {
  format?: 'terminal' | 'docs' | 'pull-request';
  color?: boolean;
}

export interface CompareOptions extends ComparisonTextOptions {
  /** Whether results are compared that are of different machines or versions. */
  force: boolean;
  /** Whether a result may be compared with itself. */
  allowSame: boolean;
}

export interface ComparePairsOptions extends MeasureOptions, ComparisonTextOptions {
  /** Whether a revision, or a package, may be compared with itself. */
  allowSame: boolean;
}

/**
 * Prints what became of each cost from one result to a later one, or again what a run measured that
 * compared two revisions. Returns the exit status. @throws Problem if they can't be compared
 */
export function compare(
  oldFile: string,
  newFile: string | undefined,
  options: CompareOptions,
): number {
  checkFormat(options);
  const report =
    newFile === undefined
      ? revisionsReport(analyse(readResult(oldFile)))
      : reportOfFiles({ old: oldFile, current: newFile }, options);
  return showComparison(report, options);
}

/** @throws Problem if the two are the same, or can't be compared */
function reportOfFiles(
  files: Revisions,
  { allowSame, force }: Pick<CompareOptions, 'allowSame' | 'force'>,
): ComparisonReport {
  const [oldResult, newResult] = [readResult(files.old), readResult(files.current)];
  const isSame = Bun.deepEquals(oldResult, newResult);
  if (isSame && !allowSame)
    throw sameProblem(
      `${files.old} and ${files.current} hold the same result`,
      'Name another result',
    );
  const [old, current] = [analyse(oldResult), analyse(newResult)];
  if ([old, current].some(({ header }) => isOfRevisions(header.suite)))
    throw new Problem(
      'A result that compares two revisions has a baseline of its own',
      'Print each by compare FILE, or give two results of runs without --git and --package',
    );
  const differences = whyIncomparable(old, current);
  if (differences.length > 0 && !force)
    throw new Problem(
      `These results can't be compared: ${differences.join('; ')}`,
      'Use --force to compare them anyway',
    );
  return runsReport(old, current, { files, isSame, differences });
}

/** Refuses a comment without a verdict. @throws Problem */
function checkFormat({ format, failAbove }: ComparisonTextOptions): void {
  if (format === 'pull-request' && failAbove === undefined)
    throw new Problem('A comment on a pull request needs a limit', 'Add --fail-above 5%');
}

/**
 * Prints a comparison, and what the gate says of it. Returns the exit status.
 * @param failingCount how many warnings make the run fail, which a comment says
 */
function showComparison(
  report: ComparisonReport,
  options: ComparisonTextOptions,
  failingCount = 0,
): number {
  const judgements = judgeComparisons(report.comparisons, options);
  print(comparisonText(report, judgements, failingCount, options));
  for (const line of gateLines(judgements, report.remedies)) printToStderr(`tracetax: ${line}.`);
  const { stoppedBy, isPaired } = report;
  const status = gateStatus(judgements, stoppedBy === null);
  if (status === EXIT_STATUS.undecided && stoppedBy !== null) {
    const remedy = isPaired ? 'measure again' : 'go on with that run (--resume)';
    printToStderr(`tracetax: a run was not finished (${stoppedBy}): ${remedy}.`);
  }
  return status;
}

function comparisonText(
  report: ComparisonReport,
  judgements: Judgement[],
  failingCount: number,
  { failAbove, format, color }: ComparisonTextOptions,
): string {
  if (format === 'pull-request') {
    // There is one, because there is a limit.
    const judgement = judgements[0] as Judgement;
    return asPullRequestComment({ report, judgement, failingWarnings: failingCount });
  }
  const verdict = gateSentence(judgements, report.stoppedBy === null);
  const answer = [comparisonAnswer(report.comparisons), verdict];
  return sectionsText(comparisonSections(report, failAbove), answer, { format, color });
}

/**
 * Measures a revision and HEAD in pairs, or without a revision several versions of a package.
 * Returns the exit status.
 * @throws Problem before anything is measured
 */
export async function comparePairs(
  revision: string | undefined,
  packages: string[],
  options: ComparePairsOptions,
): Promise<number> {
  checkFormat(options);
  const suite = await interruptible(() => suiteOfAll(revision, packages, options));
  if (options.dryRun) return print(dryRun(await settle(options, suite)));
  const file = writableFile(options.out, suite.name);
  const { plan, world } = await interruptible(() => settle(options, suite));
  const outcome = await run(plan, world, file);
  const analysis = analyse(outcome.result);
  // The gate judges rows without figures.
  const warnings = analysis.warnings.filter(
    ({ kind }) => kind !== 'invalid' || !options.allowMissing,
  );
  const failing = failingWarnings(warnings, options.strict).length;
  const statusOfGate = showComparison(revisionsReport(analysis), options, failing);
  return firstFailure(conclude(outcome, warnings, options.strict), statusOfGate);
}

/**
 * Returns a suite whose rows are the scenarios of HEAD, or of each later version of a package, with
 * what they were before as their baselines.
 */
async function suiteOfAll(
  revision: string | undefined,
  packages: string[],
  options: ComparePairsOptions,
): Promise<Suite> {
  const file = suiteFile(options.suite);
  const revisions =
    revision === undefined
      ? await installEach(packages, file, options.allowSame)
      : await checkOutBoth(revision, file, options.allowSame);
  const { old, others } = revisions;
  const paired = pairRevisions(revisions, options);
  // The requests of all versions of a package are those of the same file.
  const changes = others
    .slice(0, 1)
    .flatMap(({ suite }) => changedRequests(old.suite, select(suite, options)));
  return { ...paired, remarks: [...paired.remarks, ...changes] };
}

/** Returns a remark for each task whose requests have changed: both revisions get the new ones. */
function changedRequests(old: Suite, current: Suite): string[] {
  return current.tasks.flatMap((task) => {
    const before = old.tasks.find(({ name }) => name === task.name);
    if (!before) return [];
    const changes = mismatches('request', requestsSent(before), requestsSent(task));
    return changes.length > 0
      ? `Both got the requests of HEAD for ${task.name}: ${changes.join('; ')}.`
      : [];
  });
}

/** Returns the requests of a task as results have them. */
function requestsSent({ exchanges }: SuiteTask): object[] {
  return requestsOf(exchanges.map(exchangeSummary));
}
