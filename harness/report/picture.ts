import { html, raw } from 'hono/html';
import { parse, View } from 'vega';
import { type Config, compile, type TopLevelSpec } from 'vega-lite';
import { holdsZero } from '../analysis/estimate.ts';
import type { Analysis, Quantity, Row, TaskAnalysis } from '../analysis/model.ts';
import { intervalCell } from './columns.ts';
import { COSTS, rowsOf } from './tables.ts';
import { counted, printable, shortened } from './text.ts';
import { CHANGE_UNITS } from './units.ts';

/** SVG without its root element, in the colour of the text around it. Sizes in px. */
export interface Drawing {
  heading: string;
  /** What it shows, in words. */
  label: string;
  body: string;
  width: number;
  height: number;
}

/** For a screen of 375 px; two of them stand side by side in a README. A text is 12 px high. */
const WIDTH = 340;
const ROW_HEIGHT = 46;
/** The dots of a row begin and end here; its figure stands at their right, its name above them. */
const FROM = 8;
const TO = 196;
const HEADING_HEIGHT = 30;
const GAP = 40;

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

/** Both changes side by side, as an SVG with a transparent background for a light or a dark page. */
export async function picture({ tasks, run }: Analysis, scheme: 'light' | 'dark'): Promise<string> {
  const text = (y: number, size: number, content: string) =>
    html`<text y="${y}" font-size="${size}" font-weight="600" fill="currentColor">${content}</text>`;
  const labels: string[] = [];
  const parts: unknown[] = [];
  let bottom = 0;
  for (const task of tasks) {
    if (tasks.length > 1) {
      parts.push(text(bottom + 20, 15, shortened(task.title, 70)));
      bottom += 30;
    }
    const drawings = await drawingsOf(task, run);
    for (const [index, { heading, label, body }] of drawings.entries()) {
      const place = `translate(${index * (WIDTH + GAP)},${bottom})`;
      const inner = html`<g transform="translate(0,${HEADING_HEIGHT})">${raw(body)}</g>`;
      parts.push(html`<g transform="${place}">${text(16, 13, heading)}${inner}</g>\n`);
      labels.push(`${heading}: ${label}`);
    }
    bottom += HEADING_HEIGHT + Math.max(0, ...drawings.map(({ height }) => height));
  }
  const body = String(await html`<g font-family="${config.font}">${parts}</g>`);
  const svg = await asSvg({ label: labels.join(' '), body, width: 2 * WIDTH + GAP, height: bottom });
  return printable(svg.replace('<svg ', `<svg color="${INK[scheme]}" `));
}

/** As an element that is one labelled image. */
export async function asSvg({ label, body, width, height }: Omit<Drawing, 'heading'>): Promise<string> {
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
  return String(
    await html`<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="${label}" ${raw(size)}>${raw(body)}</svg>`,
  );
}

/** The changes of a task with their intervals, one drawing for each quantity that was measured. */
export function drawingsOf(
  task: TaskAnalysis,
  { configuration }: Pick<Analysis['run'], 'configuration'>,
): Promise<Drawing[]> {
  const connections = counted(configuration.connections, 'connection');
  const headings = {
    latencyUs: `Change per request at ${connections}, ms`,
    cpuUs: 'Change of server CPU per request, µs',
  };
  const quantities = COSTS.filter((quantity) => rowsOf(task).some(({ change }) => change[quantity]));
  return Promise.all(
    quantities.map(async (quantity) => {
      const rows = rowsOf(task).map((row, y) => drawnRow(row, y, quantity));
      const label = rows.map(({ title, text }) => `${title} ${text}.`).join(' ');
      return { heading: headings[quantity], label, ...(await drawn(rows)) };
    }),
  );
}

/** A row as it is drawn: its place from the top, figures in the unit that is printed, no interval for a single pair. */
function drawnRow({ title, invalid, change }: Row, y: number, quantity: Quantity) {
  const measured = change[quantity];
  const missing = invalid.length > 0 ? 'invalid' : 'not measured';
  if (!measured) return { y, title, text: missing, color: NO_EFFECT, differences: [] };
  const { estimate, differences } = measured;
  const { factor } = CHANGE_UNITS[quantity];
  const interval = { low: estimate.low * factor, high: estimate.high * factor };
  return {
    y,
    title,
    text: intervalCell(quantity, estimate).replace(/ \(.*\)$/, ''),
    color: holdsZero(estimate) ? NO_EFFECT : EFFECT,
    differences: differences.map((difference) => difference * factor),
    value: estimate.value * factor,
    ...(Number.isFinite(interval.low) && interval),
  };
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
    data: { values: rows.map((row) => ({ ...row, title: fitting(row.title) })) },
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

/** As much of a title as has room in any font. */
function fitting(title: string): string {
  let width = 0;
  const widths = [...shortened(title)].map((character) => {
    width += /[^\x20-\x7e]|[A-Zmw@%]/.test(character) ? 12 : 7;
    return width;
  });
  return shortened(title, widths.filter((each) => each <= WIDTH).length);
}

/** A quarter of the text that Vega writes into tags, and of no effect in a drawing that is one labelled image. */
const IDLE =
  / (?:pointer-events="none"|opacity="1"|aria-\w+="[\w ]*"|role="graphics-\w+"|xmlns:\w+="[^"]*")(?=[^<>]*>)/g;

/** Vega measures texts wrongly without a canvas; so all places are given, and none follow from the width of a text. */
async function drawn(rows: DrawnRow[]): Promise<Pick<Drawing, 'body' | 'width' | 'height'>> {
  const view = new View(parse(compile(specOf(rows)).spec), { renderer: 'none' });
  const svg = (await view.toSVG()).replace(IDLE, '');
  view.finalize();
  const [root = '', height = ''] = /^<svg [^>]*height="([\d.]+)"[^>]*>/.exec(svg) ?? [];
  return { body: svg.slice(root.length, -'</svg>'.length), width: WIDTH, height: Number(height) };
}
