import type { Run } from '../analysis/analysis.ts';
import { type Neighbours, productNeighbours } from '../analysis/neighbours.ts';
import { hasFootprint } from '../analysis/rows.ts';
import { isMarked, type Warning, type WarningKind } from '../analysis/warnings/list.ts';
import { briefWarnings, warningText } from './brief-warnings.ts';
import { captionOf } from './caption.ts';
import type { Section, Table } from './cells.ts';
import { methodNotes } from './method-notes.ts';
import { neighbourTexts } from './neighbours-text.ts';
import { rateTables } from './rate-tables.ts';
import { curveTables, type Form, formOf, matrixTable, scenarioTable } from './tables.ts';

/*
 * This room prints what an analysis says. A run goes in; a view is chosen once, and every format
 * prints it: text, a page, a picture, JSON. Nothing is computed here that another room could want:
 * figures and verdicts belong to `analysis/`.
 */

/** What is shown of a run. A format prints the brief, or the opening and all details. */
export interface View {
  /** What a reader came for, with the warnings that matter most. */
  brief: Section;
  /** The same tables, without warnings, and with a caption for the tables of the details, too. */
  opening: Section;
  /** What servers take beside their work, one of those tables; null if the suite does not ask. */
  footprint: Table | null;
  details: Detail[];
}

export type DetailKind = 'costs' | 'load' | 'resources' | 'warnings' | 'method';

/** What else is told of a run. */
export interface Detail extends Section {
  kind: DetailKind;
  heading: string;
}

/** Tables of the full view, after the first one. */
const DETAILS = [
  { kind: 'costs', heading: 'Each scenario minus the baseline' },
  { kind: 'load', heading: 'What a client sees of each server' },
  { kind: 'resources', heading: 'What each server uses' },
] as const;

/** Returns what is shown of a run. */
export function viewOf(run: Run): View {
  const form = formOf(run);
  const footprint = hasFootprint(run) ? scenarioTable(run, 'footprint') : null;
  const neighbours = hasRowsInOrder(form)
    ? productNeighbours(run, (row) => !isMarked(run, row))
    : [];
  const tables = [
    ...firstTables(run, form, neighbours),
    ...(footprint ? [footprint] : []),
    ...curveTables(run),
  ];
  const moreTables = tableDetails(run, form);
  const allTables = [...tables, ...moreTables.flatMap((detail) => detail.tables)];
  const list = [...run.header.suite.remarks, ...neighbourTexts(run, neighbours)];
  return {
    brief: {
      tables,
      paragraphs: captionOf(run, form, tables),
      list,
      warnings: briefWarnings(run, shownWarnings(run, form)),
    },
    opening: { tables, paragraphs: captionOf(run, form, allTables), list },
    footprint,
    details: [...moreTables, warningsDetail(run), methodDetail(run)],
  };
}

/** Only these tables have the rows of a task below each other, products in the order of cost. */
function hasRowsInOrder(form: Form): boolean {
  return form === 'costs' || form === 'rate';
}

/** Returns the tables of the full view, without the one that the brief begins with. */
function tableDetails(run: Run, form: Form): (Detail & { tables: Table[] })[] {
  return DETAILS.filter(({ kind }) => kind !== form).map(({ kind, heading }) => ({
    kind,
    heading,
    tables: [scenarioTable(run, kind)],
  }));
}

function warningsDetail(run: Run): Detail {
  const warnings = run.warnings.map(warningText);
  const list = warnings.length > 0 ? [] : ['None.'];
  return { kind: 'warnings', heading: 'Warnings', warnings, list };
}

function methodDetail(run: Run): Detail {
  return { kind: 'method', heading: 'How it was measured', list: methodNotes(run) };
}

function firstTables(run: Run, form: Form, neighbours: readonly Neighbours[]): Table[] {
  if (form === 'rates') return rateTables(run);
  return [form === 'matrix' ? matrixTable(run) : scenarioTable(run, form, neighbours)];
}

/** Returns all that is told of a run, in one list. */
export function fullSections({ opening, details }: View): Section[] {
  return [opening, ...details];
}

/** Returns the warnings about what a table of this form shows. */
function shownWarnings(run: Run, form: Form): Warning[] {
  const showsLatency = hasRowsInOrder(form) || run.curves.length > 0;
  if (showsLatency) return run.warnings;
  // Its percentiles wait for a CPU quota, too.
  return without(form === 'rates' ? ['load-tool'] : OF_LATENCY, run.warnings);
}

/** What these kinds of warnings say is about latency alone. */
const OF_LATENCY: readonly WarningKind[] = ['cpu-quota', 'load-tool'];

function without(kinds: readonly WarningKind[], warnings: readonly Warning[]): Warning[] {
  return warnings.filter(({ kind }) => !kinds.includes(kind));
}

/** What a reader must know beside a table: what its suite remarks, and what speaks against it. */
export interface Remarks {
  list: string[];
  warnings: string[];
}

/** Returns what a reader of a run must know, beside a table of CPU times without marks. */
export function remarksOf({ header, warnings }: Run): Remarks {
  const texts = without(OF_LATENCY, warnings).map((warning) =>
    warningText({ ...warning, scenario: null }),
  );
  return { list: header.suite.remarks, warnings: texts };
}
