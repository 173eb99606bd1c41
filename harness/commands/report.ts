import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { analyse, type Run } from '../analysis/analysis.ts';
import { betweenRows, tasksWithBoth } from '../analysis/between.ts';
import { historyOf, obstacleOf } from '../analysis/history.ts';
import { serversOf, type TaskAnalysis } from '../analysis/rows.ts';
import type { Warning } from '../analysis/warnings/list.ts';
import { betweenSections } from '../report/between-answer.ts';
import { warningText } from '../report/brief-warnings.ts';
import { replaceBlocks } from '../report/document-blocks.ts';
import { documentText, runText, sectionsText, type TextOptions } from '../report/formats/list.ts';
import { historyPage } from '../report/history/page.ts';
import { historyText } from '../report/history/text.ts';
import { page } from '../report/page.ts';
import { picture } from '../report/picture/picture.ts';
import { readResult } from '../result/file.ts';
import { orProblem, Problem } from '../words/errors.ts';
import { writeFileAtomically } from '../words/files.ts';
import { EXIT_STATUS, print } from '../words/output.ts';

/**
 * The command `report`: it prints a result again, or writes it into documents, pages and pictures;
 * of several results it shows what changed.
 */

export interface ReportOptions extends TextOptions {
  /** A document with blocks for the report. */
  update?: string;
  /** Whether the document is only compared with the report. */
  check: boolean;
  /** The page that is written. */
  html?: string;
  /** The folder that pictures are written to. */
  svg?: string;
  /** Two scenarios: is the first dearer than the second? */
  between?: string[];
  /** Only in these tasks; else in all that have both. */
  tasks?: string[];
}

/** What `report` does with several results. */
export type HistoryOptions = Pick<ReportOptions, 'format' | 'color' | 'html'>;

/**
 * Prints what changed from one result of a suite to the next, or writes it as a page. Returns the
 * exit status. @throws Problem
 */
export async function reportHistory(files: string[], options: HistoryOptions): Promise<number> {
  if (options.html !== undefined) checkPageName(options.html);
  const runs = files.map((file) => analyse(readResult(file)));
  checkRuns(runs);
  const history = historyOf(runs);
  if (options.html === undefined) return print(historyText(history, options));
  await writeAndTell(options.html, historyPage(history));
  return EXIT_STATUS.success;
}

/** Refuses results that are not those of one suite on several days. @throws Problem */
function checkRuns(runs: readonly Run[]): void {
  const obstacle = obstacleOf(runs);
  switch (obstacle?.kind) {
    case undefined:
      return;
    case 'other-suite':
      throw new Problem(
        `These are results of different suites: ${obstacle.suites.join(', ')}`,
        'Give results of one suite',
      );
    case 'revisions':
      throw new Problem(
        'A result that compares two revisions has a baseline of its own',
        'Give results of runs without --git and --package, or print each with compare FILE',
      );
    case 'same-result':
      throw new Problem(
        `Two of these files hold the result of ${obstacle.startedAt}`,
        'Name each result once',
      );
  }
}

/** Prints a result, or puts it where the options say. Returns the exit status. @throws Problem */
export async function report(file: string, options: ReportOptions): Promise<number> {
  const { update, check, html, svg, between, tasks } = options;
  if (html !== undefined) checkPageName(html);
  const run = analyse(readResult(file));
  if (between !== undefined) return showBetween(run, between, tasks, options);
  if (html !== undefined) await writeAndTell(html, page(run));
  if (svg !== undefined) await writePictures(svg, run);
  if (update !== undefined)
    return updateDocument(update, run.header.suite.name, documentText(run, options), check);
  const isWritten = html !== undefined || svg !== undefined;
  return isWritten ? EXIT_STATUS.success : print(runText(run, options));
}

/** Prints whether the first of two scenarios is dearer than the second. @throws Problem */
function showBetween(
  run: Run,
  scenarios: readonly string[],
  tasks: readonly string[] | undefined,
  options: TextOptions,
): number {
  const [first = '', second = ''] = scenarios;
  checkScenarios(run, scenarios);
  const chosen = chosenTasks(run, tasks);
  const answers = betweenRows(tasksWithBoth(chosen, first, second), first, second);
  if (answers.length === 0)
    throw new Problem(
      `No task has both ${first} and ${second}`,
      `Name two scenarios of one task: ${chosen.map(scenariosText).join('; ')}`,
    );
  const warnings = warningsOfThem(run, chosen, scenarios);
  const sections = [...betweenSections(answers), { warnings: warnings.map(warningText) }];
  return print(sectionsText(sections, [], options));
}

/**
 * Returns what speaks against a comparison of these scenarios in these tasks. How well their
 * difference is known, its answer says; that other rows are not, changes nothing.
 */
function warningsOfThem(
  { warnings }: Run,
  tasks: readonly TaskAnalysis[],
  scenarios: readonly string[],
): Warning[] {
  const names = tasks.map(({ name }) => name);
  return warnings.filter(({ kind, task, scenario }) =>
    scenario === null
      ? kind !== 'imprecise'
      : scenarios.includes(scenario) && names.includes(task ?? ''),
  );
}

/** Refuses what are not two scenarios of the run. @throws Problem */
function checkScenarios({ tasks }: Run, scenarios: readonly string[]): void {
  const known = new Set(tasks.flatMap(serversOf).map(({ scenario }) => scenario));
  const remedy = `Name two of ${[...known].join(', ')}`;
  const unknown = scenarios.find((name) => !known.has(name));
  if (unknown !== undefined) throw new Problem(`This result has no scenario "${unknown}"`, remedy);
  if (new Set(scenarios).size !== 2 || scenarios.length !== 2)
    throw new Problem('--between compares two scenarios', remedy);
}

/** Returns the tasks of these names, or all. @throws Problem */
function chosenTasks({ tasks }: Run, names: readonly string[] | undefined): TaskAnalysis[] {
  if (names === undefined) return tasks;
  const known = tasks.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new Problem(`This result has no task "${unknown}"`, `Name some of ${known.join(', ')}`);
  return tasks.filter(({ name }) => names.includes(name));
}

/** Returns the scenarios of a task, as `--between` takes them. */
function scenariosText(task: TaskAnalysis): string {
  const names = serversOf(task).map(({ scenario }) => scenario);
  return `${task.name} has ${names.join(', ')}`;
}

/** Refuses a name that may be that of a result. @throws Problem */
function checkPageName(name: string): void {
  if (!/\.html?$/.test(name))
    throw new Problem(
      `${name} is not the name of a page`,
      'Give --html a name that ends with .html',
    );
}

async function writePictures(folder: string, run: Run): Promise<void> {
  await orProblem(
    () => mkdir(folder, { recursive: true }),
    `${folder} can't be made`,
    'Choose another folder',
  );
  for (const theme of ['light', 'dark'] as const) {
    const file = join(folder, `${run.header.suite.name}-${theme}.svg`);
    await writeAndTell(file, picture(run, theme));
  }
}

async function writeAndTell(file: string, content: string): Promise<void> {
  await writeFileAtomically(file, content);
  print(`${file}: written`);
}

/**
 * Puts the report of a suite into the document's blocks of its name; or only says whether they are
 * up to date. Returns the exit status: for a check of a document that is not, a failure.
 */
async function updateDocument(
  document: string,
  suiteName: string,
  text: string,
  isCheckOnly: boolean,
): Promise<number> {
  const read = () => readFile(document, 'latin1');
  const before = await orProblem(read, `${document} can't be read`, 'Give a text file with blocks');
  // One character for each byte, so that the rest of a document stays as it is in whatever
  // encoding.
  const after = replaceBlocks(before, suiteName, Buffer.from(text).toString('latin1'));
  if (after === before) return print(`${document}: ${suiteName} is up to date`);
  if (isCheckOnly) return print(`${document}: ${suiteName} is out of date`, EXIT_STATUS.failure);
  await writeFileAtomically(document, Buffer.from(after, 'latin1'));
  return print(`${document}: ${suiteName} updated`);
}
