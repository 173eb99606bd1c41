import { html, raw } from 'hono/html';
import { parse, View } from 'vega';
import { type Config, compile, type TopLevelSpec } from 'vega-lite';
import type { Analysis } from '../analysis/analysis.ts';
import { holdsZero, scaled } from '../analysis/estimate.ts';
import type { Quantity } from '../analysis/figures.ts';
import { type Row, rowsOf } from '../analysis/task.ts';
import { COSTS } from './tables.ts';
import { counted, printable } from './text.ts';
import { CHANGE_UNITS, intervalCell } from './units.ts';

/** Markup in which whatever was put in is escaped. No promise is ever put in, so none comes out. */
export type Markup = ReturnType<typeof html>;

/** In px, for a screen of 375 px; two of them stand side by side in a README. */
const WIDTH = 340;
const GAP = 40;
const ROW_HEIGHT = 46;
const LINE_HEIGHT = 22;
/** Above and below the rows. */
const MARGIN = { top: 4, bottom: 24 };
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

const colors = ['label', 'domain', 'tick', 'grid'].map((part) => [`${part}Color`, 'currentColor']);
const config: Config = {
  font: 'system-ui, sans-serif',
  background: 'transparent',
  // The drawing has one label for all of it; one for each mark would make the file several times as large.
  aria: false,
  view: { stroke: null },
  axis: { ...Object.fromEntries(colors), labelFontSize: 12, gridOpacity: 0.15, domainOpacity: 0.4 },
};

/** All drawings on a transparent background for a light or a dark page. */
export async function picture(analysis: Analysis, scheme: 'light' | 'dark'): Promise<string> {
  const tasks = await drawingsOf(analysis);
  const content: Markup[] = [];
  let height = 0;
  for (const drawings of tasks) {
    for (const [at, drawing] of drawings.entries())
      content.push(html`<g transform="translate(${at * (WIDTH + GAP)},${height})">${drawing.content}</g>\n`);
    height += drawings[0]?.height ?? 0;
  }
  const label = tasks.flatMap((drawings) => drawings.map((drawing) => drawing.label)).join(' ');
  return printable(String(asSvg({ label, height, content }, 2 * WIDTH + GAP, INK[scheme])));
}

type Drawing = Awaited<ReturnType<typeof drawn>>;

/** As an element that is one labelled image, if not told otherwise in the colour of the text around it. */
export function asSvg({ label, height, content }: Drawing, width = WIDTH, color = 'currentColor'): Markup {
  return html`<svg color="${color}" xmlns="http://www.w3.org/2000/svg" role="img" aria-label="${label}"
width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"
font-family="system-ui, sans-serif" font-size="12" fill="currentColor">${content}</svg>`;
}

/** For each task one drawing of each quantity that was measured. */
export function drawingsOf({ tasks, run }: Analysis): Promise<Drawing[][]> {
  const headings = {
    latencyUs: `Change per request at ${counted(run.configuration.connections, 'connection')}, ms`,
    cpuUs: 'Change of server CPU per request, µs',
  };
  const ofTasks = tasks.map((task) => {
    const rows = rowsOf(task);
    const title = tasks.length > 1 ? [shortened(task.title)] : [];
    const measured = COSTS.filter((quantity) => rows.some(({ change }) => change[quantity]));
    return Promise.all(measured.map((quantity) => drawn(rows, quantity, [...title, headings[quantity]])));
  });
  return Promise.all(ofTasks);
}

/** The rows under the lines of their heading. */
async function drawn(rows: Row[], quantity: Quantity, heading: string[]) {
  const top = heading.length * LINE_HEIGHT;
  const labels = rows.map((row) => `${row.title} ${figureOf(row, quantity)}.`);
  const plot = await plotted(rows.map((row, y) => drawnRow(row, y, quantity)));
  const content = [
    ...heading.map((line, index) => html`<text y="${14 + index * LINE_HEIGHT}" font-weight="600">${line}</text>\n`),
    html`<g transform="translate(0,${top})">${raw(plot)}</g>`,
  ];
  const height = top + MARGIN.top + rows.length * ROW_HEIGHT + MARGIN.bottom;
  return { label: `${heading.join(', ')}: ${labels.join(' ')}`, height, content };
}

/** A row as it is drawn: its place from the top, and figures in the unit that is printed. */
function drawnRow(row: Row, y: number, quantity: Quantity) {
  const { factor } = CHANGE_UNITS[quantity];
  const { estimate, differences } = row.change[quantity] ?? { estimate: null, differences: [] };
  return {
    y,
    title: shortened(row.title),
    text: figureOf(row, quantity),
    color: estimate && !holdsZero(estimate) ? EFFECT : NO_EFFECT,
    differences: differences.map((difference) => difference * factor),
    ...(estimate && scaled(estimate, factor)),
  };
}

function figureOf({ change, invalid }: Row, quantity: Quantity): string {
  const measured = change[quantity];
  if (!measured) return invalid.length > 0 ? 'invalid' : 'not measured';
  return intervalCell(quantity, measured.estimate).replace(/ \(.*\)$/, '');
}

function shortened(title: string): string {
  const characters = [...title];
  return characters.length > MOST_CHARACTERS ? `${characters.slice(0, MOST_CHARACTERS - 1).join('')}…` : title;
}

/** For each row its name and figure, its interval over faint dots for its pairs, and a line at zero. */
function specOf(rows: ReturnType<typeof drawnRow>[]): TopLevelSpec {
  const scale = { domain: [rows.length - 0.5, -0.5], nice: false, zero: false };
  const y = { field: 'y', type: 'quantitative', axis: null, scale };
  const x = { type: 'quantitative', title: null, axis: { tickCount: 3 } };
  const color = { field: 'color', type: 'nominal', scale: null };
  const text = (field: string, at: number, align: 'left' | 'right', dy: number) => ({
    mark: { type: 'text', align, baseline: 'middle', dy, fontSize: 12, color: 'currentColor' },
    encoding: { y, x: { value: at - FROM }, text: { field } },
  });
  const dots = (field: string, look: object) => ({
    mark: { type: 'point', filled: true, ...look },
    encoding: { y, x: { ...x, field }, color },
  });
  return {
    ...{ width: TO - FROM, height: rows.length * ROW_HEIGHT, autosize: 'none', config },
    padding: { left: FROM, right: WIDTH - TO, ...MARGIN },
    data: { values: rows },
    layer: [
      {
        mark: { type: 'tick', orient: 'vertical', size: 26, thickness: 1, yOffset: 3, color: 'currentColor' },
        encoding: { y, x: { ...x, datum: 0 } },
      },
      { transform: [{ flatten: ['differences'] }], ...dots('differences', { size: 30, opacity: 0.5, yOffset: 8 }) },
      {
        mark: { type: 'rule', strokeWidth: 3 },
        encoding: { y, x: { ...x, field: 'low' }, x2: { field: 'high' }, color },
      },
      dots('value', { size: 60, opacity: 1 }),
      text('title', 0, 'left', -18),
      text('text', WIDTH, 'right', 0),
    ],
  } as TopLevelSpec;
}

/** A quarter of the text that Vega writes into tags, and of no effect in a drawing that is one labelled image. */
const IDLE =
  / (?:pointer-events="none"|opacity="1"|aria-\w+="[\w ]*"|role="graphics-\w+"|xmlns:\w+="[^"]*")(?=[^<>]*>)/g;

/**
 * What Vega draws, as elements. It measures texts wrongly without a canvas; so all places are given, and none follow from
 * the width of a text.
 */
async function plotted(rows: ReturnType<typeof drawnRow>[]): Promise<string> {
  const view = new View(parse(compile(specOf(rows)).spec), { renderer: 'none' });
  const svg = (await view.toSVG()).replace(IDLE, '');
  view.finalize();
  return svg.slice(svg.indexOf('>') + 1, -'</svg>'.length);
}
