import { type Comparison, isAbove, type Limit } from '../analysis/compare.ts';
import { counted, printable } from '../words/text.ts';
import { asMs, asUs, CHANGE_UNITS, intervalCell, signed } from '../words/units.ts';
import { asMarkdown } from './formats.ts';

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
  'Change is new minus old. Relative is the change as a share of what a whole request took before. ± gives 95 % ' +
  'intervals that hold for all rows at once; ~ means no significant difference.';
const OF_COSTS = 'Cost is scenario minus baseline, per request.';
const OF_PAIRS = 'Cost is what a request takes with each revision, measured in pairs of old and new.';

/** The table in Markdown, and under it what a reader must know. */
export function comparisonReport({ comparisons, differences, limit, isPaired, remarks }: ComparisonReport): string {
  const table = {
    names: ['Test', 'Cost'],
    figures: ['Old', 'New', 'Change', 'Relative', 'Verdict'],
    rows: comparisons.map((each) => [each.title, ...cells(each, limit, isPaired)]),
  };
  const compared = comparisons.filter(({ cost }) => cost);
  const above = compared.filter((each) => limit && isAbove(each, limit)).length;
  const which = `${above} of ${counted(compared.length, 'interval')} ${above === 1 ? 'is' : 'are'}`;
  const paragraphs = [
    compared.length > 0 ? `${isPaired ? OF_PAIRS : OF_COSTS} ${METHOD}` : '',
    limit ? `${which} wholly above ${asText(limit)}.` : '',
    differences.length > 0 ? 'Not comparable. The change may come from these differences (old / new):' : '',
  ];
  return asMarkdown([{ tables: [table], paragraphs, list: [...differences, ...remarks] }]);
}

/**
 * Workflow commands that GitHub Actions shows as annotations: an error for each change above the limit; a warning for
 * what is worse below it, for what was not compared, and for what should not have been.
 */
export function annotations({ comparisons, differences, limit }: ComparisonReport): string[] {
  const ofRows = comparisons.flatMap((each) => {
    const title = `tracetax: ${each.title}`;
    if (!each.cost) return [command('warning', title, `Not compared: ${each.missing}`)];
    const [, , , change, relative, verdict] = cells(each, limit, true);
    const figures = `${change} per request, ${relative}: ${verdict}`;
    if (limit && isAbove(each, limit)) return [command('error', title, figures)];
    return each.cost.verdict === 'worse' ? [command('warning', title, figures)] : [];
  });
  return [...ofRows, ...differences.map((each) => command('warning', 'tracetax: not comparable', each))];
}

function cells(comparison: Comparison, limit: Limit | null, isPaired: boolean): string[] {
  const { cost, missing } = comparison;
  if (!cost) return ['-', '-', '-', '-', '-', missing ?? ''];
  const { by, oldUs, newUs, changeUs, relative } = cost;
  const { unit, factor } = CHANGE_UNITS[by];
  const plain = by === 'cpuUs' ? asUs : asMs;
  const costs = [oldUs, newUs].map((us) => (isPaired ? plain(us) : `${signed(us * factor)} ${unit}`));
  const changes = [intervalCell(by, changeUs), intervalCell('throughput', relative)];
  const verdict = cost.verdict === '~' ? 'no significant difference' : cost.verdict;
  const above = limit && isAbove(comparison, limit) ? `, above ${asText(limit)}` : '';
  return [by === 'cpuUs' ? 'Server CPU' : 'Latency', ...costs, ...changes, verdict + above];
}

function asText({ value, unit }: Limit): string {
  return unit === 'us' ? `${value} µs` : `${value} %`;
}

/** Escaped as the runner reads it (actions/toolkit, packages/core/src/command.ts). */
function command(kind: 'warning' | 'error', title: string, message: string): string {
  const escaped = (text: string, those: RegExp) => printable(text).replace(those, encodeURIComponent);
  return `::${kind} title=${escaped(title, /[%\r\n:,]/g)}::${escaped(message, /[%\r\n]/g)}`;
}
