import { analyse } from '../analysis/analysis.ts';
import { compareRuns, incomparable, requestsOf } from '../analysis/compare.ts';
import { interruptible } from '../processes/interruption.ts';
import { type GateOptions, showComparison, showRevisions } from '../report/comparison.ts';
import { remarksOf } from '../report/view.ts';
import { differences as differencesOf } from '../result/differences.ts';
import { readResult } from '../result/file.ts';
import { conclude } from '../run/conclude.ts';
import { run, writableFile } from '../run/run.ts';
import { dryRun } from '../settle/dry-run.ts';
import type { MeasureOptions } from '../settle/options.ts';
import { settle } from '../settle/settle.ts';
import { exchangeSummary } from '../settle/summary.ts';
import { checkOutBoth, installBoth } from '../software/revisions.ts';
import { pairRevisions } from '../suite/pair-revisions.ts';
import { suiteFile } from '../suite/read-suite.ts';
import { select } from '../suite/select.ts';
import type { Suite, SuiteTask } from '../suite/suite-schema.ts';
import { Problem } from '../words/errors.ts';
import { print } from '../words/output.ts';

type CompareOptions = GateOptions & { force: boolean };

/** Prints what became of each cost, or again what a run with --git measured. Returns the exit status. @throws Problem */
export function compare(
  oldFile: string,
  newFile: string | undefined,
  options: CompareOptions,
): number {
  const read = (file: string) => analyse(readResult(file));
  if (newFile === undefined) return showRevisions(read(oldFile), options);
  const [old, current] = [read(oldFile), read(newFile)];
  const differences = incomparable(old, current);
  if (differences.length > 0 && !options.force)
    throw new Problem(
      `These results can't be compared: ${differences.join('; ')}`,
      'Use --force to compare them anyway',
    );
  const [before, after] = [remarksOf(old), remarksOf(current)];
  const remarks = [
    ...before.map((text) => (after.includes(text) ? text : `Old: ${text}`)),
    ...after.filter((text) => !before.includes(text)).map((text) => `New: ${text}`),
  ];
  return showComparison(
    { comparisons: compareRuns(old, current), differences, isPaired: false, remarks },
    options,
  );
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
  const shown = showRevisions(analysis, options);
  // The gate judges rows without figures.
  const warnings = analysis.warnings.filter(
    ({ kind }) => kind !== 'invalid' || !options.allowMissing,
  );
  return conclude(outcome, warnings, options.strict) || shown;
}

/** What has changed of the requests, of which both revisions get the new ones. */
function changedRequests(old: Suite, current: Suite): string[] {
  const sent = ({ exchanges }: SuiteTask) => requestsOf(exchanges.map(exchangeSummary));
  return current.tasks.flatMap((task) => {
    const before = old.tasks.find(({ name }) => name === task.name);
    const found = before ? differencesOf('request', sent(before), sent(task)) : [];
    return found.length > 0
      ? `Both got the requests of HEAD for ${task.name}: ${found.join('; ')}.`
      : [];
  });
}
