import { welch } from '../analysis/estimate.ts';
import type { TaskAnalysis } from '../analysis/task.ts';
import { asUs, intervalCell } from '../analysis/units.ts';
import { asMarkdown, joined } from '../report/formats.ts';
import type { Table } from '../report/tables.ts';
import { counted, escapeMarkdown } from '../report/text.ts';
import type { Explanation, Part } from './explanation.ts';

/** One explanation in Markdown; `isFull`: with functions and what the kernel did. */
export function explanationText(explanation: Explanation, isFull: boolean): string {
  const details = isFull ? detailTables(explanation) : [];
  return joined([
    asMarkdown(partsTable(explanation)),
    escapeMarkdown(howExplained(explanation)),
    ...details.flatMap((table) => [`### ${table.caption}`, asMarkdown(table)]),
    isFull && kernelHint(explanation),
  ]);
}

/** The parts, and their sum as it was measured. */
export function partsTable(explanation: Explanation): Table {
  const { parts, measured } = explanation;
  return tableOf(explanation, 'Where the CPU time of a request goes', 'CPU per request', [...parts, measured]);
}

export function detailTables(explanation: Explanation): Table[] {
  const { functions, system, kernel } = explanation;
  const caption = 'Functions that changed most, without what they call (rough figures)';
  return [
    tableOf(explanation, caption, 'Function', functions),
    ...(kernel ? [tableOf(explanation, 'What the kernel did', 'System call', [...kernel, system])] : []),
  ];
}

function tableOf({ title, baselineTitle }: Explanation, caption: string, name: string, rows: Part[]): Table {
  const cells = ({ where, us, change }: Part) => [
    where,
    asUs(us.baseline),
    asUs(us.scenario),
    intervalCell('cpuUs', change),
  ];
  return { caption, names: [name], figures: [baselineTitle, title, 'Difference'], rows: rows.map(cells) };
}

/** What would bring the table that is missing; empty if none is. */
export function kernelHint({ kernel }: Explanation): string {
  return kernel
    ? ''
    : 'To see what the kernel did, profile on Linux as root, with `perf` installed (Debian: linux-perf).';
}

/** How a table came about. */
export function howExplained({ profiledPairs, profiledUs, user, system }: Explanation): string {
  const [ofUser, ofSystem] = [user, system].map(({ change }) => intervalCell('cpuUs', change));
  return [
    'The last row was measured without a profiler. The others divide it up: JavaScript by package, as a profiler sampled it, and the rest.',
    `In ${counted(profiledPairs, 'further pair')}, with the profiler, a request took ${asUs(profiledUs.baseline)} on the baseline, and ${asUs(profiledUs.scenario)} on the scenario.`,
    `Over all slices that were measured, user time differs by ${ofUser}, and system time by ${ofSystem}.`,
  ].join(' ');
}

/** What each scenario costs more than the one before it, for a suite whose scenarios build on each other. */
export function ladderTable({ rows }: TaskAnalysis): Table {
  const costs = rows.flatMap(({ title, change }) => (change.cpuUs ? [{ title, cost: change.cpuUs.estimate }] : []));
  const steps = costs.map(({ title, cost }, index) => {
    const before = costs[index - 1];
    const step = before ? welch(before.cost, cost, costs.length) : cost;
    return [title, intervalCell('cpuUs', step), intervalCell('cpuUs', cost)];
  });
  return {
    caption: 'Step by step',
    names: ['CPU per request'],
    figures: ['More than the row above', 'More than the baseline'],
    rows: steps,
  };
}
