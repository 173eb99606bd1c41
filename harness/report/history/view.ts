import type { Run } from '../../analysis/analysis.ts';
import type {
  History,
  HistoryLine,
  HistoryMark,
  HistoryPoint,
  MissingChange,
} from '../../analysis/history.ts';
import { isMarked } from '../../analysis/warnings/list.ts';
import { capitalized, counted } from '../../words/text.ts';
import {
  type Cell,
  type FigureColumn,
  figureColumns,
  intervalCell,
  intervalNote,
  MARK,
  marked,
  multipleIntervalText,
  NOT_MEASURED,
  notKnownNotes,
  PERCENT,
  plain,
  type Section,
  type Table,
  US,
} from '../cells.ts';
import { CPU_COLUMN } from '../columns.ts';
import { factsLine } from '../facts-line.ts';
import { verdictCell } from '../verdict.ts';
import { runLabels } from './labels.ts';
import { HISTORY_WORDS } from './words.ts';

/** What is shown of several results. A format prints the brief, or all. */
export interface HistoryView {
  /** What became of each row. */
  changes: Section;
  /** Where lines break, or software changed. */
  marks: Section;
  /** All results: what each row took. */
  results: Section;
  /** How each result was measured. */
  method: Section;
}

const MULTIPLE_HEADING = "Times the baseline's CPU";
const MULTIPLE_NOTE =
  'x: all CPU of a request, divided by that of the baseline; of all figures ' +
  'it differs least between hours.';

const WARNING_NOTE =
  `${MARK}: a warning is about the row in that result; its own report ` +
  '(report FILE --format full) says which.';

/** Returns what is shown of a history. */
export function historyViewOf(history: History): HistoryView {
  const hasLines = history.lines.length > 0;
  return {
    changes: hasLines ? changesSection(history) : {},
    marks: { list: history.marks.map((mark) => markText(mark, history)) },
    results: hasLines ? resultsSection(history) : {},
    method: { list: methodTexts(history.runs) },
  };
}

function changesSection(history: History): Section {
  const changes = changeTable(history);
  return { tables: [changes], paragraphs: [changeNote(changes)] };
}

function resultsSection(history: History): Section {
  const tables = [multipleTable(history), costTable(history)];
  const note = `${MULTIPLE_NOTE} ${intervalNote(tables, 'the baseline')}`;
  return {
    tables,
    paragraphs: [note, ...(hasWarnings(history) ? [WARNING_NOTE] : [])],
  };
}

/** Returns a mark in words: `(1) 2026-11-05 90c8d32: all lines break: machine.cores was 2, ...`. */
function markText({ number, at, breaks, software, lines }: HistoryMark, history: History): string {
  const broken = [...lines].filter(([, isBroken]) => isBroken).map(([line]) => line);
  const breakText = `${linesText(broken, history)}: ${breaks.join('; ')}`;
  const softwareText = `other software: ${software.join('; ')}`;
  const texts = [
    ...(breaks.length > 0 ? [breakText] : []),
    ...(software.length > 0 ? [softwareText] : []),
  ];
  return `${numberText(number)} ${runLabels(history.runs)[at]}: ${texts.join('. Also ')}.`;
}

/** Of many lines, their number says more than their names. */
const MOST_NAMED = 2;

function linesText(broken: readonly HistoryLine[], { lines }: History): string {
  if (broken.length === lines.length) return lines.length === 1 ? 'the line breaks' : 'lines break';
  if (broken.length > MOST_NAMED) return `${broken.length} of ${lines.length} lines break`;
  const labels = broken.map(({ label }) => label).join(' and ');
  return broken.length === 1 ? `the line of ${labels} breaks` : `the lines of ${labels} break`;
}

/** Returns the number of a mark as tables and lists have it. */
function numberText(number: number): string {
  return `(${number})`;
}

/** Returns the multiples, results down and rows across. */
function multipleTable(history: History): Table {
  return tableOfPoints(history, MULTIPLE_HEADING, ({ multiple }) =>
    plain(multipleIntervalText(multiple)),
  );
}

/** Returns the change of CPU per request, results down and rows across. */
function costTable(history: History): Table {
  return tableOfPoints(history, CPU_COLUMN.heading, ({ cost }) => intervalCell(US, cost));
}

function tableOfPoints(
  { runs, lines, marks }: History,
  name: string,
  cellOf: (point: HistoryPoint) => Cell,
): Table {
  const labels = runLabels(runs);
  const rows = runs.map((run, at) => {
    const mark = marks.find((each) => each.at === at);
    const label = mark ? `${labels[at]} ${numberText(mark.number)}` : (labels[at] ?? '');
    const cells = lines.map(({ points }) => {
      const point = points.find((each) => each.at === at);
      return point ? withWarning(cellOf(point), run, point) : plain(NOT_MEASURED);
    });
    return [plain(label), ...cells];
  });
  return { names: [name], figures: figureColumns(lines.map(({ label }) => label)), rows };
}

function withWarning(cell: Cell, run: Run, point: HistoryPoint): Cell {
  return isMarked(run, point.row) ? marked(cell) : cell;
}

function hasWarnings({ runs, lines }: History): boolean {
  return lines.some(({ points }) =>
    points.some((point) => {
      const run = runs[point.at];
      return run !== undefined && isMarked(run, point.row);
    }),
  );
}

const CHANGE_COLUMNS: FigureColumn[] = [
  { heading: 'Since', isEssential: false },
  { heading: 'First', isEssential: false },
  { heading: 'Last', isEssential: true },
  { heading: 'Change', isEssential: true },
  { heading: 'Verdict', isEssential: true },
];

const MISSING: Record<MissingChange['missing'], string> = {
  'not-in-last': 'not in the last one',
  'few-pairs': 'too few pairs in the last one',
  'nothing-before': 'nothing comparable before it',
};

/** Returns what became of each row. */
function changeTable({ runs, lines }: History): Table {
  const labels = runLabels(runs);
  const rows = lines.map((line) => [plain(line.label), ...changeCells(line, labels)]);
  return { names: ['Scenario'], figures: CHANGE_COLUMNS, rows };
}

function changeNote(table: Table): string {
  const note =
    'First is the earliest result that can be compared with the last one. Change is a share of ' +
    'all that a request took in the first; its ± allows for another speed of the machine.';
  return [note, ...notKnownNotes([table], 'what a request took in the first')].join(' ');
}

function changeCells({ points, change }: HistoryLine, labels: readonly string[]): Cell[] {
  const none = plain(NOT_MEASURED);
  if (change.missing !== null) {
    const last = points.at(-1);
    const text = last ? multipleIntervalText(last.multiple) : NOT_MEASURED;
    const lastCell = change.missing === 'not-in-last' ? none : plain(text);
    return [none, none, lastCell, none, { text: MISSING[change.missing], tone: 'invalid' }];
  }
  const { first, last, relative, direction } = change;
  return [
    plain(labels[first.at] ?? ''),
    plain(multipleIntervalText(first.multiple)),
    plain(multipleIntervalText(last.multiple)),
    intervalCell(PERCENT, relative, 1),
    verdictCell(direction, change, HISTORY_WORDS),
  ];
}

function methodTexts(runs: readonly Run[]): string[] {
  const labels = runLabels(runs);
  return runs.map((run, at) => {
    const count = run.warnings.length;
    const warnings = count === 0 ? 'no warnings' : counted(count, 'warning');
    return `${labels[at]}: ${factsLine(run)} ${capitalized(warnings)}.`;
  });
}
