import type { Run } from '../analysis/analysis.ts';
import { type Comparison, costsOf, directionOf, isAbove, type Limit, weakness } from '../analysis/compare.ts';
import { isOfRevisions } from '../analysis/rows.ts';
import { Problem } from '../words/errors.ts';
import { complain, EXIT, print } from '../words/output.ts';
import { counted } from '../words/text.ts';
import { asMs, asUs, signed } from '../words/units.ts';
import { intervalText, MS, NOT_MEASURED, PERCENT, type Section, US } from './cells.ts';
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
  const table = {
    names: ['Scenario'],
    figures: ['Old', 'New', 'Change', 'Relative', 'Verdict'],
    rows: comparisons.map((each) => [each.title, ...cells(each, isPaired, limit)]),
  };
  const compared = comparisons.filter(({ cost }) => cost);
  const above = compared.filter((each) => limit && isAbove(each, limit)).length;
  const which =
    above === 0
      ? 'No interval lies'
      : `${above} of ${counted(compared.length, 'interval')} ${above === 1 ? 'lies' : 'lie'}`;
  const paragraphs = [
    compared.length > 0 ? `${isPaired ? OF_PAIRS : OF_COSTS} ${METHOD}` : '',
    limit ? `${which} wholly above ${limitText(limit)}.` : '',
    differences.length > 0 ? 'Not comparable. The change may come from these differences:' : '',
  ];
  return [{ tables: [table], paragraphs, list: differences }, { list: remarks }];
}

/** Old, new, change, relative, and what is to be made of it. */
function cells(comparison: Comparison, isPaired: boolean, limit?: Limit): string[] {
  const { cost, missing } = comparison;
  if (!cost) return [...new Array<string>(4).fill(NOT_MEASURED), missing ?? ''];
  const inUs = (us: number) => (isPaired ? asUs(us) : `${signed(us)} µs`);
  const verdict = directionOf(cost) ?? 'no significant difference';
  const above = limit && isAbove(comparison, limit) ? `, above ${limitText(limit)}` : '';
  return [
    ...[inUs(cost.oldUs), inUs(cost.newUs)],
    intervalText(US, cost.changeUs),
    intervalText(PERCENT, cost.relative),
    verdict + above,
  ];
}

function limitText({ value, unit }: Limit): string {
  return unit === 'us' ? `${value} µs` : `${value} %`;
}

/** Above what a change is a failure, and whether rows that could not be compared are none. */
export type GateOptions = { failAbove?: Limit; allowMissing: boolean };

/** Prints what a run of two revisions measured. Returns the exit status, as the gate does. @throws Problem for another run. */
export function showRevisions(run: Run, options: GateOptions): number {
  if (!isOfRevisions(run.header.suite))
    throw new Problem('This result is not of two revisions', 'Name a second result to compare it with');
  const report = { comparisons: costsOf(run, true), differences: [], isPaired: true, remarks: remarksOf(run) };
  return showComparison(report, options);
}

/** Prints a comparison. Returns the exit status: failed if a cost rose too far, or can't be compared. */
export function showComparison(report: ComparisonReport, { failAbove: limit, allowMissing }: GateOptions): number {
  const { comparisons } = report;
  print(asMarkdown(comparisonSections(report, limit)));
  if (!limit) return EXIT.done;
  const isEmpty = comparisons.every(({ cost }) => !cost);
  const missing = comparisons.filter(({ cost }) => !cost).length;
  const isMissing = isEmpty || (missing > 0 && !allowMissing);
  const remedy = isEmpty ? 'Nothing was.' : 'Use --allow-missing to accept that.';
  if (isMissing) complain(`tracetax: ${counted(missing, 'row')} could not be compared. ${remedy}`);
  return isMissing || comparisons.some((each) => isAbove(each, limit)) ? EXIT.failed : EXIT.done;
}

/** What no row may cost more than the baseline: CPU per request; and at a steady rate, µs of the 99th percentile. */
export type RunLimits = { failAbove?: Limit; failAboveP99?: number };

/** Says which rows of a run exceed a limit, or can't be judged: a line for each. Returns the exit status. */
export function judge(run: Run, limits: RunLimits): number {
  // What one limit can't judge, the other can't judge either.
  const lines = [...new Set(faultsOf(run, limits))];
  for (const line of lines) complain(`tracetax: ${line}.`);
  return lines.length > 0 ? EXIT.failed : EXIT.done;
}

function* faultsOf(run: Run, { failAbove, failAboveP99 }: RunLimits) {
  const isAsked = failAbove !== undefined || failAboveP99 !== undefined;
  if (isAsked && run.tasks.every(({ rows }) => rows.length === 0))
    yield 'No scenario was measured that could be judged';
  for (const each of failAbove ? costsOf(run) : []) {
    const { title, cost, missing } = each;
    if (!cost) yield `${title} could not be judged: ${missing}`;
    else if (failAbove && isAbove(each, failAbove)) {
      const [costs, part] = [intervalText(US, cost.changeUs), intervalText(PERCENT, cost.relative)];
      yield `${title} costs ${costs} CPU per request (${part}), above ${limitText(failAbove)}`;
    }
  }
  if (failAboveP99 === undefined) return;
  for (const row of run.tasks.flatMap(({ rows }) => rows)) {
    const added = row.change.p99Us?.estimate;
    const missing = weakness(row, 'this') ?? (added ? null : 'its p99 is not known');
    if (missing !== null) yield `${row.label} could not be judged: ${missing}`;
    else if (added && added.low > failAboveP99)
      yield `${row.label} adds ${intervalText(MS, added)} to p99, above ${asMs(failAboveP99)}`;
  }
  for (const { scenario, fault } of run.header.suite.skipped) yield `${scenario} could not be judged: ${fault.what}`;
}
