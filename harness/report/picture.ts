import { html, raw } from 'hono/html';
import { parse, View } from 'vega';
import { type Config, compile, type TopLevelSpec } from 'vega-lite';
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
  const drawings = await drawingsOf(analysis);
  const label = drawings.map((drawing) => drawing.label).join(' ');
  const height = Math.max(0, ...drawings.map((drawing) => drawing.y + drawing.height));
  const content = drawings.map(({ x, y, content }) => html`<g transform="translate(${x},${y})">${content}</g>\n`);
  return printable(String(asSvg({ label, height, content }, 2 * WIDTH + GAP, INK[scheme])));
}

type Drawing = Awaited<ReturnType<typeof drawn>>;

/** As an element that is one labelled image, if not told otherwise in the colour of the text around it. */
export function asSvg({ label, height, content }: Drawing, width = WIDTH, color = 'currentColor'): Markup {
  return html`<svg color="${color}" xmlns="http://www.w3.org/2000/svg" role="img" aria-label="${label}"
width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"
font-family="system-ui, sans-serif" font-size="12" fill="currentColor">${content}</svg>`;
}

/** One for each quantity that was measured, side by side, tasks one below the other. */
export async function drawingsOf({ tasks, run }: Analysis) {
  const connections = counted(run.configuration.connections, 'connection');
  const headings = {
    latencyUs: `Change per request at ${connections}, ms`,
    cpuUs: 'Change of server CPU per request, µs',
  };
  const all: (Drawing & { x: number; y: number })[] = [];
  let y = 0;
  for (const task of tasks) {
    const rows = rowsOf(task);
    const measured = COSTS.filter((quantity) => rows.some(({ change }) => change[quantity]));
    const title = tasks.length > 1 ? [shortened(task.title, MOST_CHARACTERS)] : [];
    const drawings = await Promise.all(
      measured.map((quantity) => drawn(rows, quantity, [...title, headings[quantity]])),
    );
    all.push(...drawings.map((drawing, index) => ({ ...drawing, x: index * (WIDTH + GAP), y })));
    y += drawings[0]?.height ?? 0;
  }
  return all;
}

/** The rows under the lines of their heading. */
async function drawn(rows: Row[], quantity: Quantity, heading: string[]) {
  const top = heading.length * LINE_HEIGHT;
  const labels = rows.map((row) => `${shortened(row.title)} ${figureOf(row, quantity)}.`);
  const plot = await plotted(rows.map((row, y) => drawnRow(row, y, quantity)));
  const content = [
    ...heading.map((line, index) => html`<text y="${14 + index * LINE_HEIGHT}" font-weight="600">${line}</text>\n`),
    html`<g transform="translate(0,${top})">${raw(plot.body)}</g>`,
  ];
  return { label: `${heading.join(', ')}: ${labels.join(' ')}`, height: top + plot.height, content };
}

/** A row as it is drawn: its place from the top, figures in the unit that is printed, no interval for a single pair. */
function drawnRow(row: Row, y: number, quantity: Quantity) {
  const { factor } = CHANGE_UNITS[quantity];
  const { estimate, differences } = row.change[quantity] ?? { estimate: null, differences: [] };
  const interval = estimate && { low: estimate.low * factor, high: estimate.high * factor };
  return {
    y,
    title: shortened(row.title, MOST_CHARACTERS),
    text: figureOf(row, quantity),
    color: estimate && !holdsZero(estimate) ? EFFECT : NO_EFFECT,
    differences: differences.map((difference) => difference * factor),
    ...(estimate && { value: estimate.value * factor }),
    ...(interval && Number.isFinite(interval.low) && interval),
  };
}

function figureOf({ change, invalid }: Row, quantity: Quantity): string {
  const measured = change[quantity];
  if (!measured) return invalid.length > 0 ? 'invalid' : 'not measured';
  return intervalCell(quantity, measured.estimate).replace(/ \(.*\)$/, '');
}

type DrawnRow = ReturnType<typeof drawnRow>;

/** For each row its name and figure, its interval over faint dots for its pairs, and a line at zero. */
function specOf(rows: DrawnRow[]): TopLevelSpec {
  const scale = { domain: [rows.length - 0.5, -0.5], nice: false, zero: false };
  const y = { field: 'y', type: 'quantitative', axis: null, scale } as const;
  const x = { type: 'quantitative', title: null, axis: { tickCount: 3 } } as const;
  const color = { field: 'color', type: 'nominal', scale: null } as const;
  const text = (field: string, at: number, align: 'left' | 'right', dy: number) => ({
    mark: { type: 'text', align, baseline: 'middle', dy, fontSize: 12, color: 'currentColor' },
    encoding: { y, x: { value: at - FROM }, text: { field } },
  });
  return {
    ...{ width: TO - FROM, height: rows.length * ROW_HEIGHT, autosize: 'none', config },
    padding: { left: FROM, right: WIDTH - TO, top: 4, bottom: 24 },
    data: { values: rows },
    layer: [
      {
        mark: { type: 'tick', orient: 'vertical', size: 26, thickness: 1, yOffset: 3, color: 'currentColor' },
        encoding: { y, x: { ...x, datum: 0 } },
      },
      {
        transform: [{ flatten: ['differences'] }],
        mark: { type: 'point', filled: true, size: 30, opacity: 0.5, yOffset: 8 },
        encoding: { y, x: { ...x, field: 'differences' }, color },
      },
      {
        transform: [{ filter: 'isValid(datum.low)' }],
        mark: { type: 'rule', strokeWidth: 3 },
        encoding: { y, x: { ...x, field: 'low' }, x2: { field: 'high' }, color },
      },
      {
        transform: [{ filter: 'isValid(datum.value)' }],
        mark: { type: 'point', filled: true, size: 60, opacity: 1 },
        encoding: { y, x: { ...x, field: 'value' }, color },
      },
      text('title', 0, 'left', -18),
      text('text', WIDTH, 'right', 0),
    ],
  } as TopLevelSpec;
}

/** A quarter of the text that Vega writes into tags, and of no effect in a drawing that is one labelled image. */
const IDLE =
  / (?:pointer-events="none"|opacity="1"|aria-\w+="[\w ]*"|role="graphics-\w+"|xmlns:\w+="[^"]*")(?=[^<>]*>)/g;

/** Vega measures texts wrongly without a canvas; so all places are given, and none follow from the width of a text. */
async function plotted(rows: DrawnRow[]): Promise<{ body: string; height: number }> {
  const view = new View(parse(compile(specOf(rows)).spec), { renderer: 'none' });
  const svg = (await view.toSVG()).replace(IDLE, '');
  view.finalize();
  const [root = '', height = ''] = /^<svg [^>]*height="([\d.]+)"[^>]*>/.exec(svg) ?? [];
  return { body: svg.slice(root.length, -'</svg>'.length), height: Number(height) };
}
