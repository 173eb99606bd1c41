import { appendFile, mkdir, readFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { type Analysis, analyse } from '../analysis/analysis.ts';
import { compareAnalyses, comparePairs, incomparable, isAbove } from '../analysis/compare.ts';
import { Interruption } from '../machine/interruption.ts';
import type { CompareOptions, ReportOptions, RunOptions } from '../options.ts';
import { replaceBlocks } from '../report/blocks.ts';
import { annotations, type ComparisonReport, comparisonReport } from '../report/comparison.ts';
import { RENDERERS } from '../report/formats.ts';
import { remarks } from '../report/notes.ts';
import { readResult } from '../result/file.ts';
import type { Result } from '../result/schema.ts';
import { type Outcome, run } from '../run.ts';
import { type Plan, plan } from '../settle.ts';
import { chosen } from '../suite/load.ts';
import { orProblem, Problem, problemLine } from '../words/errors.ts';
import { CALLED, complain, drawing, EXIT, print, writeWhole } from '../words/output.ts';
import { counted, shellWords } from '../words/text.ts';
import { dryRun } from './dry-run.ts';

/** Measures a suite and prints the result. Returns the exit status. @throws Problem before anything is measured. */
export async function measure(options: RunOptions): Promise<number> {
  return carryOut(await plan(options), options, (_, analysis) => print(RENDERERS[options.format](analysis)));
}

/** Measures according to plan, and has `show` print it; or says what that would do. Returns the exit status. */
export async function carryOut(
  planned: Plan,
  options: Pick<RunOptions, 'dryRun' | 'out' | 'strict'>,
  show: (outcome: Outcome, analysis: Analysis, file: string) => number | Promise<number>,
): Promise<number> {
  if (options.dryRun) return print(dryRun(planned));
  const outcome = await run(planned, options.out);
  const analysis = analyse(outcome.result);
  const shown = outcome.file ? await show(outcome, analysis, outcome.file) : EXIT.failed;
  return conclude(outcome, analysis, options.strict) || shown;
}

/** Says where the result is and what went wrong. `isStrict`: any warning is a failure. Returns the exit status. */
function conclude({ file, stoppedBy }: Outcome, { verdicts }: Analysis, isStrict: boolean): number {
  if (stoppedBy) complain(`tracetax: ${problemLine(stoppedBy) ?? `${stoppedBy.message}.`}`);
  const name = relative('', file ?? '');
  const seeAll = `${CALLED} report ${shellWords([name])} --format full`;
  complain(file ? `\nThe result is in ${name}. To see all of it: ${seeAll}` : 'Nothing was measured.');
  if (stoppedBy instanceof Interruption) return EXIT[stoppedBy.signal];
  const failing = verdicts.filter(({ kind }) => isStrict || kind === 'invalid');
  if (isStrict && failing.length > 0) complain(`tracetax: --strict: ${counted(failing.length, 'warning')}.`);
  return stoppedBy || failing.length > 0 ? EXIT.failed : EXIT.done;
}

/** Prints a result, or puts it where the options say. Returns the exit status. @throws Problem */
export async function report(file: string, options: ReportOptions): Promise<number> {
  const { format, update, check, html, svg } = options;
  if (check && update === undefined) throw new Problem('--check needs a document', 'Name it with --update');
  if (html !== undefined && !/\.html?$/.test(html))
    throw new Problem(`${html} is not the name of a page`, 'Give --html a name that ends with .html');
  const analysis = analyse(partOf(readResult(file), options.endpoints));
  // What draws is large, so it is loaded only if something is to be drawn.
  if (html !== undefined) {
    const { page } = await drawing(() => import('../report/page.ts'));
    await writeWhole(html, await page(analysis));
    print(`${html}: written`);
  }
  if (svg !== undefined) await writePictures(analysis, svg);
  if (update !== undefined) return updateDocument(update, analysis, RENDERERS[format](analysis), check);
  return html === undefined && svg === undefined ? print(RENDERERS[format](analysis)) : EXIT.done;
}

/** The result of the tasks with these names, or all of it. @throws Problem for a name that it does not have */
export function partOf(result: Result, names: string[] | undefined): Result {
  if (names === undefined) return result;
  const { suite, pairs, startUps, proofs } = result;
  const tasks = chosen(suite.name, 'endpoint', suite.tasks, names);
  const isKept = ({ task }: { task: string }) => tasks.some(({ name }) => name === task);
  return {
    ...result,
    suite: { ...suite, tasks, skipped: suite.skipped.filter((each) => each.tasks.some((task) => isKept({ task }))) },
    pairs: pairs.filter(isKept),
    startUps: startUps.filter(isKept),
    proofs: proofs.filter(({ scenario }) => tasks.some(({ scenarios }) => scenarios.includes(scenario))),
  };
}

/** Puts the report into the document's blocks of its suite; with `isCheck` only says whether they are up to date. */
async function updateDocument(document: string, { suite }: Analysis, text: string, isCheck: boolean): Promise<number> {
  const read = () => readFile(document, 'latin1');
  const before = await orProblem(read, `${document} can't be read`, 'Give a text file with blocks');
  // One character for each byte, so that the rest of a document stays as it is in whatever encoding.
  const after = replaceBlocks(before, suite.name, Buffer.from(text).toString('latin1'));
  if (after === before) return print(`${document}: ${suite.name} is up to date`);
  if (isCheck) return print(`${document}: ${suite.name} is out of date`, EXIT.failed);
  await writeWhole(document, Buffer.from(after, 'latin1'));
  return print(`${document}: ${suite.name} updated`);
}

async function writePictures(analysis: Analysis, folder: string): Promise<void> {
  const { picture } = await drawing(() => import('../report/picture.ts'));
  await orProblem(() => mkdir(folder, { recursive: true }), `${folder} can't be made`, 'Choose another folder');
  for (const theme of ['light', 'dark'] as const) {
    const file = join(folder, `${analysis.suite.name}-${theme}.svg`);
    await writeWhole(file, await picture(analysis, theme));
    print(`${file}: written`);
  }
}

/** Prints what became of each cost. Returns the status: failed if one rose too far or is missing. @throws Problem */
export async function compare(oldFile: string | undefined, newFile: string | undefined, options: CompareOptions) {
  if (oldFile === undefined)
    throw new Problem('There is nothing to compare', 'Name two results, or a revision with --git');
  const read = (file: string) => partOf(readResult(file), options.endpoints);
  if (newFile === undefined) return showRevisions(read(oldFile), options);
  const [old, current] = [analyse(read(oldFile)), analyse(read(newFile))];
  const differences = incomparable(old, current);
  const cause = `These results can't be compared (old / new): ${differences.join('; ')}`;
  if (differences.length > 0 && !options.force) throw new Problem(cause, 'Use --force to compare them anyway');
  const comparisons = compareAnalyses(old, current);
  return showComparison({ comparisons, differences, isPaired: false, remarks: [] }, options);
}

/** Prints what a run with --git measured. Returns the exit status, as `compare` does. @throws Problem for another run. */
export function showRevisions(result: Result, options: CompareOptions): Promise<number> {
  if (result.suite.tasks.some(({ baseline, scenarios }) => scenarios.includes(baseline)))
    throw new Problem('This result is not of two revisions', 'Name a second result to compare it with');
  const analysis = analyse(result);
  const comparisons = comparePairs(analysis);
  // Its rows have no marks.
  const unmarked = remarks(analysis, 'with report --format full').map((remark) => remark.replace(/^† /, ''));
  return showComparison({ comparisons, differences: [], isPaired: true, remarks: unmarked }, options);
}

/** Prints it as the options say. Returns the exit status. */
async function showComparison(comparison: Omit<ComparisonReport, 'limit'>, options: CompareOptions): Promise<number> {
  const { failAbove: limit, allowMissing, format } = options;
  const { comparisons } = comparison;
  const found = { ...comparison, limit: limit ?? null };
  const table = comparisonReport(found);
  const summary = process.env.GITHUB_STEP_SUMMARY;
  if (format === 'github' && summary) {
    const append = () => appendFile(summary, `${table}\n\n`);
    await orProblem(append, "The job's summary can't be written", 'Fix $GITHUB_STEP_SUMMARY');
  } else print(table);
  if (format === 'github') for (const each of annotations(found)) print(each);
  if (!limit) return EXIT.done;
  const missing = allowMissing ? 0 : comparisons.filter(({ cost }) => !cost).length;
  if (missing > 0)
    complain(`tracetax: ${counted(missing, 'row')} could not be compared. Use --allow-missing to accept that.`);
  return missing > 0 || comparisons.some((each) => isAbove(each, limit)) ? EXIT.failed : EXIT.done;
}
