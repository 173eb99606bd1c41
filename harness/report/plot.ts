import { type ScaleContinuousNumeric, scaleLinear, scaleSymlog } from 'd3-scale';
import { html } from 'hono/html';
import { extent, max, min } from 'simple-statistics';

/** Markup in which whatever was put in is escaped. No promise is ever put in, so none comes out. */
export type Markup = ReturnType<typeof html>;
/** One labelled image, as wide as all of them. */
export interface Drawing {
  label: string;
  height: number;
  content: Markup[];
}
type Scale = ScaleContinuousNumeric<number, number>;
type Range = [from: number, to: number];

/** In px, of all drawings: what a README has for a picture. */
export const WIDTH = 832;
export const LINE_HEIGHT = 22;
/** Mid-tones of more than 3:1 against white and GitHub's dark; colour-blind people tell them apart. */
export const EFFECT = '#2f7fc1';
export const NO_EFFECT = '#7d848c';
/** What is so much larger than another needs a logarithmic scale for both to be seen. */
const WIDE = 20;
const CAP = 4.5;
/** Of a mark, and of numbers at an axis so that they are apart. */
const RADIUS = 2.5;
const APART = 30;

/** A scale for changes: zero and all values are on it. Logarithmic on both sides of zero if `sizes` differ that much. */
export function changeScale(values: number[], sizes: number[], range: Range) {
  const domain = extent([0, ...values]);
  const smallest = 10 ** Math.floor(Math.log10(min([1, ...sizes])));
  const isLog = sizes.length > 1 && max(sizes) > WIDE * min(sizes);
  const scale: Scale = isLog ? scaleSymlog().constant(smallest) : scaleLinear();
  const powers = [0, 1, 2, 3, 4, 5, 6].map((power) => smallest * 10 ** power);
  scale.domain(domain).range(range);
  const isShown = (tick: number) => tick <= domain[1] && scale(tick) - scale(0) > APART;
  return { scale, isLog, ticks: isLog ? [0, ...powers.filter(isShown)] : scale.ticks(4) };
}

/** Thin lines at the ticks, from top to bottom, with their numbers below. */
export function axis(
  { scale, ticks }: Pick<ReturnType<typeof changeScale>, 'scale' | 'ticks'>,
  top: number,
  bottom: number,
) {
  return ticks.map((tick) => {
    const x = scale(tick).toFixed(1);
    const opacity = tick === 0 ? 0.6 : 0.15;
    return html`<path d="M${x} ${top}V${bottom}" stroke="currentColor" opacity="${opacity}"/>${text(x, bottom + 14, 'middle', tick)}\n`;
  });
}

export function text(
  x: number | string,
  y: number,
  anchor: 'start' | 'middle' | 'end',
  content: string | number,
): Markup {
  return html`<text x="${x}" y="${y}" text-anchor="${anchor}">${content}</text>`;
}

export function heading(x: number, y: number, content: string): Markup {
  return html`<text x="${x}" y="${y}" font-weight="600">${content}</text>\n`;
}

/** A mark, hollow or filled, on its whisker, which has caps. One without an end is left out. */
export function mark([x, y]: Range, ends: Range, color: string, isHollow: boolean): Markup {
  const [low, high] = ends.map((end) => end.toFixed(1));
  const cap = `${y - CAP}V${y + CAP}`;
  const whisker = html`<path d="M${low} ${y}H${high}M${low} ${cap}M${high} ${cap}" stroke="${color}" fill="none"/>`;
  return html`${ends.every(Number.isFinite) && whisker}${dot([x, y], isHollow ? RADIUS + 1 : RADIUS, color, isHollow)}\n`;
}

function dot([x, y]: Range, radius: number, color: string, isHollow = false): Markup {
  const fill = isHollow ? 'none' : color;
  return html`<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${radius}" fill="${fill}" stroke="${color}"/>`;
}

/** Faint, for a single pair. */
export function faint(at: Range, color: string): Markup {
  return html`<g opacity="0.35">${dot(at, 1.5, color)}</g>`;
}

/** A title that fits into so many px, by what letters take in a usual font. */
export function shortened(title: string, width: number): string {
  const widths = [...title].map((character) => (/[MWmw@—]/.test(character) ? 11.5 : 6.3) as number);
  const end = widths.findIndex((_, index) => widths.slice(0, index + 1).reduce((sum, each) => sum + each, 0) > width);
  return end < 0 ? title : `${[...title].slice(0, end - 1).join('')}…`;
}
