import { calibrationRows } from '../analysis/calibration.ts';
import { type Analysis, rowsOf, type TaskAnalysis, type Verdict } from '../analysis/model.ts';
import { COLUMNS, type Column, intervalCell, type Part } from './columns.ts';
import { asUs } from './units.ts';

/** Plain text in cells. Every format prints the same tables, and escapes them as it needs. */
export interface Table {
  caption: string;
  /** Headings of the columns at the left, which are names, and of those with figures. */
  names: string[];
  figures: string[];
  rows: string[][];
}

const NOT_MEASURED = '-';

export function docsTable(analysis: Analysis): Table {
  if (isCalibration(analysis)) return calibrationTable(analysis);
  return isMatrix(analysis) ? matrix(analysis) : scenarioTable(analysis, 'docs');
}

/** The changes that pictures and other programs show, too; a table for documentation those that `shownCosts` tells. */
export const COSTS = ['latencyUs', 'cpuUs'] as const;

export function shownCosts(analysis: Analysis): (typeof COSTS)[number][] {
  const rows = analysis.tasks.flatMap(rowsOf);
  const measured = COSTS.filter((cost) => rows.some(({ change }) => change[cost]));
  return isCalibration(analysis) || isMatrix(analysis) ? measured.slice(-1) : measured;
}

/** The tables with everything else that is known of each scenario. */
export function detailTables(analysis: Analysis): Table[] {
  const hasShownAll = !isCalibration(analysis) && !isMatrix(analysis);
  const parts: Part[] = hasShownAll ? ['load', 'resources'] : ['docs', 'load', 'resources'];
  return parts.map((part) => scenarioTable(analysis, part)).filter(({ figures }) => figures.length > 0);
}

/** Whether the true cost of every test is known. */
export function isCalibration({ tasks }: Analysis): boolean {
  const rows = tasks.flatMap((task) => task.rows);
  return rows.length > 0 && rows.every(({ trueCostsUs }) => trueCostsUs !== null);
}

function namesFor(tasks: TaskAnalysis[]): string[] {
  return tasks.length > 1 ? ['Task', 'Test'] : ['Test'];
}

/** Whether there are several tasks, all of the same scenarios. */
function isMatrix({ tasks }: Analysis): boolean {
  const keys = tasks.map(({ baseline, rows }) => JSON.stringify([baseline.name, rows.map(({ scenario }) => scenario)]));
  return tasks.length > 1 && new Set(keys).size === 1;
}

function calibrationTable(analysis: Analysis): Table {
  const names = namesFor(analysis.tasks);
  const rows = calibrationRows(analysis).map(({ task, title, trueUs, measured, error, isCovered }) => [
    ...[task, title].slice(-names.length),
    asUs(trueUs),
    ...(measured === null || error === null
      ? [NOT_MEASURED, NOT_MEASURED, NOT_MEASURED]
      : [intervalCell('cpuUs', measured), intervalCell('cpuUs', error), isCovered ? 'yes' : 'no']),
  ]);
  const figures = ['True cost', 'Measured', 'Error', 'Covered'];
  return { caption: 'Measured against true cost', names, figures, rows };
}

const CAPTIONS: Record<Part, string> = {
  docs: 'Each test minus the baseline',
  load: 'What a client sees of each server',
  resources: 'What each server uses',
};

/** All tasks in one table, scenarios down. What nobody measured has no column. */
function scenarioTable({ tasks, verdicts }: Analysis, part: Part): Table {
  const lines = tasks.flatMap((task) => linesOf(task, part, verdicts));
  const columns = COLUMNS.filter((column) => column.part === part && lines.some(({ has }) => has(column)));
  const names = namesFor(tasks);
  const rows = lines.map((line) => [
    ...[line.task, line.title + line.mark].slice(-names.length),
    ...columns.map(line.cell),
  ]);
  return { caption: CAPTIONS[part], names, figures: columns.map(({ heading }) => heading), rows };
}

/** Tasks down, scenarios across: the change of CPU per request, or of latency if no clock reads CPU time. */
function matrix(analysis: Analysis): Table {
  const { tasks, verdicts } = analysis;
  const [latency, cpu] = COLUMNS as [Column, Column];
  const column = shownCosts(analysis)[0] === 'cpuUs' ? cpu : latency;
  const byTask = tasks.map((task) => linesOf(task, 'docs', verdicts));
  const longest = byTask.reduce((one, other) => (other.length > one.length ? other : one));
  const rows = byTask.map((lines, task) => [
    tasks[task]?.title ?? '',
    ...longest.map((_, at) => (lines[at] ? lines[at].cell(column) + lines[at].mark : NOT_MEASURED)),
  ]);
  const caption = `${column.heading}, each test minus the baseline`;
  return { caption, names: [column.heading], figures: longest.map(({ title }) => title), rows };
}

/** The baseline, the scenarios, and in the table for documentation the baseline against itself. */
function linesOf(task: TaskAnalysis, part: Part, verdicts: Verdict[]) {
  const baseline = { ...task.baseline, scenario: undefined, change: null, pairs: null, invalid: [] };
  const rows = part === 'docs' ? rowsOf(task) : task.rows;
  const marking = verdicts.filter((verdict) => verdict.changesReading && verdict.task === task.name);
  return [baseline, ...rows].map((server) => {
    const missing = server.invalid.length > 0 ? 'invalid' : NOT_MEASURED;
    return {
      task: task.title,
      title: server.title,
      mark: marking.some(({ scenario }) => scenario === server.scenario) ? ' †' : '',
      has: (column: Column) => Boolean(column.cell(server, task)),
      cell: (column: Column) => column.cell(server, task) ?? missing,
    };
  });
}
