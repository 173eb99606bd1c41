import { type Comparison, directionOf, isAbove, type Limit } from '../analysis/compare.ts';
import { counted, printable } from '../words/text.ts';
import { figureText, signed } from '../words/units.ts';
import { type Cell, CHANGE_UNITS, cellText, intervalCell, type Section } from './cells.ts';

export interface ComparisonReport {
  comparisons: Comparison[];
  /** Why the two should not be compared; empty if they may. */
  differences: string[];
  /** Above which a change is a failure; null if nobody set one. */
  limit: Limit | null;
  /** Whether the change was measured in pairs of old and new, and not as the difference of two costs. */
  isPaired: boolean;
  /** Warnings. */
  remarks: string[];
}

const METHOD =
  'Change is new minus old. Relative is the change as a share of what a whole request took before. ± is a 95 % ' +
  'interval; n.s. means no significant difference.';
const OF_COSTS = 'Cost is scenario minus baseline, per request.';
const OF_PAIRS = 'Cost is what a request takes with each version, measured in pairs of old and new.';

/** The table, and under it what a reader must know. */
export function comparisonSection({ comparisons, differences, limit, isPaired, remarks }: ComparisonReport): Section {
  const table = {
    names: ['Scenario', 'Cost'],
    figures: ['Old', 'New', 'Change', 'Relative', 'Verdict'],
    rows: comparisons.map((each) => [each.title, ...cells(each, limit, isPaired)]),
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
    differences.length > 0 ? 'Not comparable. The change may come from these differences (old / new):' : '',
  ];
  return { tables: [table], paragraphs, list: [...differences, ...remarks] };
}

/**
 * Workflow commands that GitHub Actions shows as annotations: an error for each change above the limit; a warning for
 * what is worse below it, for what was not compared, and for what should not have been.
 */
export function annotations({ comparisons, differences, limit }: ComparisonReport): string[] {
  const ofRows = comparisons.flatMap((each) => {
    const title = `tracetax: ${each.title}`;
    if (!each.cost) return [command('warning', title, `Not compared: ${each.missing}`)];
    const [, , , change = '', relative = '', verdict = ''] = cells(each, limit, true).map(cellText);
    const figures = `${change} per request, ${relative}: ${verdict}`;
    if (limit && isAbove(each, limit)) return [command('error', title, figures)];
    return directionOf(each.cost) === 'worse' ? [command('warning', title, figures)] : [];
  });
  return [...ofRows, ...differences.map((each) => command('warning', 'tracetax: not comparable', each))];
}

/** Which cost, old, new, change, relative, and what is to be made of it. */
function cells(comparison: Comparison, limit: Limit | null, isPaired: boolean): Cell[] {
  const { cost, missing } = comparison;
  const blank: Cell = { missing: 'not measured' };
  if (!cost) return [...new Array<Cell>(5).fill(blank), missing ?? ''];
  const { by, changeUs, relative } = cost;
  const { unit, factor } = CHANGE_UNITS[by];
  const [old, current] = [cost.oldUs * factor, cost.newUs * factor].map((value) =>
    isPaired ? figureText(value, unit) : `${signed(value)} ${unit}`,
  );
  const verdict = directionOf(cost) ?? 'no significant difference';
  const above = limit && isAbove(comparison, limit) ? `, above ${limitText(limit)}` : '';
  return [
    by === 'cpuUs' ? 'Server CPU' : 'Latency',
    ...[old ?? '', current ?? ''],
    intervalCell(by, changeUs),
    intervalCell('relative', relative),
    verdict + above,
  ];
}

export function limitText({ value, unit }: Limit): string {
  return unit === 'us' ? `${value} µs` : `${value} %`;
}

/** Escaped as the runner reads it (actions/toolkit, packages/core/src/command.ts). */
function command(kind: 'warning' | 'error', title: string, message: string): string {
  const escaped = (text: string, those: RegExp) => printable(text).replace(those, encodeURIComponent);
  return `::${kind} title=${escaped(title, /[%\r\n:,]/g)}::${escaped(message, /[%\r\n]/g)}`;
}
