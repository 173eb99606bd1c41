import type { Run } from '../analysis/analysis.ts';
import { hasFootprint, type Row, rowsOf, sortedRows, type TaskAnalysis } from '../analysis/rows.ts';
import type { Warning } from '../analysis/warnings/list.ts';
import { counted } from '../words/text.ts';
import { intervalText, MARK, MS, NOT_MEASURED, type Section, type Table, US } from './cells.ts';
import { COLUMNS, type Column, formOf, type Part, type Server } from './columns.ts';
import { howMeasured, methodNotes } from './notes.ts';

const DETAILS = [
  ['docs', 'Each scenario minus the baseline'],
  ['load', 'What a client sees of each server'],
  ['resources', 'What each server uses'],
] as const;

/** What is shown of a run: in brief what a reader came for, with two warnings; and all of it. Every format prints one of them. */
export function viewOf(run: Run): { brief: Section; full: Section[] } {
  const form = formOf(run);
  const hasLatency = form === 'docs' || form === 'rate' || run.curves.length > 0;
  const table = form === 'matrix' ? matrix(run) : scenarioTable(run, form);
  const footprint = hasFootprint(run) ? [scenarioTable(run, 'footprint')] : [];
  const opening = {
    tables: [table, ...footprint, ...fittedTables(run)],
    paragraphs: howMeasured(run, form),
  };
  const { remarks } = run.header.suite;
  const texts = (hasLatency ? run.warnings : withoutLatency(run.warnings)).map(textOf);
  const more =
    texts.length > 2 ? ` ${counted(texts.length - 2, 'more warning')} with --format full.` : '';
  const details = DETAILS.filter(([part]) => part !== form);
  return {
    brief: {
      ...opening,
      list: [...remarks, ...texts.slice(0, 1), ...texts.slice(1, 2).map((text) => text + more)],
    },
    full: [
      { ...opening, list: remarks },
      ...details.map(([part, heading]) => ({ heading, tables: [scenarioTable(run, part)] })),
      { heading: 'Warnings', list: run.warnings.length > 0 ? run.warnings.map(textOf) : ['None.'] },
      { heading: 'How it was measured', list: methodNotes(run) },
    ],
  };
}

/** Without those that are about latency alone. */
const withoutLatency = (warnings: Warning[]) => warnings.filter(({ kind }) => kind !== 'load-tool');

function textOf({ text, remedy, scenario }: Warning): string {
  return `${scenario === null ? '' : `${MARK} `}${text}. ${remedy}.`;
}

/** What a reader of a run must know, beside a table of CPU times without marks. */
export function remarksOf({ header, warnings }: Run): string[] {
  return [
    ...header.suite.remarks,
    ...withoutLatency(warnings).map((warning) => textOf({ ...warning, scenario: null })),
  ];
}

/** All tasks in one table, scenarios down. What nobody measured has no column; if no row is valid, one says so. */
function scenarioTable(run: Run, part: Part): Table {
  const lines = run.tasks.flatMap((task) => linesOf(run, task, part));
  const ofPart = COLUMNS.filter(({ parts }) => parts.includes(part));
  const measured = ofPart.filter(({ cell }) => lines.some(({ server }) => cell(server)));
  const columns = measured.length > 0 || !lines.some(isInvalid) ? measured : ofPart.slice(0, 1);
  const hasTasks = run.tasks.length > 1;
  const rows = lines.map((line) => [
    ...(hasTasks ? [line.task.title] : []),
    line.title + line.mark,
    ...columns.map((column) => cellIn(line, column)),
  ]);
  const names = hasTasks ? ['Task', 'Scenario'] : ['Scenario'];
  return { names, figures: columns.map(({ heading }) => heading), rows };
}

/** Tasks down, scenarios across: the change of CPU per request. */
function matrix(run: Run): Table {
  const column = COLUMNS.find(({ heading }) => heading === 'Server CPU per request') as Column;
  const all = run.tasks.flatMap((task) => linesOf(run, task, 'docs'));
  const titles = new Map(all.map(({ key, title }) => [key, title]));
  const rows = run.tasks.map((task) => [
    task.title,
    ...[...titles.keys()].map((key) => {
      const line = all.find((each) => each.task === task && each.key === key);
      return line ? cellIn(line, column) + line.mark : NOT_MEASURED;
    }),
  ]);
  return { names: [column.heading], figures: [...titles.values()], rows };
}

/** A line of a table: the same server has the same key in every task. */
type Line = ReturnType<typeof linesOf>[number];

function cellIn(line: Line, { cell }: Column): string {
  return cell(line.server) || (isInvalid(line) ? 'invalid' : NOT_MEASURED);
}

function isInvalid({ server: { faults = [] } }: Line): boolean {
  return faults.length > 0;
}

/** The baseline, the scenarios, and for documentation the noise floor and, with a reason, what was skipped. */
function linesOf(run: Run, task: TaskAnalysis, part: Part) {
  const line = (key: string, title: string, server: Server) => {
    const isMarked = run.warnings.some((each) => each.task === task.name && each.scenario === key);
    return { key, task, title, mark: isMarked ? ` ${MARK}` : '', server };
  };
  const ofRows = (rows: Row[]) => rows.map((row) => line(row.scenario, row.title, row));
  const baseline = line('', task.baseline.title, task.baseline);
  if (part === 'calibration') return ofRows(rowsOf(task).filter(({ trueCostsUs }) => trueCostsUs));
  if (part === 'load' || part === 'resources') return [baseline, ...ofRows(task.rows)];
  const skipped = run.header.suite.skipped.filter(({ tasks }) => tasks.includes(task.name));
  const reasons = skipped.map(({ scenario, fault }) =>
    line(scenario, `${scenario} (${fault.what})`, {}),
  );
  return [baseline, ...ofRows(sortedRows(run, task)), ...reasons];
}

/** The lines through the values of a sweep; no table if there are none. */
function fittedTables({ curves }: Run): Table[] {
  const rows = curves.map(({ title, quantity, fixed, slope, misfit, parameter }) => {
    const isCpu = quantity === 'cpuUs';
    const line = [fixed, slope].map((interval) => intervalText(isCpu ? US : MS, interval));
    const fits =
      misfit === undefined
        ? NOT_MEASURED
        : misfit === null
          ? 'yes'
          : `not at ${parameter}=${misfit}`;
    return [`${title}, ${isCpu ? 'server CPU' : 'change'} per request`, ...line, fits];
  });
  const figures = ['Fixed', `For each ${curves[0]?.unit}`, 'A line fits'];
  return rows.length > 0 ? [{ names: ['Cost'], figures, rows }] : [];
}
