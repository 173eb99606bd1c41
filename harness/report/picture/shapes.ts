import { html } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import { sum } from 'simple-statistics';
import { printable } from '../../words/text.ts';

/** A piece of SVG, in which everything that was put into it is escaped. */
export type Markup = HtmlEscapedString | Promise<HtmlEscapedString>;

/** Where a text stands, seen from its x. */
export type Anchor = 'start' | 'middle' | 'end';

/** Half the height of the caps of a whisker, in px. */
const CAP_PX = 4.5;

/** A mid-tone with more than 3:1 against white and GitHub's dark, also for colour-blind people. */
export const MARK_COLOR = '#2f7fc1';

/** What a picture is beside its content. */
export interface Drawing {
  /** What it shows, for those who don't see it. */
  label: string;
  width: number;
  height: number;
  content: Markup | readonly Markup[];
  /** The colour of its text; that of the page if left out. */
  ink?: string;
}

/** Returns a picture: one image with a label, on a transparent background. */
export function drawSvg({ label, width, height, content, ink }: Drawing): string {
  const color = ink === undefined ? '' : html` color="${ink}"`;
  const svg = html`<svg${color} xmlns="http://www.w3.org/2000/svg" role="img" aria-label="${label}"
width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"
font-family="system-ui, sans-serif" font-size="12" fill="currentColor">${content}</svg>`;
  return printable(String(svg));
}

/** A part of a picture. */
export interface Part {
  content: Markup;
  /** In px, with the gap to the next part. */
  height: number;
}

/** Returns the parts one below the other. */
export function stackParts(parts: readonly Part[]): Markup[] {
  return parts.map(({ content }, index) => {
    const top = heightOf(parts.slice(0, index));
    return html`<g transform="translate(0,${top})">${content}</g>\n`;
  });
}

/** Returns the height of all parts, one below the other, in px. */
export function heightOf(parts: readonly Part[]): number {
  return sum(parts.map(({ height }) => height));
}

/** The ends of a whisker and the place of its mark, in px from the left. */
export interface Whisker {
  low: number;
  value: number;
  high: number;
}

/** Returns a line of text; a string as `x` is printed as it is. */
export function drawText(
  x: number | string,
  y: number,
  anchor: Anchor,
  content: string | number,
): Markup {
  return html`<text x="${x}" y="${y}" text-anchor="${anchor}">${content}</text>`;
}

/** Returns a line of bold text. */
export function drawHeading(x: number, y: number, content: string): Markup {
  return html`<text x="${x}" y="${y}" font-weight="600">${content}</text>\n`;
}

/** Returns the dot of a single pair, which is faint. */
export function drawPairDot(x: number, y: number, color: string): Markup {
  return html`<g opacity="0.35">${drawCircle(x, y, 1.5, { color })}</g>`;
}

/** Returns a mark on its whisker. A whisker without an end is left out. */
export function drawMark(
  { low, value, high }: Whisker,
  y: number,
  color: string,
  isHollow: boolean,
): Markup {
  const circle = isHollow
    ? drawCircle(value, y, 3.5, { color, fill: 'none' })
    : drawCircle(value, y, 2.5, { color });
  const hasEnds = Number.isFinite(high - low);
  return html`${hasEnds && drawWhisker(low, high, y, color)}${circle}\n`;
}

function drawWhisker(low: number, high: number, y: number, color: string): Markup {
  const from = low.toFixed(1);
  const to = high.toFixed(1);
  const cap = `${y - CAP_PX}V${y + CAP_PX}`;
  const path = `M${from} ${y}H${to}M${from} ${cap}M${to} ${cap}`;
  return html`<path d="${path}" stroke="${color}" fill="none"/>`;
}

/** The ends of an upright whisker, in px from the top. */
export interface UprightWhisker {
  low: number;
  high: number;
}

/**
 * Returns an upright whisker.
 * @param mostCapPx half the width of its caps where whiskers are closer than usual
 */
export function drawUprightWhisker(
  x: number,
  { low, high }: UprightWhisker,
  mostCapPx: number,
  color: string,
): Markup {
  const capPx = Math.min(CAP_PX, mostCapPx);
  const cap = (x - capPx).toFixed(1);
  const capWidth = (2 * capPx).toFixed(1);
  const [from, to] = [low.toFixed(1), high.toFixed(1)];
  const path = `M${x.toFixed(1)} ${from}V${to}M${cap} ${from}h${capWidth}M${cap} ${to}h${capWidth}`;
  return html`<path d="${path}" stroke="${color}" fill="none"/>`;
}

/** Returns a filled dot. */
export function drawDot(x: number, y: number, color: string, radius = 1.5): Markup {
  return drawCircle(x, y, radius, { color });
}

/** The colours of a circle. */
interface CircleColors {
  color: string;
  /** Within its line; the same if left out. */
  fill?: string;
}

function drawCircle(
  x: number,
  y: number,
  radius: number,
  { color, fill = color }: CircleColors,
): Markup {
  const place = html`cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${radius}"`;
  return html`<circle ${place} fill="${fill}" stroke="${color}"/>`;
}
