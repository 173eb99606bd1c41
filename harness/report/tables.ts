import { calibrationRows } from '../analysis/calibration.ts';
import type { Analysis, Row, TaskAnalysis, Verdict } from '../analysis/model.ts';
import { type Cell, COLUMNS, type Column, intervalCell, type Part } from './columns.ts';
import { CHANGE_UNITS, signed } from './units.ts';

/** Plain text in cells. Every format prints the same tables, and escapes them as it needs. */
export interface Table {
  caption: string;
  /** Headings of the columns at the left, which are names, and of those with figures. */
  names: string[];
  figures: string[];
  rows: string[][];
}

const INVALID = 'invalid';
const NOT_MEASURED = '-';

/** The one table for documentation. */
export function docsTable(analysis: Analysis): Table {
  if (isCalibration(analysis)) return calibrationTable(analysis);
  return isMatrix(analysis) ? matrix(analysis) : scenarioTable(analysis, 'docs');
}

/** The changes that pictures and figures for other programs show, too. */
export const COSTS = ['latencyUs', 'cpuUs'] as const;

/** Those that the table for documentation shows. */
export function shownCosts(analysis: Analysis): (typeof COSTS)[number][] {
  const rows = analysis.tasks.flatMap(rowsOf);
  const measured = COSTS.filter((cost) => rows.some(({ change }) => change[cost]));
  return isCalibration(analysis) || isMatrix(analysis) ? measured.slice(-1) : measured;
}

/** The tables with everything else that is known of each scenario. */
export function detailTables(analysis: Analysis): Table[] {
  const isInDocs = !isCalibration(analysis) && !isMatrix(analysis);
  const parts: Part[] = isInDocs ? ['load', 'resources'] : ['docs', 'load', 'resources'];
  return parts.map((part) => scenarioTable(analysis, part)).filter(({ figures }) => figures.length > 0);
}

/** The difference in each pair, in the order of measuring. */
export function noiseTable({ tasks }: Analysis): Table {
  const names = [...namesFor(tasks), 'Unit'];
  const all = tasks.flatMap((task) => rowsOf(task).map((row) => ({ ...row, task: task.title })));
  const rows = all.flatMap(({ task, title, change }) =>
    COSTS.map((quantity) => {
      const { unit, factor } = CHANGE_UNITS[quantity];
      const differences = change[quantity]?.differences ?? [];
      return [...[task, title, unit].slice(-names.length), ...differences.map((each) => signed(each * factor))];
    }),
  );
  const most = Math.max(0, ...rows.map(({ length }) => length - names.length));
  return {
    caption: 'Scenario minus baseline in each pair',
    names,
    figures: Array.from({ length: most }, (_, pair) => `Pair ${pair + 1}`),
    rows: rows.filter(({ length }) => length > names.length),
  };
}

/** Whether the true cost of every test is known. */
export function isCalibration({ tasks }: Analysis): boolean {
  const rows = tasks.flatMap((task) => task.rows);
  return rows.length > 0 && rows.every(({ trueCostUs }) => trueCostUs !== null);
}

/** With the noise floor, if there is one. */
export function rowsOf({ rows, noiseFloor }: TaskAnalysis): Row[] {
  return noiseFloor ? [...rows, noiseFloor] : rows;
}

function calibrationTable(analysis: Analysis): Table {
  const names = namesFor(analysis.tasks).slice(0, -1);
  const titleOf = (task: string) => analysis.tasks.find(({ name }) => name === task)?.title ?? task;
  const rows = calibrationRows(analysis).map(({ task, trueUs, measured, errorUs, isCovered }) => [
    ...names.map(() => titleOf(task)),
    `${trueUs} µs`,
    ...(measured === null || errorUs === null
      ? [NOT_MEASURED, NOT_MEASURED, NOT_MEASURED]
      : [intervalCell('cpuUs', measured), `${signed(errorUs)} µs`, isCovered ? 'yes' : 'no']),
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
  const columns = COLUMNS.filter((column) => column.part === part && isMeasured(lines, column));
  const names = namesFor(tasks);
  const rows = lines.map((line) => [
    ...[line.task, line.title + line.mark].slice(-names.length),
    ...columns.map((column) => printed(line, column)),
  ]);
  return { caption: CAPTIONS[part], names, figures: columns.map(({ heading }) => heading), rows };
}

function namesFor(tasks: TaskAnalysis[]): string[] {
  return tasks.length > 1 ? ['Task', 'Test'] : ['Test'];
}

/** Whether there are several tasks, all of the same scenarios. */
function isMatrix({ tasks }: Analysis): boolean {
  const keys = tasks.map(({ baseline, rows }) => JSON.stringify([baseline.name, rows.map(({ scenario }) => scenario)]));
  return tasks.length > 1 && new Set(keys).size === 1;
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
    ...longest.map((_, at) => (lines[at] ? printed(lines[at], column) + lines[at].mark : NOT_MEASURED)),
  ]);
  const caption = `${column.heading}, each test minus the baseline`;
  return { caption, names: [column.heading], figures: longest.map(({ title }) => title), rows };
}

/** A line of a table before it is printed. */
interface Line {
  task: string;
  title: string;
  isInvalid: boolean;
  /** A † if a verdict changes how the line is to be read. */
  mark: string;
  cell: (column: Column) => Cell;
}

function linesOf(task: TaskAnalysis, part: Part, verdicts: Verdict[]): Line[] {
  const { baseline, rows, noiseFloor } = task;
  const isMarked = (row: Row) => verdicts.some((verdict) => isAbout(verdict, row, task));
  const line = (row: Row, cell: Line['cell']): Line => ({
    task: task.title,
    title: row.title,
    isInvalid: row.invalid.length > 0,
    mark: isMarked(row) ? ' †' : '',
    cell,
  });
  const first = { task: task.title, title: baseline.title, isInvalid: false, mark: '' };
  return [
    { ...first, cell: (column) => column.baseline(task) },
    ...rows.map((row) => line(row, (column) => column.cell(row, task))),
    ...(noiseFloor && part === 'docs' ? [line(noiseFloor, (column) => column.noiseFloor(noiseFloor))] : []),
  ];
}

function isAbout({ changesReading, scenario, task }: Verdict, row: Row, { name }: TaskAnalysis): boolean {
  return changesReading && scenario === row.scenario && (task === null || task === name);
}

function isMeasured(lines: Line[], column: Column): boolean {
  return lines.some((line) => !line.isInvalid && line.cell(column));
}

function printed(line: Line, column: Column): string {
  return line.isInvalid ? INVALID : (line.cell(column) ?? NOT_MEASURED);
}
