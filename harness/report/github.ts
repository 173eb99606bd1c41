import { isAbove } from '../stats/compare.ts';
import { asLimit, type ComparisonReport, change, label, relativeChange } from './comparison.ts';
import { printable } from './printable.ts';

/**
 * Workflow commands that GitHub Actions shows as annotations: an error for each change above the limit, a warning for
 * what is worse below it, for what could not be compared, and for what should not have been.
 */
export function annotations({ comparisons, differences, limit }: ComparisonReport): string[] {
  const ofRows = comparisons.flatMap((each) => {
    const title = `tracetax: ${label(each)}`;
    if (!each.cost) return [command('warning', title, `Not compared: ${each.missing}`)];
    const figures = `${change(each.cost)} a request, ${relativeChange(each.cost)}`;
    if (limit && isAbove(each, limit))
      return [command('error', title, `${figures}: above ${asLimit(limit)}`)];
    if (each.cost.verdict === 'worse') return [command('warning', title, `${figures}: worse`)];
    return each.cost.verdict ? [] : [command('warning', title, `${figures}: no interval, so no verdict`)];
  });
  const marks = differences.map((each) => command('warning', 'tracetax: not comparable', each));
  return [...ofRows, ...marks];
}

/** Escaped as the runner reads it (actions/toolkit, packages/core/src/command.ts). */
function command(kind: 'warning' | 'error', title: string, message: string): string {
  return `::${kind} title=${escapeProperty(printable(title))}::${escapeData(printable(message))}`;
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
