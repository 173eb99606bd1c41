import { changeBetweenRows } from '../analysis/compare-estimates.ts';
import type { Estimate } from '../analysis/mean-estimate.ts';
import type { TaskAnalysis } from '../analysis/rows.ts';
import {
  type Cell,
  type Difference,
  figureColumns,
  intervalCell,
  intervalText,
  NOT_MEASURED,
  plain,
  type Section,
  type Table,
  US,
} from '../report/cells.ts';
import { counted } from '../words/text.ts';
import { asUs } from '../words/units.ts';
import type { Explanation } from './explanation.ts';
import type { Part } from './parts.ts';

const SEE_THE_KERNEL =
  'To see it, profile on Linux as root, with perf installed (Debian: linux-perf).';

/** Returns a table of the parts, with their sum as it was measured, and how they came about. */
export function summary(explanation: Explanation): Section {
  const { parts, measured } = explanation;
  return {
    tables: [tableOfParts(explanation, 'CPU per request', [...parts, measured])],
    paragraphs: [howDivided(explanation)],
  };
}

function howDivided({ profiledPairs, profiledUs, user, system }: Explanation): string {
  const pairs = counted(profiledPairs, 'further pair');
  const baseline = asUs(profiledUs.baseline);
  const scenario = asUs(profiledUs.scenario);
  const sentences = [
    'The last row was measured without a profiler. The others divide it up: ' +
      'JavaScript by package, as a profiler sampled it, and the rest.',
    `In ${pairs}, with the profiler, a request took ${baseline} on the baseline, ` +
      `and ${scenario} on the scenario.`,
  ];
  if (user) {
    const userText = intervalText(US, user.change);
    const systemText = system && intervalText(US, system.change);
    sentences.push(
      `Over all slices that were measured, user time differs by ${userText}, ` +
        `and system time by ${systemText}.`,
    );
  }
  return sentences.join(' ');
}

/** Returns the functions that changed most, and what the kernel did, or what would show that. */
export function details(explanation: Explanation): Section[] {
  return [
    {
      heading: 'Functions that changed most, without what they call (rough figures)',
      tables: [tableOfParts(explanation, 'Function', explanation.functions)],
    },
    kernelSection(explanation),
  ];
}

function kernelSection(explanation: Explanation): Section {
  const { kernel, system } = explanation;
  const heading = 'What the kernel did';
  if (!kernel || !system) return { heading, paragraphs: [SEE_THE_KERNEL] };
  return { heading, tables: [tableOfParts(explanation, 'System call', [...kernel, system])] };
}

function tableOfParts(explanation: Explanation, name: string, parts: Part[]): Table {
  const { title, baselineTitle } = explanation;
  return {
    names: [name],
    figures: figureColumns([baselineTitle, title, 'Difference']),
    rows: parts.map(({ where, us, change }) => [
      plain(where),
      plain(asUs(us.baseline)),
      plain(asUs(us.scenario)),
      intervalCell(US, change),
    ]),
  };
}

/**
 * Returns what each scenario costs more than the scenario before it, for a suite whose scenarios
 * build on each other.
 */
export function ladderTable(task: TaskAnalysis): Table {
  const costs = task.rows.map(({ change }) => change.cpuUs);
  const knownRows = costs.filter((cost) => cost !== null).length;
  const rows = task.rows.map(({ title }, index) => {
    const cost = costs[index] ?? null;
    const step = index === 0 ? cost : stepBetween(costs[index - 1] ?? null, cost, knownRows);
    return [plain(title), costCell(step), costCell(cost)];
  });
  return {
    names: [`${task.prefix}CPU per request`],
    figures: figureColumns(['More than the row above', 'More than the baseline']),
    rows,
  };
}

/** Returns the step to a row from the row before it; null if one of the two is not known. */
function stepBetween(
  before: Estimate | null,
  cost: Estimate | null,
  knownRows: number,
): Difference | null {
  if (!before || !cost) return null;
  return { ...changeBetweenRows(before, cost, knownRows), baseline: cost.baseline };
}

function costCell(cost: Difference | null): Cell {
  return cost ? intervalCell(US, cost) : plain(NOT_MEASURED);
}
