import { analyse } from '../analysis/analysis.ts';
import { requestsOf, whyIncomparable } from '../analysis/comparability.ts';
import { compareRuns } from '../analysis/compare.ts';
import { type GateOptions, isPassed, judgeComparisons } from '../analysis/gate.ts';
import { interruptible } from '../processes/interruption.ts';
import {
  type ComparisonReport,
  comparisonSections,
  revisionsReport,
} from '../report/comparison.ts';
import { asMarkdown } from '../report/formats.ts';
import { gateLines } from '../report/verdicts.ts';
import { remarksOf } from '../report/view.ts';
import { readResult } from '../result/file.ts';
import { mismatches } from '../result/mismatches.ts';
import { conclude } from '../run/conclude.ts';
import { run, writableFile } from '../run/run.ts';
import { dryRun } from '../settle/dry-run.ts';
import type { MeasureOptions } from '../settle/options.ts';
import { settle } from '../settle/settle.ts';
import { exchangeSummary } from '../settle/summary.ts';
import { checkOutBoth } from '../software/checkout.ts';
import { installBoth } from '../software/package-versions.ts';
import { pairRevisions } from '../suite/pair-revisions.ts';
import { suiteFile } from '../suite/read-suite.ts';
import { select } from '../suite/select.ts';
import type { Suite, SuiteTask } from '../suite/suite.ts';
import { Problem } from '../words/errors.ts';
import { EXIT_STATUS, print, printToStderr } from '../words/output.ts';

type CompareOptions = GateOptions & { force: boolean };

/** Prints what became of each cost, or again what a run with --git measured. Returns the exit status. @throws Problem */
export function compare(
  oldFile: string,
  newFile: string | undefined,
  options: CompareOptions,
): number {
  const old = analyse(readResult(oldFile));
  if (newFile === undefined) return showComparison(revisionsReport(old), options);
  const current = analyse(readResult(newFile));
  const mismatches = whyIncomparable(old, current);
  if (mismatches.length > 0 && !options.force)
    throw new Problem(
      `These results can't be compared: ${mismatches.join('; ')}`,
      'Use --force to compare them anyway',
    );
  const report = {
    comparisons: compareRuns(old, current),
    mismatches,
    isPaired: false,
    remarks: remarksOfBoth(remarksOf(old), remarksOf(current)),
  };
  return showComparison(report, options);
}

/** Returns the remarks of two runs: what only one of them says is marked as its own. */
function remarksOfBoth(old: string[], current: string[]): string[] {
  const inOld = old.map((text) => (current.includes(text) ? text : `Old: ${text}`));
  const onlyInNew = current.filter((text) => !old.includes(text)).map((text) => `New: ${text}`);
  return [...inOld, ...onlyInNew];
}

/** Prints a comparison, and what the gate says of it. Returns the exit status. */
function showComparison(report: ComparisonReport, options: GateOptions): number {
  const judgements = judgeComparisons(report.comparisons, options);
  print(asMarkdown(comparisonSections(report, options.failAbove)));
  for (const line of gateLines(judgements, '--allow-missing')) printToStderr(`tracetax: ${line}.`);
  return isPassed(judgements) ? EXIT_STATUS.success : EXIT_STATUS.failure;
}

/** Measures a revision and HEAD in pairs, or two versions of a package. Returns the exit status. @throws Problem */
export async function comparePairs(
  revision: string | undefined,
  packages: string[],
  options: MeasureOptions & GateOptions,
): Promise<number> {
  const suite = await interruptible(async () => {
    const file = suiteFile(options.suite);
    const both = await (revision === undefined
      ? installBoth(packages, file)
      : checkOutBoth(revision, file));
    const changed = changedRequests(both.old.suite, select(both.current.suite, options));
    const paired = pairRevisions(both.old, both.current, options);
    return { ...paired, remarks: [...paired.remarks, ...changed] };
  });
  if (options.dryRun) return print(dryRun(await settle(options, suite)));
  const file = writableFile(options.out, suite.name);
  const { plan, world } = await interruptible(() => settle(options, suite));
  const outcome = await run(plan, world, file);
  const analysis = analyse(outcome.result);
  const status = showComparison(revisionsReport(analysis), options);
  // The gate judges rows without figures.
  const warnings = analysis.warnings.filter(
    ({ kind }) => kind !== 'invalid' || !options.allowMissing,
  );
  return conclude(outcome, warnings, options.strict) || status;
}

/** What has changed of the requests, of which both revisions get the new ones. */
function changedRequests(old: Suite, current: Suite): string[] {
  const sent = ({ exchanges }: SuiteTask) => requestsOf(exchanges.map(exchangeSummary));
  return current.tasks.flatMap((task) => {
    const before = old.tasks.find(({ name }) => name === task.name);
    const found = before ? mismatches('request', sent(before), sent(task)) : [];
    return found.length > 0
      ? `Both got the requests of HEAD for ${task.name}: ${found.join('; ')}.`
      : [];
  });
}
