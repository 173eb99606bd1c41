import type { Run } from '../analysis/analysis.ts';
import { type Comparison, costsOf, directionOf, isAbove, type Limit } from '../analysis/compare.ts';
import { isOfRevisions } from '../analysis/rows.ts';
import { Problem } from '../words/errors.ts';
import { complain, EXIT, print } from '../words/output.ts';
import { counted } from '../words/text.ts';
import { asUs, signed } from '../words/units.ts';
import { intervalText, MS, NOT_MEASURED, PERCENT, type Scale, type Section, US } from './cells.ts';
import { asMarkdown } from './formats.ts';
import { remarksOf } from './view.ts';

interface ComparisonReport {
  comparisons: Comparison[];
  /** Why the two should not be compared; empty if they may. */
  differences: string[];
  /** Whether the change was measured in pairs of old and new, and not as the difference of two costs. */
  isPaired: boolean;
  /** Warnings. */
  remarks: string[];
}

const METHOD =
  'Change is new minus old. Relative is the change as a share of what a whole request took before. ± is a 95 % ' +
  'interval; n.s. means no significant difference.';
const OF_COSTS = 'Old and New are server CPU per request, scenario minus baseline.';
const OF_PAIRS = 'Old and New are server CPU per request, measured in pairs of both.';

/** The table, and under it what a reader must know. A change above the limit is a failure. */
export function comparisonSections(report: ComparisonReport, limit?: Limit): Section[] {
  const { comparisons, differences, isPaired, remarks } = report;
  const inUs = (us: number) => (isPaired ? asUs(us) : `${signed(us)} µs`);
  const tooMuch = limit ? above(limit) : '';
  const isOver = (each: Comparison) => limit !== undefined && isAbove(each, limit);
  const rows = comparisons.map((each) => {
    const { title, cost, missing } = each;
    if (!cost) return [title, ...new Array<string>(4).fill(NOT_MEASURED), missing];
    const changes = [intervalText(US, cost.changeUs), intervalText(PERCENT, cost.relative)];
    const verdict =
      (directionOf(cost) ?? 'no significant difference') + (isOver(each) ? `, ${tooMuch}` : '');
    return [title, inUs(cost.oldUs), inUs(cost.newUs), ...changes, verdict];
  });
  const compared = comparisons.filter(({ cost }) => cost).length;
  const over = `${comparisons.filter(isOver).length} of ${counted(compared, 'interval')}`;
  const paragraphs = [
    compared > 0 ? `${isPaired ? OF_PAIRS : OF_COSTS} ${METHOD}` : '',
    limit ? `Wholly ${tooMuch}: ${over}.` : '',
    differences.length > 0 ? 'Not comparable. The change may come from these differences:' : '',
  ];
  const table = {
    names: ['Scenario'],
    figures: ['Old', 'New', 'Change', 'Relative', 'Verdict'],
    rows,
  };
  return [{ tables: [table], paragraphs, list: differences }, { list: remarks }];
}

function above({ value, unit }: Limit, [name, size] = US): string {
  return unit === 'us' ? `above ${value / size} ${name}` : `above ${value} %`;
}

/** Above what a change is a failure, and whether rows that could not be compared are none. */
export type GateOptions = { failAbove?: Limit; allowMissing: boolean };

/** Prints what a run of two revisions measured. Returns the exit status, as the gate does. @throws Problem for another run. */
export function showRevisions(run: Run, options: GateOptions): number {
  if (!isOfRevisions(run.header.suite))
    throw new Problem(
      'This result is not of two revisions',
      'Name a second result to compare it with',
    );
  const report = {
    comparisons: costsOf(run),
    differences: [],
    isPaired: true,
    remarks: remarksOf(run),
  };
  return showComparison(report, options);
}

/** Prints a comparison. Returns the exit status: failed if a cost rose too far, or can't be compared. */
export function showComparison(
  report: ComparisonReport,
  { failAbove: limit, allowMissing }: GateOptions,
): number {
  print(asMarkdown(comparisonSections(report, limit)));
  if (!limit) return EXIT.done;
  const judged = report.comparisons.filter(({ cost }) => cost || !allowMissing);
  const remedy = judged.some(({ cost }) => cost) ? '; --allow-missing accepts that' : '';
  return fail(linesOf(judged, limit, 'CPU per request', US, remedy));
}

/** What no row may cost more than the baseline: CPU per request; and at a steady rate, µs of the 99th percentile. */
export type RunLimits = { failAbove?: Limit; failAboveP99?: number };

/** Says which rows of a run exceed a limit, or can't be judged. Returns the exit status. */
export function judge(run: Run, { failAbove, failAboveP99 }: RunLimits): number {
  const ofCpu = failAbove ? linesOf(costsOf(run), failAbove, 'CPU per request', US) : [];
  if (failAboveP99 === undefined) return fail(ofCpu);
  const limit = { value: failAboveP99, unit: 'us' } as const;
  return fail([...ofCpu, ...linesOf(costsOf(run, 'p99Us'), limit, 'p99', MS)]);
}

/** One for each row that adds more than the limit, or that can't be judged. */
function linesOf(
  rows: Comparison[],
  limit: Limit,
  what: string,
  scale: Scale,
  remedy = '',
): string[] {
  if (rows.length === 0) return ['Nothing was measured that could be judged'];
  return rows.flatMap((row) => {
    const { title, cost, missing } = row;
    if (!cost) return `${title} could not be judged: ${missing}${remedy}`;
    const added = `${intervalText(scale, cost.changeUs)} (${intervalText(PERCENT, cost.relative)})`;
    return isAbove(row, limit) ? `${title} adds ${added} to ${what}, ${above(limit, scale)}` : [];
  });
}

/** Each once: what one limit can't judge, the other can't judge either. */
function fail(lines: string[]): number {
  for (const line of new Set(lines)) complain(`tracetax: ${line}.`);
  return lines.length > 0 ? EXIT.failed : EXIT.done;
}
