import type { Run } from '../analysis/analysis.ts';
import type { Row, TaskAnalysis } from '../analysis/rows.ts';
import { type Cell, figureColumns, MARK, NOT_MEASURED, plain, type Table } from './cells.ts';
import { type Column, CPU_COLUMN, P50_COLUMN, P99_COST_COLUMN } from './columns.ts';
import { type Line, linesOf } from './lines.ts';
import { rateGroupsOf, rateHeading, rateHeadings } from './rate-groups.ts';
import { cellOf, withMark } from './tables.ts';

/** Stands where the rate was not held: a warning says why. */
export const NOT_HELD: Cell = { text: `not held ${MARK}`, tone: 'invalid' };

/** One server over all tasks of a group. */
interface ServerOverRates {
  /** What it is compared with. */
  baselineTitle: string;
  title: string;
  /** Its lines, by the heading of their task. */
  lines: Map<string, Line>;
}

/**
 * Returns tables with a row for each server, and a column for each rate: of CPU per request, and of
 * the latency at steady rates if a load tool told it.
 */
export function rateTables(run: Run): Table[] {
  const servers = (rateGroupsOf(run) ?? []).flatMap((tasks) => serversOver(run, tasks));
  const headings = rateHeadings(run.tasks);
  const pacedHeadings = rateHeadings(run.tasks.filter(({ rate }) => rate !== null));
  const cpuColumns = headings.map((heading) => ({ heading, at: heading, column: CPU_COLUMN }));
  const latencyColumns = [P50_COLUMN, P99_COST_COLUMN].flatMap((column) =>
    pacedHeadings.map((at) => ({ heading: `${column.heading} at ${at}`, at, column })),
  );
  const measured = latencyColumns.filter(({ at, column }) =>
    servers.some(({ lines }) => hasFigureOfRow(lines.get(at), column)),
  );
  const cpu = tableOf(CPU_COLUMN.heading, servers, cpuColumns, markedCell);
  if (measured.length === 0) return [cpu];
  return [cpu, tableOf('Latency', servers, measured, plainCell)];
}

/** A column of a table: what it shows of the task with this heading. */
interface RateColumn {
  heading: string;
  at: string;
  column: Column;
}

function tableOf(
  subject: string,
  servers: readonly ServerOverRates[],
  columns: readonly RateColumn[],
  cellFor: (line: Line, column: Column) => Cell,
): Table {
  const hasGroups = new Set(servers.map(({ baselineTitle }) => baselineTitle)).size > 1;
  return {
    names: hasGroups ? ['Baseline', subject] : [subject],
    figures: figureColumns(columns.map(({ heading }) => heading)),
    rows: servers.map(({ baselineTitle, title, lines }) => [
      ...(hasGroups ? [plain(baselineTitle)] : []),
      plain(title),
      ...columns.map(({ at, column }) => {
        const line = lines.get(at);
        return line ? cellFor(line, column) : plain(NOT_MEASURED);
      }),
    ]),
  };
}

/** In the order of the first task, and then what only others have. */
function serversOver(run: Run, tasks: readonly TaskAnalysis[]): ServerOverRates[] {
  const lines = tasks.flatMap((task) => linesOf(run, task, 'rate'));
  return [...Map.groupBy(lines, ({ key }) => key).values()].flatMap((own) => {
    const [first] = own;
    if (!first) return [];
    return {
      baselineTitle: first.task.baseline.title,
      title: first.title,
      lines: new Map(own.map((line) => [rateHeading(line.task), line])),
    };
  });
}

/** Not if it is the figure of a baseline, beside which rows may have none. */
function hasFigureOfRow(line: Line | undefined, { cell }: Column): boolean {
  return line !== undefined && line.subject.change !== null && cell(line.subject) !== null;
}

function markedCell(line: Line, column: Column): Cell {
  return isNotHeld(line.subject) ? NOT_HELD : withMark(cellOf(line, column), line);
}

/**
 * Returns whether the rate is why there are no figures. A load tool that falls behind may then reach
 * a limit, too.
 */
export function isNotHeld({ faults }: Pick<Row, 'faults'>): boolean {
  const kinds = new Set(faults.map(({ kind }) => kind));
  if (!kinds.delete('rate-not-held')) return false;
  kinds.delete('limit-reached');
  return kinds.size === 0;
}

/** The table of CPU has the marks, and says which rows have no figures. */
function plainCell(line: Line, { cell }: Column): Cell {
  return cell(line.subject) ?? plain(NOT_MEASURED);
}
