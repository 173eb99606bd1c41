import type { Analysis } from '../analysis/analysis.ts';
import type { Quantity } from '../analysis/figures.ts';
import { rowsOf } from '../analysis/rows.ts';
import type { Verdict } from '../analysis/warning.ts';
import { COLUMNS, type Column } from './columns.ts';

/** Plain text in cells. */
export interface Table {
  /** Headings of the columns at the left, which are names, and of those with figures. */
  names: string[];
  figures: string[];
  rows: string[][];
}

type Part = keyof typeof COLUMNS;

const NOT_MEASURED = '-';

const HEADINGS = {
  docs: 'Each test minus the baseline',
  load: 'What a client sees of each server',
  resources: 'What each server uses',
};

/** The form of the table for documentation: a matrix is of several tasks with the same scenarios. */
export function formOf({ tasks }: Analysis): 'docs' | 'calibration' | 'rate' | 'matrix' {
  const rows = tasks.flatMap((task) => task.rows);
  if (rows.length > 0 && rows.every(({ trueCostsUs }) => trueCostsUs !== null)) return 'calibration';
  if (rows.length > 0 && tasks.every(({ rate }) => rate !== null)) return 'rate';
  const keys = tasks.map(({ baseline, rows }) => JSON.stringify([baseline.name, rows.map(({ scenario }) => scenario)]));
  return tasks.length > 1 && new Set(keys).size === 1 ? 'matrix' : 'docs';
}

/** The table for documentation, in the form that fits the run. */
export function docsTable(analysis: Analysis): Table {
  const form = formOf(analysis);
  const shown = { ...analysis, verdicts: shownVerdicts(analysis) };
  return form === 'matrix' ? matrix(shown) : scenarioTable(shown, form);
}

/** The tables with everything else that is known of each scenario, under their headings. */
export function detailTables(analysis: Analysis): { heading: string; tables: [Table] }[] {
  const parts = (['docs', 'load', 'resources'] as const).filter((part) => part !== formOf(analysis));
  const all = parts.map((part) => ({ heading: HEADINGS[part], tables: [scenarioTable(analysis, part)] as [Table] }));
  return all.filter(({ tables: [{ figures }] }) => figures.length > 0);
}

/** The changes that pictures and other programs show, too; a table for documentation those that `shownCosts` tells. */
export const COSTS = ['latencyUs', 'cpuUs'] as const;
export const COST_NAMES = { latencyUs: 'change per request', cpuUs: 'server CPU per request' };

/** Of the costs that were measured those that the table for documentation shows. */
export function shownCosts(analysis: Analysis): (typeof COSTS)[number][] {
  const rows = analysis.tasks.flatMap(rowsOf);
  const measured = COSTS.filter((cost) => rows.some(({ change }) => change[cost]));
  const form = formOf(analysis);
  if (form === 'docs') return measured;
  return form === 'matrix' ? measured.slice(-1) : measured.filter((cost) => cost === 'cpuUs');
}

/** What changes how the table for documentation is to be read. Of a quantity that it doesn't show, it needs no word. */
export function shownVerdicts(analysis: Analysis): Verdict[] {
  const shown: (Quantity | null)[] = [null, ...shownCosts(analysis)];
  return analysis.verdicts.filter(({ changesReading, quantity }) => changesReading && shown.includes(quantity));
}

/** All tasks in one table, scenarios down. What nobody measured has no column. */
function scenarioTable(analysis: Analysis, part: Part): Table {
  const lines = linesOf(analysis, part).flat();
  const columns = COLUMNS[part].filter((column) => lines.some(({ cell }) => cell(column)));
  // What names a row: its task is among it if there are several.
  const named = (task: string, title: string) => (analysis.tasks.length > 1 ? [task, title] : [title]);
  const rows = lines.map(({ task, title, mark, cell, blank }) => [
    ...named(task, title + mark),
    ...columns.map((column) => cell(column) ?? blank),
  ]);
  return { names: named('Task', 'Test'), figures: columns.map(({ heading }) => heading), rows };
}

/** Tasks down, scenarios across: the change of CPU per request, or of latency if no clock reads CPU time. */
function matrix(analysis: Analysis): Table {
  const [shown = 'latencyUs'] = shownCosts(analysis);
  const column = COLUMNS.docs.find(({ change }) => change === shown) as Column;
  const byTask = linesOf(analysis, 'docs');
  const titles = new Map(byTask.flat().map(({ server, title }) => [server, title]));
  const rows = byTask.map((lines, task) => [
    analysis.tasks[task]?.title ?? '',
    ...[...titles.keys()].map((server) => {
      const line = lines.find((line) => line.server === server);
      return line ? (line.cell(column) ?? line.blank) + line.mark : NOT_MEASURED;
    }),
  ]);
  return { names: [column.heading], figures: [...titles.values()], rows };
}

/** Of each task the baseline, the scenarios, and for documentation the noise floor and, with a reason, what was skipped. */
function linesOf({ tasks, verdicts, suite }: Analysis, part: Part) {
  return tasks.map((task) => {
    const details = [task.baseline, ...task.rows];
    const calibration = rowsOf(task).filter(({ trueCostsUs }) => trueCostsUs);
    const all = [task.baseline, ...rowsOf(task)];
    const servers = { docs: all, rate: all, calibration, load: details, resources: details };
    const marking = verdicts.filter((verdict) => verdict.changesReading && verdict.task === task.name);
    const lines = servers[part].map((server) => ({
      /** What it is in every task: the baseline against itself is a scenario of the baseline's name. */
      server: server.scenario ?? '',
      task: task.title,
      title: server.title,
      mark: marking.some(({ scenario }) => scenario === server.scenario) ? ' †' : '',
      cell: (column: Column) => column.cell(server, task),
      /** In place of a cell that is null. */
      blank: server.invalid.length > 0 ? 'invalid' : NOT_MEASURED,
    }));
    const skipped = suite.skipped.filter(({ tasks }) => ['docs', 'rate'].includes(part) && tasks.includes(task.name));
    const reasons = skipped.map(({ scenario, reason }) => ({
      ...{ server: scenario, task: task.title, mark: '', blank: NOT_MEASURED, cell: () => null },
      // As short as it can be.
      title: `${scenario} (${/^[^,:;]+/.exec(reason)?.[0] ?? reason})`,
    }));
    return [...lines, ...reasons];
  });
}
