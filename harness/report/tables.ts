import type { Analysis } from '../analysis/analysis.ts';
import { calibrationRows } from '../analysis/calibration.ts';
import { rowsOf, type TaskAnalysis } from '../analysis/task.ts';
import { COLUMNS, type Column, type Part } from './columns.ts';
import { asUs, intervalCell } from './units.ts';

/** Plain text in cells. Every format prints the same tables, and escapes them as it needs. */
export interface Table {
  caption: string;
  /** Headings of the columns at the left, which are names, and of those with figures. */
  names: string[];
  figures: string[];
  rows: string[][];
}

const NOT_MEASURED = '-';

const CAPTIONS: Record<Part, string> = {
  docs: 'Each test minus the baseline',
  load: 'What a client sees of each server',
  resources: 'What each server uses',
};

/** The form of the table for documentation: a matrix is of several tasks with the same scenarios. */
export function formOf({ tasks }: Analysis): 'calibration' | 'matrix' | 'list' {
  const rows = tasks.flatMap((task) => task.rows);
  if (rows.length > 0 && rows.every(({ trueCostsUs }) => trueCostsUs !== null)) return 'calibration';
  const keys = tasks.map(({ baseline, rows }) => JSON.stringify([baseline.name, rows.map(({ scenario }) => scenario)]));
  return tasks.length > 1 && new Set(keys).size === 1 ? 'matrix' : 'list';
}

export function docsTable(analysis: Analysis): Table {
  const tables = { calibration: calibrationTable, matrix, list: () => scenarioTable(analysis, 'docs') };
  return tables[formOf(analysis)](analysis);
}

/** The tables with everything else that is known of each scenario. */
export function detailTables(analysis: Analysis): Table[] {
  const parts: Part[] = formOf(analysis) === 'list' ? ['load', 'resources'] : ['docs', 'load', 'resources'];
  return parts.map((part) => scenarioTable(analysis, part)).filter(({ figures }) => figures.length > 0);
}

/** The changes that pictures and other programs show, too; a table for documentation those that `shownCosts` tells. */
export const COSTS = ['latencyUs', 'cpuUs'] as const;

export function shownCosts(analysis: Analysis): (typeof COSTS)[number][] {
  const rows = analysis.tasks.flatMap(rowsOf);
  const measured = COSTS.filter((cost) => rows.some(({ change }) => change[cost]));
  return formOf(analysis) === 'list' ? measured : measured.slice(-1);
}

function calibrationTable(analysis: Analysis): Table {
  const rows = calibrationRows(analysis).map(({ task, title, trueUs, measured, error, isCovered }) => {
    const cells = [measured, error].map((figure) => (figure ? intervalCell('cpuUs', figure) : NOT_MEASURED));
    const covered = isCovered ? 'yes' : 'no';
    return [...named(analysis, task, title), asUs(trueUs), ...cells, error ? covered : NOT_MEASURED];
  });
  const figures = ['True cost', 'Measured', 'Error', 'Covered'];
  return { caption: 'Measured against true cost', names: named(analysis, 'Task', 'Test'), figures, rows };
}

/** All tasks in one table, scenarios down. What nobody measured has no column. */
function scenarioTable(analysis: Analysis, part: Part): Table {
  const lines = linesOf(analysis, part).flat();
  const columns = COLUMNS.filter((column) => column.part === part && lines.some(({ has }) => has(column)));
  const rows = lines.map(({ task, title, mark, cell }) => [
    ...named(analysis, task, title + mark),
    ...columns.map(cell),
  ]);
  const figures = columns.map(({ heading }) => heading);
  return { caption: CAPTIONS[part], names: named(analysis, 'Task', 'Test'), figures, rows };
}

/** Tasks down, scenarios across: the change of CPU per request, or of latency if no clock reads CPU time. */
function matrix(analysis: Analysis): Table {
  const [latency, cpu] = COLUMNS as [Column, Column];
  const column = shownCosts(analysis)[0] === 'cpuUs' ? cpu : latency;
  const byTask = linesOf(analysis, 'docs');
  const longest = byTask.reduce((one, other) => (other.length > one.length ? other : one));
  const rows = byTask.map((lines, task) => [
    analysis.tasks[task]?.title ?? '',
    ...longest.map((_, at) => (lines[at] ? lines[at].cell(column) + lines[at].mark : NOT_MEASURED)),
  ]);
  const caption = `${column.heading}, each test minus the baseline`;
  return { caption, names: [column.heading], figures: longest.map(({ title }) => title), rows };
}

/** Of each task: the baseline, the scenarios, and in the table for documentation the baseline against itself. */
function linesOf({ tasks, verdicts, suite }: Analysis, part: Part) {
  return tasks.map((task) => {
    const baseline = { ...task.baseline, scenario: undefined, change: null, pairs: null, invalid: [] };
    const marking = verdicts.filter((verdict) => verdict.changesReading && verdict.task === task.name);
    const lines = [baseline, ...(part === 'docs' ? rowsOf(task) : task.rows)].map((server) => ({
      task: task.title,
      title: server.title,
      mark: marking.some(({ scenario }) => scenario === server.scenario) ? ' †' : '',
      has: (column: Column) => Boolean(column.cell(server, task)),
      cell: (column: Column) => column.cell(server, task) ?? (server.invalid.length > 0 ? 'invalid' : NOT_MEASURED),
    }));
    return part === 'docs' ? [...lines, ...skippedLines(task, suite.skipped)] : lines;
  });
}

/** What could not be measured: its first cell says the reason, as short as it can be. */
function skippedLines({ name, title: task }: TaskAnalysis, skipped: Analysis['suite']['skipped']) {
  return skipped
    .filter(({ tasks }) => tasks.includes(name))
    .map(({ scenario: title, reason }) => ({
      ...{ task, title, mark: '' },
      has: () => false,
      cell: (column: Column) => (column === COLUMNS[0] ? (/^[^,:;]+/.exec(reason)?.[0] ?? reason) : NOT_MEASURED),
    }));
}

/** What names a row, or the column of such names: its task is among it if there are several. */
function named({ tasks }: Analysis, task: string, title: string): string[] {
  return tasks.length > 1 ? [task, title] : [title];
}
