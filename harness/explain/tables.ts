import { changeBetweenRows } from '../analysis/estimate.ts';
import type { TaskAnalysis } from '../analysis/rows.ts';
import { intervalText, NOT_MEASURED, type Section, type Table, US } from '../report/cells.ts';
import { counted } from '../words/text.ts';
import { asUs } from '../words/units.ts';
import type { Explanation } from './explanation.ts';
import type { Part } from './parts.ts';

/** The parts, their sum as it was measured, and how that came about. */
export function summary(explanation: Explanation): Section {
  const { parts, measured, profiledPairs, profiledUs, user, system } = explanation;
  const [ofUser, ofSystem] = [user, system].map((times) => times && intervalText(US, times.change));
  const how = [
    'The last row was measured without a profiler. The others divide it up: JavaScript by package, as a profiler sampled it, and the rest.',
    `In ${counted(profiledPairs, 'further pair')}, with the profiler, a request took ${asUs(profiledUs.baseline)} on the baseline, and ${asUs(profiledUs.scenario)} on the scenario.`,
    user &&
      `Over all slices that were measured, user time differs by ${ofUser}, and system time by ${ofSystem}.`,
  ];
  const table = tableOf(explanation, 'CPU per request', [...parts, measured]);
  return { tables: [table], paragraphs: [how.filter(Boolean).join(' ')] };
}

/** Functions, and what the kernel did, or what would bring that. */
export function details(explanation: Explanation): Section[] {
  const { functions, system, kernel } = explanation;
  const hint = 'To see it, profile on Linux as root, with perf installed (Debian: linux-perf).';
  const calls = kernel && system && tableOf(explanation, 'System call', [...kernel, system]);
  return [
    {
      heading: 'Functions that changed most, without what they call (rough figures)',
      tables: [tableOf(explanation, 'Function', functions)],
    },
    { heading: 'What the kernel did', ...(calls ? { tables: [calls] } : { paragraphs: [hint] }) },
  ];
}

function tableOf({ title, baselineTitle }: Explanation, name: string, parts: Part[]): Table {
  const rows = parts.map(({ where, us: { baseline, scenario }, change }) => {
    return [where, asUs(baseline), asUs(scenario), intervalText(US, change)];
  });
  return { names: [name], figures: [baselineTitle, title, 'Difference'], rows };
}

/** What each scenario costs more than the one before it, for a suite whose scenarios build on each other. */
export function ladderTable(task: TaskAnalysis): Table {
  const costs = task.rows.map(({ change }) => change.cpuUs);
  const known = costs.filter(Boolean).length;
  const rows = task.rows.map(({ title }, index) => {
    const [before, cost] = [costs[index - 1], costs[index]];
    // A row that is not known has no step, and neither has the one after it.
    const step = index === 0 ? cost : before && cost && changeBetweenRows(before, cost, known);
    return [title, ...[step, cost].map((each) => (each ? intervalText(US, each) : NOT_MEASURED))];
  });
  return {
    names: [`${task.prefix}CPU per request`],
    figures: ['More than the row above', 'More than the baseline'],
    rows,
  };
}
