import { welch } from '../analysis/compare.ts';
import type { Row } from '../analysis/task.ts';
import { asMarkdown, joined } from '../report/formats.ts';
import type { Table } from '../report/tables.ts';
import { counted, escapeMarkdown } from '../report/text.ts';
import { asUs, intervalCell } from '../report/units.ts';
import type { Explanation, Part } from './explanation.ts';

/** One explanation in Markdown; `isFull`: with functions. */
export function asText(explanation: Explanation, isFull: boolean): string {
  const functions = functionsTable(explanation);
  return joined([
    asMarkdown(partsTable(explanation)),
    escapeMarkdown(howExplained(explanation)),
    isFull && `### ${functions.caption}`,
    isFull && asMarkdown(functions),
  ]);
}

/** The parts, and their sum as it was measured. */
export function partsTable({ title, baselineTitle, packages, outside, measured }: Explanation): Table {
  return {
    caption: 'Where the CPU time of a request goes',
    names: ['CPU per request'],
    figures: [baselineTitle, title, 'Difference'],
    rows: [...packages, ...outside, measured].map((part) => [part.where, ...cells(part)]),
  };
}

export function functionsTable({ title, baselineTitle, functions }: Explanation): Table {
  return {
    caption: 'Functions that changed most, without what they call: an indication',
    names: ['Function', 'Of'],
    figures: [baselineTitle, title, 'Difference'],
    rows: functions.map((each) => [each.where, each.owner, ...cells(each)]),
  };
}

function cells({ us, change }: Part): string[] {
  return [asUs(us.baseline), asUs(us.scenario), intervalCell('cpuUs', change)];
}

/** How a table came about. */
export function howExplained({ profiledPairs, profiledUs, kinds }: Explanation): string {
  const { baseline, scenario } = profiledUs;
  const kind = (estimate: Part['change']) => intervalCell('cpuUs', estimate);
  return [
    'The last row is measured without a profiler. The others are its parts: JavaScript by package, by samples, and what is outside of it.',
    `${counted(profiledPairs, 'further pair')} were profiled; a request took ${asUs(baseline)} and ${asUs(scenario)} meanwhile.`,
    kinds ? `Of the difference, ${kind(kinds.userUs)} is user time and ${kind(kinds.systemUs)} system time.` : '',
  ].join(' ');
}

/** What each scenario costs more than the one before it, for a suite whose scenarios build on each other. */
export function ladderTable(rows: Row[]): Table {
  const costs = rows.flatMap(({ title, change }) => (change.cpuUs ? [{ title, cost: change.cpuUs.estimate }] : []));
  const steps = costs.map(({ title, cost }, index) => {
    const before = costs[index - 1];
    return [title, intervalCell('cpuUs', before ? welch(before.cost, cost, costs.length) : cost)];
  });
  return {
    caption: 'Step by step',
    names: ['Test'],
    figures: ['CPU per request, more than the row above'],
    rows: steps,
  };
}
