import { limitText } from '../analysis/aims.ts';
import type { Run } from '../analysis/analysis.ts';
import { type Comparison, compareRuns } from '../analysis/compare.ts';
import { directionOf } from '../analysis/direction.ts';
import { isUndecided, verdictOf } from '../analysis/gate.ts';
import { judgedCostsOf, referenceCostsOf } from '../analysis/row-costs.ts';
import { isOfRevisions, isReference } from '../analysis/rows.ts';
import type { Limit } from '../result/schema.ts';
import { stoppedByOf } from '../result/stopped-by.ts';
import { Problem } from '../words/errors.ts';
import { SAME_REMARK } from '../words/same.ts';
import { counted } from '../words/text.ts';
import { asUs, signed } from '../words/units.ts';
import {
  type Cell,
  type FigureColumn,
  intervalCell,
  intervalNote,
  NOT_MEASURED,
  PERCENT,
  plain,
  type Section,
  type Table,
  US,
} from './cells.ts';
import { type GateRemedies, OUT_OF_TIME } from './gate-text.ts';
import { type SureWords, verdictCell } from './verdict.ts';
import { type Remarks, remarksOf } from './view.ts';

/** What is printed of two runs, or of one that compares two revisions. */
export interface ComparisonReport {
  comparisons: Comparison[];
  /** What stands below them without a verdict, because it is no revision. */
  references: Comparison[];
  /** Why the two should not be compared; empty if they may. */
  differences: string[];
  /**
   * Whether the change was measured in pairs of old and new, and not as the difference of two
   * costs.
   */
  isPaired: boolean;
  /** What Old is, if rows say no more than what New is; empty for others. */
  oldTitles: string[];
  /** What is compared with what, as the user calls it. */
  revisions: Revisions;
  /** Why it was not measured to its end; null if it was. */
  stoppedBy: string | null;
  remarks: Remarks;
  /** What to do about rows that do not pass a gate. */
  remedies: GateRemedies;
}

/** What two revisions, versions or results are called. */
export interface Revisions {
  old: string;
  current: string;
}

const COLUMNS: FigureColumn[] = [
  { heading: 'Old', isEssential: false },
  { heading: 'New', isEssential: false },
  { heading: 'Change', isEssential: true },
  { heading: 'Relative', isEssential: true },
  { heading: 'Verdict', isEssential: true },
];

const WORDS: SureWords = { worse: 'worse', better: 'better' };

/** What to do about a row that can't be compared. */
export const ACCEPT_MISSING = '--allow-missing accepts that';

const METHOD = 'Relative is the change as a share of what a whole request took before.';
const OF_COSTS =
  'Old and New are server CPU per request, scenario minus baseline, each as its run measured it. ' +
  "Change is at the old run's speed; its ± covers costs that follow the speed, and costs that don't.";
const OF_PAIRS =
  'Old and New are server CPU per request, measured in pairs of both. Change is new minus old.';

/** Returns the report of a run that compares two revisions. @throws Problem for another run. */
export function revisionsReport(run: Run): ComparisonReport {
  if (!isOfRevisions(run.header.suite))
    throw new Problem(
      'This result is not of two revisions',
      'Name a second result to compare it with',
    );
  return {
    comparisons: judgedCostsOf(run),
    references: referenceCostsOf(run),
    differences: [],
    isPaired: true,
    oldTitles: oldTitlesOf(run),
    revisions: revisionsOf(run),
    stoppedBy: stoppedByOf(run.header),
    remarks: remarksOf(run),
    remedies: {
      notJudged: ACCEPT_MISSING,
      ...(run.header.endReason === 'time' && OUT_OF_TIME),
    },
  };
}

/** What is known of two results before they are compared. */
interface TwoResults {
  /** What the user calls them. */
  files: Revisions;
  /** Whether they hold the same. */
  isSame: boolean;
  /** Why they should not be compared; empty if they may. */
  differences: string[];
}

/** Returns the report of two results, one of which is of a later hour. */
export function runsReport(
  old: Run,
  current: Run,
  { files, isSame, differences }: TwoResults,
): ComparisonReport {
  return {
    comparisons: compareRuns(old, current),
    references: [],
    differences,
    isPaired: false,
    oldTitles: [],
    revisions: files,
    stoppedBy: stoppedByOf(current.header) ?? stoppedByOf(old.header),
    remarks: remarksOfBoth(remarksOf(old), remarksOf(current), isSame),
    remedies: {
      notJudged: ACCEPT_MISSING,
      // Two hours differ by more than pairs mend.
      undecided: 'measure both in one run (compare --git, or --package)',
    },
  };
}

/** Returns the remarks of two runs: what only one of them says is marked as its own. */
function remarksOfBoth(old: Remarks, current: Remarks, isSame: boolean): Remarks {
  return {
    list: textsOfBoth(old.list, current.list),
    warnings: [...(isSame ? [SAME_REMARK] : []), ...textsOfBoth(old.warnings, current.warnings)],
  };
}

function textsOfBoth(old: string[], current: string[]): string[] {
  const inOld = old.map((text) => (current.includes(text) ? text : `Old: ${text}`));
  const onlyInNew = current.filter((text) => !old.includes(text)).map((text) => `New: ${text}`);
  return [...inOld, ...onlyInNew];
}

/** Of several revisions, each row is named after one that is not the old one. */
function oldTitlesOf({ tasks }: Run): string[] {
  const several = tasks.filter(({ rows }) => rows.length > 1);
  return [...new Set(several.map(({ baseline }) => baseline.title))];
}

/**
 * Returns what the baselines of all rows are called, and the rows: there may be several versions.
 */
function revisionsOf({ tasks, header }: Run): Revisions {
  const namesOf = (titles: string[]) => [...new Set(titles)].join(', ');
  const revised = tasks.flatMap(({ rows }) => rows).filter((row) => !isReference(header, row));
  return {
    old: namesOf(tasks.map(({ baseline }) => baseline.title)),
    current: namesOf(revised.map(({ title }) => title)),
  };
}

/**
 * Returns the table, and under it what a reader must know: with a limit, how each row stands to it.
 */
export function comparisonSections(report: ComparisonReport, limit?: Limit): Section[] {
  const { comparisons, references, differences, isPaired, oldTitles, remarks } = report;
  const compared = comparisons.filter(({ cost }) => cost !== null).length;
  const table = {
    names: ['Scenario'],
    figures: COLUMNS,
    rows: [
      ...comparisons.map((each) => cellsOf(each, isPaired, limit)),
      ...references.map((each) => withoutVerdict(cellsOf(each, isPaired, undefined))),
    ],
  };
  const paragraphs = [
    oldTitles.length > 0 ? `Old is ${oldTitles.join(', ')}.` : '',
    compared > 0 ? comparisonCaption(table, isPaired) : '',
    limit ? limitSentence(comparisons, limit) : '',
    differences.length > 0 ? 'Not comparable. The change may come from these differences:' : '',
  ];
  return [{ tables: [table], paragraphs, list: differences }, remarks];
}

function comparisonCaption(table: Table, isPaired: boolean): string {
  const figures = isPaired ? OF_PAIRS : OF_COSTS;
  return `${figures} ${METHOD} ${intervalNote([table], 'what a request took before')}`;
}

function cellsOf(comparison: Comparison, isPaired: boolean, limit: Limit | undefined): Cell[] {
  const { title, cost, missing } = comparison;
  if (cost === null)
    return [
      plain(title),
      ...Array<Cell>(4).fill(plain(NOT_MEASURED)),
      { text: missing, tone: 'invalid' },
    ];
  const inUs = (us: number) => plain(isPaired ? asUs(us) : `${signed(us)} µs`);
  const { text, tone } = verdictCell(directionOf(cost), cost, WORDS);
  return [
    plain(title),
    inUs(cost.oldUs),
    inUs(cost.newUs),
    intervalCell(US, cost.changeUs, cost.totalUs),
    intervalCell(PERCENT, cost.relative, 1),
    { text: limit ? text + besideLimitText(comparison, limit) : text, tone },
  ];
}

/** What is missing is still told. */
function withoutVerdict(cells: Cell[]): Cell[] {
  const isMissing = cells.at(-1)?.tone === 'invalid';
  return isMissing ? cells : [...cells.slice(0, -1), plain(NOT_MEASURED)];
}

/** Returns how many rows exceed the limit, and how many may, of those that were compared. */
function limitSentence(comparisons: Comparison[], limit: Limit): string {
  const compared = comparisons.filter(({ cost }) => cost !== null);
  const verdicts = compared.map((each) => verdictOf(each, limit));
  const exceeding = verdicts.filter(({ kind }) => kind === 'exceeds').length;
  const undecided = verdicts.filter(isUndecided).length;
  const above = `Surely above ${limitText(limit, 'cpuUs')}: ${exceeding}`;
  const rest = undecided > 0 ? `; not decided: ${undecided}` : '';
  return `${above} of ${counted(compared.length, 'row')}${rest}.`;
}

/** Returns what the limit makes of a row, after a comma; empty if the row passes. */
function besideLimitText(comparison: Comparison, limit: Limit): string {
  const verdict = verdictOf(comparison, limit);
  const text = limitText(limit, 'cpuUs');
  if (verdict.kind === 'exceeds') return `, above ${text}`;
  return isUndecided(verdict) ? `, perhaps above ${text}` : '';
}
