import type { Run } from '../analysis/analysis.ts';
import {
  type Baseline,
  type Row,
  rowsWithNoiseFloor,
  sortedRows,
  type TaskAnalysis,
} from '../analysis/rows.ts';
import { isMarked } from '../analysis/warnings/list.ts';

/** The tables that list scenarios. */
export type TableKind = 'costs' | 'footprint' | 'rate' | 'calibration' | 'load' | 'resources';

/**
 * What a line of a table is about: a row, a baseline, which has less, or what was skipped, which
 * has nothing.
 */
export type LineSubject = Pick<Row, 'figures' | 'footprint' | 'faults'> & {
  [Field in 'change' | 'cpuMultiple' | 'trueCostsUs' | 'costError' | 'pairs' | 'receiver']:
    | Row[Field]
    | null;
};

/** A line of a table. */
export interface Line {
  /** The same server has the same key in every task. */
  key: string;
  task: TaskAnalysis;
  title: string;
  /** Whether a warning is about it. */
  isMarked: boolean;
  subject: LineSubject;
}

const NOTHING: LineSubject = {
  figures: null,
  footprint: null,
  faults: [],
  change: null,
  cpuMultiple: null,
  trueCostsUs: null,
  costError: null,
  pairs: null,
  receiver: null,
};

/** Returns the lines of a task in a table of this kind. */
export function linesOf(run: Run, task: TaskAnalysis, kind: TableKind): Line[] {
  switch (kind) {
    case 'calibration':
      return rowsWithNoiseFloor(task)
        .filter(({ trueCostsUs }) => trueCostsUs !== null)
        .map((row) => rowLine(run, task, row));
    case 'load':
    case 'resources':
      return [baselineLine(task), ...task.rows.map((row) => rowLine(run, task, row))];
    default:
      return [
        baselineLine(task),
        ...sortedRows(run, task).map((row) => rowLine(run, task, row)),
        ...skippedLines(run, task),
      ];
  }
}

function rowLine(run: Run, task: TaskAnalysis, row: Row): Line {
  const { title, scenario: key } = row;
  return { key, task, title, isMarked: isMarked(run, row), subject: subjectOf(row) };
}

/** No warning is about a baseline. */
function baselineLine(task: TaskAnalysis): Line {
  const { title } = task.baseline;
  return { key: '', task, title, isMarked: false, subject: subjectOf(task.baseline) };
}

/** Returns what a line tells of a row, or of a baseline, which has less. */
export function subjectOf(server: Baseline | Row): LineSubject {
  if ('change' in server) return { ...NOTHING, ...server };
  const { figures, footprint } = server;
  return { ...NOTHING, figures, footprint };
}

/**
 * Returns a line with its reason for each scenario of the task that could not be measured here. No
 * warning is about one.
 */
function skippedLines(run: Run, task: TaskAnalysis): Line[] {
  const skipped = run.header.suite.skipped.filter(({ tasks }) => tasks.includes(task.name));
  return skipped.map(({ scenario, fault }) => ({
    key: scenario,
    task,
    title: `${scenario} (${fault.what})`,
    isMarked: false,
    subject: NOTHING,
  }));
}

/** Returns whether the line has faults, and so no figures. */
export function isInvalid({ subject }: Line): boolean {
  return subject.faults.length > 0;
}
