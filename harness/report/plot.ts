import { html, raw } from 'hono/html';
import { parse, View } from 'vega';
import { type Config, compile, type TopLevelSpec } from 'vega-lite';

/** Markup in which whatever was put in is escaped. No promise is ever put in, so none comes out. */
export type Markup = ReturnType<typeof html>;

/** One labelled image: a heading, and what Vega draws under it. */
export type Drawing = Awaited<ReturnType<typeof drawing>>;

/** In px, for a screen of 375 px; two of them stand side by side in a README. */
export const WIDTH = 340;
const LINE_HEIGHT = 22;
/** Of a title, so that the widest letters have room. */
const MAX_CHARACTERS = 36;

/** Mid-tones of more than 3:1 against white and GitHub's dark; colour-blind people tell them apart. */
export const EFFECT = '#2f7fc1';
export const NO_EFFECT = '#7d848c';

const colors = ['label', 'domain', 'tick', 'grid', 'title'].map((part) => [`${part}Color`, 'currentColor']);
const config: Config = {
  font: 'system-ui, sans-serif',
  background: 'transparent',
  // The drawing has one label for all of it; one for each mark would make the file several times as large.
  aria: false,
  view: { stroke: null },
  axis: { ...Object.fromEntries(colors), labelFontSize: 12, gridOpacity: 0.15, domainOpacity: 0.4 },
};

/** Layers of Vega-Lite with their data, and how many px they take. */
interface Plot {
  height: number;
  padding: Record<'left' | 'right' | 'top' | 'bottom', number>;
  data?: object;
  encoding: object;
  layer: object[];
}

/** The plot under the lines of its heading. `label` says what is seen. */
export async function drawing(heading: string[], label: string, plot: Plot) {
  const { left, right, top, bottom } = plot.padding;
  const plotTop = heading.length * LINE_HEIGHT;
  // Without a canvas Vega measures texts wrongly: so all places are given, and none follow from the width of a text.
  const spec = { ...plot, width: WIDTH - left - right, autosize: 'none', config } as TopLevelSpec;
  const view = new View(parse(compile(spec).spec), { renderer: 'none' });
  const svg = await view.toSVG();
  view.finalize();
  const drawn = svg.slice(svg.indexOf('>') + 1, -'</svg>'.length);
  const content: Markup[] = [
    ...heading.map((line, index) => html`<text y="${14 + index * LINE_HEIGHT}" font-weight="600">${line}</text>\n`),
    html`<g transform="translate(0,${plotTop})">${raw(drawn)}</g>`,
  ];
  return { label: `${heading.join(', ')}: ${label}`, height: plotTop + top + plot.height + bottom, content };
}

/** A title that fits into a drawing. */
export function shortened(title: string): string {
  const characters = [...title];
  return characters.length > MAX_CHARACTERS ? `${characters.slice(0, MAX_CHARACTERS - 1).join('')}…` : title;
}
