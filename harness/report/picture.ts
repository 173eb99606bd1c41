import { html } from 'hono/html';
import { holdsZero } from '../analysis/estimate.ts';
import { type Analysis, type Quantity, type Row, rowsOf } from '../analysis/model.ts';
import { intervalCell } from './columns.ts';
import { COSTS } from './tables.ts';
import { counted, printable, shortened } from './text.ts';
import { CHANGE_UNITS } from './units.ts';

/** Markup in which whatever was put in is escaped. No promise is ever put in, so none comes out. */
export type Markup = ReturnType<typeof html>;

/** In px, for a screen of 375 px; two of them stand side by side in a README. */
const WIDTH = 340;
const GAP = 40;
const ROW_HEIGHT = 46;
const LINE_HEIGHT = 22;
const AXIS_HEIGHT = 28;
/** The dots of a row begin and end here; its figure stands at their right, its title above them. */
const FROM = 8;
const TO = 196;
/** Of a title, so that the widest letters have room. */
const MOST_CHARACTERS = 36;

/** Main text of GitHub, light and dark. */
const INK = { light: '#1f2328', dark: '#e6edf3' };
/** Mid-tones of more than 3:1 against white and GitHub's dark; colour-blind people tell them apart. */
const EFFECT = '#2f7fc1';
const NO_EFFECT = '#7d848c';

/** All drawings on a transparent background for a light or a dark page. */
export function picture(analysis: Analysis, scheme: 'light' | 'dark'): string {
  const drawings = drawingsOf(analysis);
  const label = drawings.map((drawing) => drawing.label).join(' ');
  const height = Math.max(0, ...drawings.map((drawing) => drawing.y + drawing.height));
  const content = drawings.map(({ x, y, content }) => html`<g transform="translate(${x},${y})">${content}</g>\n`);
  return printable(String(asSvg({ label, height, content }, 2 * WIDTH + GAP, INK[scheme])));
}

type Drawing = ReturnType<typeof drawn>;

/** As an element that is one labelled image, if not told otherwise in the colour of the text around it. */
export function asSvg({ label, height, content }: Drawing, width = WIDTH, color = 'currentColor'): Markup {
  return html`<svg color="${color}" xmlns="http://www.w3.org/2000/svg" role="img" aria-label="${label}"
width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"
font-family="system-ui, sans-serif" font-size="12" fill="currentColor">${content}</svg>`;
}

/** One for each quantity that was measured, side by side, tasks one below the other. */
export function drawingsOf({ tasks, run }: Analysis) {
  const connections = counted(run.configuration.connections, 'connection');
  const headings = {
    latencyUs: `Change per request at ${connections}, ms`,
    cpuUs: 'Change of server CPU per request, µs',
  };
  let y = 0;
  return tasks.flatMap((task) => {
    const rows = rowsOf(task);
    const measured = COSTS.filter((quantity) => rows.some(({ change }) => change[quantity]));
    const title = tasks.length > 1 ? [shortened(task.title, MOST_CHARACTERS)] : [];
    const drawings = measured.map((quantity, index) => ({
      ...drawn(rows, quantity, [...title, headings[quantity]]),
      x: index * (WIDTH + GAP),
      y,
    }));
    y += drawings[0]?.height ?? 0;
    return drawings;
  });
}

/** Under the lines of its heading the rows, and under them an axis from zero to the farthest figure. */
function drawn(rows: Row[], quantity: Quantity, heading: string[]) {
  const top = heading.length * LINE_HEIGHT;
  const bottom = top + rows.length * ROW_HEIGHT;
  const labels = rows.map((row) => `${shortened(row.title)} ${figureOf(row, quantity)}.`);
  const { x, farthest } = scaleOf(rows, quantity);
  const tick = (figure: number) =>
    html`<text x="${x(figure)}" y="${bottom + 18}" text-anchor="middle">${Number(figure.toPrecision(2))}</text>\n`;
  const content = [
    ...heading.map((line, index) => html`<text y="${14 + index * LINE_HEIGHT}" font-weight="600">${line}</text>\n`),
    ...rows.map((row, index) => drawnRow(row, top + index * ROW_HEIGHT, quantity, x)),
    html`<path d="M${FROM} ${bottom}H${TO}" stroke="currentColor" opacity="0.4"/>\n`,
    tick(0),
    tick(farthest),
  ];
  return { label: `${heading.join(', ')}: ${labels.join(' ')}`, height: bottom + AXIS_HEIGHT, content };
}

/** Where a figure stands, in the unit that is printed, and the one that is farthest from zero. */
function scaleOf(rows: Row[], quantity: Quantity) {
  const { factor } = CHANGE_UNITS[quantity];
  const figures = rows
    .flatMap(({ change }) => change[quantity] ?? [])
    .flatMap(({ estimate, differences }) => [estimate.low, estimate.high, ...differences])
    .filter(Number.isFinite)
    .map((figure) => figure * factor);
  const [low, high] = [Math.min(0, ...figures), Math.max(0, ...figures)];
  const x = (figure: number) => (FROM + ((figure - low) / (high - low || 1)) * (TO - FROM)).toFixed(1);
  return { x, farthest: high > -low ? high : low };
}

/** Title and figure, the interval over faint dots for the pairs, and a line at zero. */
function drawnRow(row: Row, y: number, quantity: Quantity, x: (figure: number) => string): Markup {
  const { factor } = CHANGE_UNITS[quantity];
  const at = (figure: number) => x(figure * factor);
  const { estimate, differences } = row.change[quantity] ?? { estimate: null, differences: [] };
  const color = estimate && !holdsZero(estimate) ? EFFECT : NO_EFFECT;
  const hasInterval = estimate && Number.isFinite(estimate.low);
  return html`<g transform="translate(0,${y})"><text y="10">${shortened(row.title, MOST_CHARACTERS)}</text>
<text x="${WIDTH}" y="28" text-anchor="end">${figureOf(row, quantity)}</text>
<path d="M${x(0)} 14v26" stroke="currentColor"/><g fill="${color}">
${differences.map((each) => html`<circle cx="${at(each)}" cy="32" r="3" opacity="0.5"/>`)}
${hasInterval && html`<path d="M${at(estimate.low)} 24H${at(estimate.high)}" stroke="${color}" stroke-width="3"/>`}
${estimate && html`<circle cx="${at(estimate.value)}" cy="24" r="4.5"/>`}</g></g>\n`;
}

function figureOf({ change, invalid }: Row, quantity: Quantity): string {
  const measured = change[quantity];
  if (!measured) return invalid.length > 0 ? 'invalid' : 'not measured';
  return intervalCell(quantity, measured.estimate).replace(/ \(.*\)$/, '');
}
