import { html } from 'hono/html';
import type { Run } from '../analysis/analysis.ts';
import { holdsZero, isInsignificant } from '../analysis/estimate.ts';
import type { Quantity } from '../analysis/figures.ts';
import { type Row, sortedRows, type TaskAnalysis } from '../analysis/rows.ts';
import { counted, printable } from '../words/text.ts';
import { CHANGE_UNITS, intervalText, MARK } from './cells.ts';
import {
  axis,
  changeScale,
  type Drawing,
  EFFECT,
  faint,
  heading,
  LINE_HEIGHT,
  type Markup,
  mark,
  NO_EFFECT,
  shortened,
  text,
  WIDTH,
} from './plot.ts';

/** In px: of rows, of their titles at the left, of their figures at the right, and of the numbers at an axis. */
const ROW_HEIGHT = 20;
const TITLES = 250;
const FIGURES = 120;
const AXIS = 24;
/** Main text of GitHub, light and dark. */
const INK = { light: '#1f2328', dark: '#e6edf3' };

/** What a reader of a drawing must know, a line each. */
export const CAPTION = [
  'Mark: mean over all pairs; hollow if spans were lost. Whisker: 95 % interval. Faint dots: single pairs.',
  `Grey: no significant difference. ${MARK}: a warning changes how the row is to be read; it stands beside the table.`,
];

/** All drawings with their caption, on a transparent background for a light or a dark page. */
export function picture(run: Run, scheme: 'light' | 'dark'): string {
  const drawings = drawingsOf(run);
  let height = 0;
  const content = drawings.map((drawing) => {
    const top = height;
    height += drawing.height;
    return html`<g transform="translate(0,${top})">${drawing.content}</g>\n`;
  });
  const caption = CAPTION.map((line, index) => text(0, height + 14 + index * 16, 'start', line));
  const label = drawings.map((drawing) => drawing.label).join(' ');
  return printable(String(asSvg({ label, height: height + 40, content: [...content, ...caption] }, INK[scheme])));
}

/** As an element that is one labelled image, if not told otherwise in the colour of the text around it. */
export function asSvg({ label, height, content }: Drawing, color = 'currentColor'): Markup {
  return html`<svg color="${color}" xmlns="http://www.w3.org/2000/svg" role="img" aria-label="${label}"
width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}"
font-family="system-ui, sans-serif" font-size="12" fill="currentColor">${content}</svg>`;
}

/** One for each task in which something was measured. */
export function drawingsOf(run: Run): Drawing[] {
  return run.tasks.flatMap((task) => rowsDrawing(run, task));
}

/** Titles at the left, then a panel for each cost. None if nothing was measured. */
function rowsDrawing(run: Run, task: TaskAnalysis): Drawing[] {
  const rows = sortedRows(run, task);
  const wanted: Quantity[] = [task.rate === null ? 'latencyUs' : 'p99Us', 'cpuUs'];
  const costs = wanted.filter((cost) => rows.some(({ change }) => change[cost]));
  if (costs.length === 0) return [];
  const kindsOf = (row: Row) => run.warnings.flatMap((each) => (isAbout(each, row) ? [each.kind] : []));
  const marked = rows.map((row) => ({ row, kinds: kindsOf(row) }));
  const top = (run.tasks.length > 1 ? 2 : 1) * LINE_HEIGHT;
  const titles = marked.map(({ row: { title }, kinds }, index) => {
    const sign = kinds.length > 0 ? ` ${MARK}` : '';
    return html`${text(0, yOf(index, top) + 4, 'start', shortened(title, TITLES - 16) + sign)}\n`;
  });
  const width = (WIDTH - TITLES) / costs.length;
  const panels = costs.flatMap((cost, index) =>
    panel(task, marked, cost, { left: TITLES + index * width, width, top }),
  );
  const seen = costs.flatMap((cost) => rows.map((row) => `${row.title} ${figureOf(row, cost, false)}.`));
  return [
    {
      label: `${[...(run.tasks.length > 1 ? [task.title] : []), ...costs.map((cost) => nameOf(cost, task))].join(', ')}: ${seen.join(' ')}`,
      height: top + rows.length * ROW_HEIGHT + AXIS + 8,
      content: [...(run.tasks.length > 1 ? [heading(0, 14, shortened(task.title, WIDTH))] : []), ...titles, ...panels],
    },
  ];
}

/** What every row costs more, in the unit that is printed. */
function panel(
  task: TaskAnalysis,
  marked: { row: Row; kinds: string[] }[],
  cost: Quantity,
  { left, width, top }: Record<'left' | 'width' | 'top', number>,
): Markup[] {
  const { factor } = CHANGE_UNITS[cost];
  const estimates = marked.flatMap(({ row }) => row.change[cost]?.estimate ?? []);
  const finite = (values: number[]) => values.filter(Number.isFinite).map((value) => value * factor);
  const all = marked.flatMap(({ row }) => row.change[cost]?.differences ?? []);
  const sizes = estimates.filter((each) => !holdsZero(each)).map(({ value }) => Math.abs(value));
  const { scale, isLog, ticks } = changeScale(
    finite([...all, ...estimates.flatMap(({ low, high }) => [low, high])]),
    finite(sizes),
    [left + 8, left + width - FIGURES],
  );
  const bottom = top + marked.length * ROW_HEIGHT;
  const rows = marked.map(({ row, kinds }, index) => {
    const y = yOf(index, top);
    const { estimate, differences } = row.change[cost] ?? { estimate: null, differences: [] };
    const color = estimate && !holdsZero(estimate) ? EFFECT : NO_EFFECT;
    const ends: [number, number] = [scale((estimate?.low ?? 0) * factor), scale((estimate?.high ?? 0) * factor)];
    const place = scale((estimate?.value ?? 0) * factor);
    return html`${differences.map((each) => faint([scale(each * factor), y], color))}
${estimate && mark([place, y], ends, color, kinds.includes('dropped-spans'))}
${text(left + width - 4, y + 4, 'end', figureOf(row, cost, true))}\n`;
  });
  const name = heading(left + 8, top - 8, nameOf(cost, task) + (isLog ? ' (log)' : ''));
  return [name, ...axis({ scale, ticks }, top, bottom), ...rows];
}

function nameOf(cost: Quantity, { connections, rate }: TaskAnalysis): string {
  if (cost === 'cpuUs') return 'Server CPU per request, µs';
  return cost === 'p99Us' ? `Change of p99 at ${rate}/s, ms` : `Change at ${counted(connections, 'connection')}, ms`;
}

function figureOf({ change, faults }: Row, cost: Quantity, isShort: boolean): string {
  const measured = change[cost]?.estimate;
  if (!measured) return faults.length > 0 ? 'invalid' : 'not measured';
  return isShort && isInsignificant(measured) ? 'n.s.' : intervalText(cost, measured, true);
}

function isAbout(warning: Run['warnings'][number], row: Row): boolean {
  return warning.task === row.task && warning.scenario === row.scenario;
}

const yOf = (index: number, top: number) => top + (index + 0.5) * ROW_HEIGHT;
