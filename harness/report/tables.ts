import type { Run } from '../analysis/analysis.ts';
import { type Curve, wholeSlopeUs } from '../analysis/curves.ts';
import type { Neighbours } from '../analysis/neighbours.ts';
import { haveSameScenarios, type Row, serversOf } from '../analysis/rows.ts';
import {
  type Cell,
  type FigureColumn,
  figureColumns,
  intervalCell,
  MS,
  marked,
  NOT_MEASURED,
  plain,
  type Table,
  US,
} from './cells.ts';
import { COLUMNS, type Column, CPU_COLUMN } from './columns.ts';
import { isInvalid, type Line, linesOf, type TableKind } from './lines.ts';
import { signOf } from './neighbours-text.ts';
import { rateGroupsOf } from './rate-groups.ts';

/**
 * The form of the first table. A matrix is of CPU time in several tasks with the same scenarios;
 * rates are side by side if tasks differ in nothing else.
 */
export type Form = 'costs' | 'calibration' | 'rate' | 'rates' | 'matrix';

/** Returns the form of a run's first table. */
export function formOf(run: Run): Form {
  const rows = run.tasks.flatMap((task) => task.rows);
  if (rows.length === 0) return 'costs';
  if (rows.every(({ trueCostsUs }) => trueCostsUs !== null)) return 'calibration';
  if (rateGroupsOf(run)) return 'rates';
  if (run.tasks.every(({ rate }) => rate !== null)) return 'rate';
  const hasCpu = rows.some(({ change }) => change.cpuUs !== null);
  const isMatrix = run.tasks.length > 1 && hasCpu && haveSameScenarios(scenariosOf(run));
  return isMatrix ? 'matrix' : 'costs';
}

function scenariosOf({ tasks }: Run): string[][] {
  return tasks.map((task) => serversOf(task).map(({ scenario }) => scenario));
}

/**
 * Returns all tasks in one table, scenarios down. What nobody measured has no column; if no row is
 * valid, one column says so.
 * @param neighbours whose signs stand behind their names
 */
export function scenarioTable(
  run: Run,
  kind: TableKind,
  neighbours: readonly Neighbours[] = [],
): Table {
  const lines = run.tasks.flatMap((task) => linesOf(run, task, kind));
  const columns = shownColumns(lines, kind);
  const hasTasks = run.tasks.length > 1;
  return {
    names: hasTasks ? ['Task', 'Scenario'] : ['Scenario'],
    figures: columns.map((column) => figureColumn(column, kind)),
    rows: lines.map((line) => [
      ...(hasTasks ? [plain(line.task.title)] : []),
      withMark(plain(titleText(line, neighbours)), line),
      ...columns.map((column) => cellOf(line, column)),
    ]),
  };
}

function titleText({ title, task, key }: Line, neighbours: readonly Neighbours[]): string {
  const sign = signOf(neighbours, { task: task.name, scenario: key });
  return sign === '' ? title : `${title} ${sign}`;
}

function figureColumn({ heading, essentialIn = [] }: Column, kind: TableKind): FigureColumn {
  return { heading, isEssential: essentialIn.includes(kind) };
}

function shownColumns(lines: readonly Line[], kind: TableKind): readonly Column[] {
  const columns = COLUMNS.filter(({ tables }) => tables.includes(kind));
  const measured = columns.filter(({ cell }) => lines.some(({ subject }) => cell(subject)));
  const saysInvalid = measured.length === 0 && lines.some(isInvalid);
  return saysInvalid ? columns.slice(0, 1) : measured;
}

/** Returns the change of CPU per request, tasks down and scenarios across. */
export function matrixTable(run: Run): Table {
  const lines = run.tasks.flatMap((task) => linesOf(run, task, 'costs'));
  const titles = new Map(lines.map(({ key, title }) => [key, title]));
  const rows = run.tasks.map((task) => {
    const ofTask = lines.filter((line) => line.task === task);
    const cells = [...titles.keys()].map((key) => {
      const line = ofTask.find((each) => each.key === key);
      return line ? withMark(cellOf(line, CPU_COLUMN), line) : plain(NOT_MEASURED);
    });
    return [plain(task.title), ...cells];
  });
  return {
    names: [CPU_COLUMN.heading],
    figures: figureColumns([...titles.values()]),
    rows,
  };
}

const INVALID: Cell = { text: 'invalid', tone: 'invalid' };

/** Returns the cell of a line in a column: one without a figure says why. */
export function cellOf(line: Line, { cell }: Column): Cell {
  return cell(line.subject) ?? (isInvalid(line) ? INVALID : plain(NOT_MEASURED));
}

/** Returns the cell with a mark, if a warning is about its line. */
export function withMark(cell: Cell, { isMarked }: Line): Cell {
  return isMarked ? marked(cell) : cell;
}

/** Returns the lines through the values of a sweep; no table if there are none. */
export function curveTables({ curves }: Run): Table[] {
  const [first] = curves;
  if (!first) return [];
  return [
    {
      names: ['Cost'],
      figures: figureColumns(['Fixed', `For each ${first.unit}`, 'A line fits']),
      rows: curves.map(curveCells),
    },
  ];
}

function curveCells(curve: Curve): Cell[] {
  const isCpu = curve.quantity === 'cpuUs';
  const scale = isCpu ? US : MS;
  return [
    plain(`${curve.title}, ${isCpu ? 'server CPU' : 'change'} per request`),
    intervalCell(scale, curve.fixed, curve.baselineUs),
    intervalCell(scale, curve.slope, wholeSlopeUs(curve)),
    plain(fitText(curve)),
  ];
}

function fitText({ misfit, parameter, leftOut }: Curve): string {
  const without = leftOut.length === 0 ? '' : `without ${parameter}=${leftOut.join(', ')}`;
  if (misfit === undefined) return without || NOT_MEASURED;
  const fit = misfit === null ? 'yes' : `not at ${parameter}=${misfit}`;
  return without === '' ? fit : `${fit}; ${without}`;
}

/** Returns whether the run has something to draw of a row. */
export function isDrawn({ change }: Row): boolean {
  return change.cpuUs !== null || change.latencyUs !== null;
}
