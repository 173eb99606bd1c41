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
const MOST_CHARACTERS = 36;

/** Mid-tones of more than 3:1 against white and GitHub's dark; colour-blind people tell them apart. */
export const EFFECT = '#2f7fc1';
export const NO_EFFECT = '#7d848c';

const colors = ['label', 'domain', 'tick', 'grid', 'title'].map((part) => [`${part}Color`, 'currentColor']);
export const config: Config = {
  font: 'system-ui, sans-serif',
  background: 'transparent',
  // The drawing has one label for all of it; one for each mark would make the file several times as large.
  aria: false,
  view: { stroke: null },
  axis: { ...Object.fromEntries(colors), labelFontSize: 12, gridOpacity: 0.15, domainOpacity: 0.4 },
};

/** The plot, so many px high, under the lines of its heading. `label` says what is seen. */
export async function drawing(heading: string[], label: string, plotHeight: number, spec: TopLevelSpec) {
  const top = heading.length * LINE_HEIGHT;
  const plot = await plotted(spec);
  const content: Markup[] = [
    ...heading.map((line, index) => html`<text y="${14 + index * LINE_HEIGHT}" font-weight="600">${line}</text>\n`),
    html`<g transform="translate(0,${top})">${raw(plot)}</g>`,
  ];
  return { label: `${heading.join(', ')}: ${label}`, height: top + plotHeight, content };
}

/** A title that fits into a drawing. */
export function shortened(title: string): string {
  const characters = [...title];
  return characters.length > MOST_CHARACTERS ? `${characters.slice(0, MOST_CHARACTERS - 1).join('')}…` : title;
}

/** A quarter of the text that Vega writes into tags, and of no effect in a drawing that is one labelled image. */
const IDLE =
  / (?:pointer-events="none"|opacity="1"|aria-\w+="[\w ]*"|role="graphics-\w+"|xmlns:\w+="[^"]*")(?=[^<>]*>)/g;

/**
 * What Vega draws, as elements. It measures texts wrongly without a canvas; so all places are given, and none follow from
 * the width of a text.
 */
async function plotted(spec: TopLevelSpec): Promise<string> {
  const view = new View(parse(compile(spec).spec), { renderer: 'none' });
  const svg = (await view.toSVG()).replace(IDLE, '');
  view.finalize();
  return svg.slice(svg.indexOf('>') + 1, -'</svg>'.length);
}
