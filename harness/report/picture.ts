import { type ScaleContinuousNumeric, scaleLinear, scaleSymlog } from 'd3-scale';
import { html } from 'hono/html';
import { extent, max, min } from 'simple-statistics';
import type { Run } from '../analysis/analysis.ts';
import { holdsZero, isInsignificant } from '../analysis/estimate.ts';
import type { Quantity } from '../analysis/figures.ts';
import { type Row, sortedRows, type TaskAnalysis } from '../analysis/rows.ts';
import { counted, printable } from '../words/text.ts';
import { CHANGE_UNITS, intervalText, MARK } from './cells.ts';

/** Markup in which whatever was put in is escaped. No promise is ever put in, so none comes out. */
export type Markup = ReturnType<typeof html>;
/** One labelled image, as wide as all of them. */
interface Drawing {
  label: string;
  height: number;
  content: Markup[];
}
type Point = [x: number, y: number];

/** In px: of all drawings, what a README has for a picture; of titles at the left, and of figures at the right. */
const WIDTH = 832;
const TITLES = 305;
const FIGURES = 112;
/** Of rows, of headings, and of the numbers at an axis, which are so far apart. */
const ROW_HEIGHT = 20;
const LINE_HEIGHT = 22;
const AXIS = 24;
const APART = 30;
/** Of a digit, at most. */
const DIGIT = 7;
/** Of a mark, and of the caps of its whisker. */
const RADIUS = 2.5;
const CAP = 4.5;
/** Main text of GitHub, light and dark. */
const INK = { light: '#1f2328', dark: '#e6edf3' };
/** Mid-tones of more than 3:1 against white and GitHub's dark; colour-blind people tell them apart. */
const EFFECT = '#2f7fc1';
const NO_EFFECT = '#7d848c';
/** What is so much larger than another needs a logarithmic scale for both to be seen. */
const WIDE = 20;

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

/** One for each task in which something was measured: titles at the left, then a panel for each cost. */
export function drawingsOf(run: Run): Drawing[] {
  const hasName = run.tasks.length > 1;
  const top = (hasName ? 2 : 1) * LINE_HEIGHT;
  return run.tasks.flatMap((task) => {
    const rows = sortedRows(run, task);
    const wanted: Quantity[] = [task.rate === null ? 'latencyUs' : 'p99Us', 'cpuUs'];
    const costs = wanted.filter((cost) => rows.some(({ change }) => change[cost]));
    const width = (WIDTH - TITLES) / costs.length;
    const titles = rows.map((row, index) => {
      const sign = warningsOf(run, row).length > 0 ? ` ${MARK}` : '';
      return html`${text(0, yOf(index, top) + 4, 'start', shortened(row.title, TITLES - 16) + sign)}\n`;
    });
    const panels = costs.flatMap((cost, index) => panel(run, task, rows, cost, TITLES + index * width, width, top));
    const seen = costs.flatMap((cost) => rows.map((row) => `${row.title} ${figureOf(row, cost, false)}.`));
    const names = [...(hasName ? [task.title] : []), ...costs.map((cost) => nameOf(cost, task))];
    const name = hasName ? [heading(0, 14, shortened(task.title, WIDTH))] : [];
    const height = top + rows.length * ROW_HEIGHT + AXIS + 8;
    const label = `${names.join(', ')}: ${seen.join(' ')}`;
    return costs.length > 0 ? [{ label, height, content: [...name, ...titles, ...panels] }] : [];
  });
}

/** What every row costs more, in the unit that is printed. */
function panel(run: Run, task: TaskAnalysis, rows: Row[], cost: Quantity, left: number, width: number, top: number) {
  const { factor } = CHANGE_UNITS[cost];
  const estimates = rows.flatMap(({ change }) => change[cost]?.estimate ?? []);
  const single = rows.flatMap(({ change }) => change[cost]?.differences ?? []);
  const values = [...single, ...estimates.flatMap(({ low, high }) => [low, high])].filter(Number.isFinite);
  const sizes = estimates.filter((each) => !holdsZero(each)).map(({ value }) => Math.abs(value));
  const inUnit = (of: number[]) => of.map((value) => value * factor);
  const { scale, ticks, isLog } = scaleOf(inUnit(values), inUnit(sizes), [left + 8, left + width - FIGURES]);
  const placed = (of: number[]) => inUnit(of).map((value) => scale(value));
  const name = heading(left + 8, top - 8, nameOf(cost, task) + (isLog ? ' (log)' : ''));
  const marks = rows.map((row, index) => {
    const y = yOf(index, top);
    const { estimate, differences } = row.change[cost] ?? { estimate: null, differences: [] };
    const color = estimate && !holdsZero(estimate) ? EFFECT : NO_EFFECT;
    const [low = 0, place = 0, high = 0] = placed(estimate ? [estimate.low, estimate.value, estimate.high] : []);
    const isHollow = warningsOf(run, row).some(({ kind }) => kind === 'dropped-spans');
    return html`${placed(differences).map((x) => html`<g opacity="0.35">${dot([x, y], 1.5, color)}</g>`)}
${estimate && mark([place, y], [low, high], color, isHollow)}
${text(left + width - 4, y + 4, 'end', figureOf(row, cost, true))}\n`;
  });
  return [name, ...axis(scale, ticks, top, top + rows.length * ROW_HEIGHT), ...marks];
}

/** A scale on which zero and all values are, and its ticks. Logarithmic on both sides of zero if `sizes` differ that much. */
function scaleOf(values: number[], sizes: number[], range: [from: number, to: number]) {
  const domain = extent([0, ...values]);
  const smallest = 10 ** Math.floor(Math.log10(min([1, ...sizes])));
  const isLog = sizes.length > 1 && max(sizes) > WIDE * min(sizes);
  const scale: Scale = isLog ? scaleSymlog().constant(smallest) : scaleLinear();
  const powers = [0, 1, 2, 3, 4, 5, 6].map((power) => smallest * 10 ** power);
  scale.domain(domain).range(range);
  const isShown = (tick: number) => tick <= domain[1] && scale(tick) - scale(0) > APART;
  return { scale, isLog, ticks: isLog ? [0, ...powers.filter(isShown)] : linearTicks(scale) };
}
type Scale = ScaleContinuousNumeric<number, number>;

/** As many as about four whose numbers don't touch. */
function linearTicks(scale: Scale): number[] {
  const isApart = (ticks: number[]) => {
    const digits = max(ticks.map((tick) => String(tick).length));
    const [one = 0, two = one] = ticks;
    return one === two || scale(two) - scale(one) > (digits + 1) * DIGIT;
  };
  return [4, 3, 2].map((count) => scale.ticks(count)).find(isApart) ?? [0];
}

/** Thin lines at the ticks, from top to bottom, with their numbers below. */
function axis(scale: Scale, ticks: number[], top: number, bottom: number): Markup[] {
  return ticks.map((tick) => {
    const x = scale(tick).toFixed(1);
    const opacity = tick === 0 ? 0.6 : 0.15;
    return html`<path d="M${x} ${top}V${bottom}" stroke="currentColor" opacity="${opacity}"/>${text(x, bottom + 14, 'middle', tick)}\n`;
  });
}

/** A mark, hollow or filled, on its whisker, which has caps. One without an end is left out. */
function mark([x, y]: Point, ends: number[], color: string, isHollow: boolean): Markup {
  const [low, high] = ends.map((end) => end.toFixed(1));
  const cap = `${y - CAP}V${y + CAP}`;
  const whisker = html`<path d="M${low} ${y}H${high}M${low} ${cap}M${high} ${cap}" stroke="${color}" fill="none"/>`;
  return html`${ends.every(Number.isFinite) && whisker}${dot([x, y], isHollow ? RADIUS + 1 : RADIUS, color, isHollow)}\n`;
}

function dot([x, y]: Point, radius: number, color: string, isHollow = false): Markup {
  const fill = isHollow ? 'none' : color;
  return html`<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${radius}" fill="${fill}" stroke="${color}"/>`;
}

function text(x: number | string, y: number, anchor: 'start' | 'middle' | 'end', content: string | number): Markup {
  return html`<text x="${x}" y="${y}" text-anchor="${anchor}">${content}</text>`;
}

function heading(x: number, y: number, content: string): Markup {
  return html`<text x="${x}" y="${y}" font-weight="600">${content}</text>\n`;
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

const warningsOf = ({ warnings }: Run, { task, scenario }: Row) =>
  warnings.filter((each) => each.task === task && each.scenario === scenario);

const yOf = (index: number, top: number) => top + (index + 0.5) * ROW_HEIGHT;

/** A title that fits into so many px, by what letters take in a usual font. */
function shortened(title: string, width: number): string {
  const widthOf = (character: string) =>
    /[MWmw@\u2014\u1100-\uffff]/.test(character) ? 12 : /[A-Z]/.test(character) ? 8 : 6.3;
  const widths = [...title].map(widthOf);
  const end = widths.findIndex((_, index) => widths.slice(0, index + 1).reduce((sum, each) => sum + each, 0) > width);
  return end < 0 ? title : `${[...title].slice(0, end - 1).join('')}…`;
}
