import { limitText } from '../analysis/aims.ts';
import type { Run } from '../analysis/analysis.ts';
import { type Comparison, costsOf, directionOf } from '../analysis/compare.ts';
import { type Verdict, verdictOf } from '../analysis/gate.ts';
import { isOfRevisions } from '../analysis/rows.ts';
import type { Limit } from '../result/schema.ts';
import { Problem } from '../words/errors.ts';
import { counted } from '../words/text.ts';
import { asUs, signed } from '../words/units.ts';
import { intervalText, NOT_MEASURED, PERCENT, type Section, US } from './cells.ts';
import { remarksOf } from './view.ts';

/** What is printed of two runs, or of one that compares two revisions. */
export interface ComparisonReport {
  comparisons: Comparison[];
  /** Why the two should not be compared; empty if they may. */
  mismatches: string[];
  /**
   * Whether the change was measured in pairs of old and new, and not as the difference of two
   * costs.
   */
  isPaired: boolean;
  /** Warnings. */
  remarks: string[];
}

const METHOD =
  'Change is new minus old. Relative is the change as a share of what a whole request took ' +
  'before. ± is a 95 % interval; n.s. means no significant difference.';
const OF_COSTS = 'Old and New are server CPU per request, scenario minus baseline.';
const OF_PAIRS = 'Old and New are server CPU per request, measured in pairs of both.';

/** Returns the report of a run that compares two revisions. @throws Problem for another run. */
export function revisionsReport(run: Run): ComparisonReport {
  if (!isOfRevisions(run.header.suite))
    throw new Problem(
      'This result is not of two revisions',
      'Name a second result to compare it with',
    );
  return {
    comparisons: costsOf(run),
    mismatches: [],
    isPaired: true,
    remarks: remarksOf(run),
  };
}

/** Returns the table, and under it what a reader must know: with a limit, how each row stands to it. */
export function comparisonSections(report: ComparisonReport, limit?: Limit): Section[] {
  const { comparisons, mismatches, isPaired, remarks } = report;
  const compared = comparisons.filter(({ cost }) => cost !== null).length;
  const paragraphs = [
    compared > 0 ? `${isPaired ? OF_PAIRS : OF_COSTS} ${METHOD}` : '',
    limit ? limitSentence(comparisons, limit) : '',
    mismatches.length > 0 ? 'Not comparable. The change may come from these differences:' : '',
  ];
  const table = {
    names: ['Scenario'],
    figures: ['Old', 'New', 'Change', 'Relative', 'Verdict'],
    rows: comparisons.map((each) => cellsOf(each, isPaired, limit)),
  };
  return [{ tables: [table], paragraphs, list: mismatches }, { list: remarks }];
}

function cellsOf(comparison: Comparison, isPaired: boolean, limit: Limit | undefined): string[] {
  const { title, cost, missing } = comparison;
  if (cost === null) return [title, ...Array<string>(4).fill(NOT_MEASURED), missing];
  const inUs = (us: number) => (isPaired ? asUs(us) : `${signed(us)} µs`);
  const direction = directionOf(cost) ?? 'no significant difference';
  return [
    title,
    inUs(cost.oldUs),
    inUs(cost.newUs),
    intervalText(US, cost.changeUs),
    intervalText(PERCENT, cost.relative),
    limit ? direction + besideLimitText(comparison, limit) : direction,
  ];
}

/** Returns how many rows exceed the limit, and how many may, of those that were compared. */
function limitSentence(comparisons: Comparison[], limit: Limit): string {
  const kinds = comparisons.map((each) => verdictOf(each, limit).kind);
  const count = (wanted: Verdict['kind']) => kinds.filter((kind) => kind === wanted).length;
  const compared = comparisons.filter(({ cost }) => cost !== null).length;
  const undecided = count('undecided');
  const above = `Wholly above ${limitText(limit, 'cpuUs')}: ${count('exceeds')}`;
  const rest = undecided > 0 ? `; not decided: ${undecided}` : '';
  return `${above} of ${counted(compared, 'interval')}${rest}.`;
}

/** Returns what the limit makes of a row, after a comma; empty if the row passes. */
function besideLimitText(comparison: Comparison, limit: Limit): string {
  const { kind } = verdictOf(comparison, limit);
  const text = limitText(limit, 'cpuUs');
  if (kind === 'exceeds') return `, above ${text}`;
  return kind === 'undecided' ? `, perhaps above ${text}` : '';
}
