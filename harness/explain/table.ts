import { intervalCell } from '../report/columns.ts';
import { asMarkdown, joined } from '../report/formats.ts';
import type { Table } from '../report/tables.ts';
import { counted, escapeMarkdown } from '../report/text.ts';
import { asUs } from '../report/units.ts';
import type { Explanation, Part } from './explanation.ts';

/** The parts, and their sum as it was measured. */
export function partsTable({ title, baselineTitle, packages, outside, measured }: Explanation): Table {
  return {
    caption: `Where the CPU time of a request goes: ${title}`,
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

function cells({ baselineUs, scenarioUs, change }: Part): string[] {
  return [asUs(baselineUs), asUs(scenarioUs), intervalCell('cpuUs', change)];
}

/** How the table came about, in sentences. */
export function howExplained({ profiledPairs, profiledCostUs, kinds }: Explanation): string[] {
  return [
    'The last row is measured without a profiler, the others are its parts: JavaScript by package, by samples, and what is outside of it.',
    `${counted(profiledPairs, 'further pair')} were profiled, in which a request took ${asUs(profiledCostUs.baseline)} and ${asUs(profiledCostUs.scenario)}.`,
    ...(kinds
      ? [
          `Of the difference, ${intervalCell('cpuUs', kinds.userUs)} is user time and ${intervalCell('cpuUs', kinds.systemUs)} system time.`,
        ]
      : []),
  ];
}

/** One explanation in Markdown. */
export function asDocs(explanation: Explanation): string {
  return joined([asMarkdown(partsTable(explanation)), escapeMarkdown(howExplained(explanation).join(' '))]);
}

/** The same with functions. */
export function asFull(explanation: Explanation): string {
  const table = functionsTable(explanation);
  return joined([asDocs(explanation), `### ${table.caption}`, asMarkdown(table)]);
}
