import { scaleLinear, scaleSymlog } from 'd3-scale';
import { html } from 'hono/html';
import { extent, max, min } from 'simple-statistics';
import type { Run } from '../analysis/analysis.ts';
import type { Quantity } from '../analysis/figures.ts';
import { holdsZero } from '../analysis/interval.ts';
import { type Row, sortedRows, type TaskAnalysis } from '../analysis/rows.ts';
import type { Warning } from '../analysis/warnings/list.ts';
import { counted, printable } from '../words/text.ts';
import { intervalText, MARK, MS, type Scale, US } from './cells.ts';

/** In px: what a README has for a picture; of titles at the left, and of figures at the right. */
const WIDTH = 832;
const TITLES = 305;
const FIGURES = 112;
/** Of rows, of headings, and of the numbers at an axis, which are so far apart if it is logarithmic. */
const ROW_HEIGHT = 20;
const LINE_HEIGHT = 22;
const AXIS = 24;
const APART = 30;
/** The width of a digit, and a little more. */
const DIGIT = 8;
/** Of the caps of a whisker. */
const CAP = 4.5;
/** Main text of GitHub, light and dark; a page has its own. */
const INK = { light: '#1f2328', dark: '#e6edf3', page: 'currentColor' };
/** Mid-tones of more than 3:1 against white and GitHub's dark; colour-blind people tell them apart. */
const EFFECT = '#2f7fc1';
const NO_EFFECT = '#7d848c';
/** What is so much larger than another needs a logarithmic scale for both to be seen. */
const WIDE = 20;

const CAPTION = [
  'Mark: mean over all pairs; hollow if spans were lost. Whisker: 95 % interval. Faint dots: single pairs.',
  `Grey: no significant difference. ${MARK}: a warning changes how the row is to be read; it stands beside the table.`,
];

/** What every scenario costs more, as one labelled image on a transparent background. What was put in is escaped. */
export function picture(run: Run, theme: keyof typeof INK): string {
  let height = 0;
  const drawings = run.tasks.flatMap((task) => {
    const name = run.tasks.length > 1 ? task.title : '';
    const top = (name ? 2 : 1) * LINE_HEIGHT;
    const lines = sortedRows(run, task).map((row, index) => {
      const warnings = run.warnings.filter(
        (each) => each.task === row.task && each.scenario === row.scenario,
      );
      return { row, warnings, y: top + (index + 0.5) * ROW_HEIGHT };
    });
    const panels = panelsOf(task).filter(({ quantity }) =>
      lines.some(({ row }) => row.change[quantity]),
    );
    if (panels.length === 0) return [];
    const content = html`<g transform="translate(0,${height})">${name && heading(0, 14, name)}${lines.map(title)}${panels.map(
      (panel, index) =>
        draw(
          panel,
          lines,
          top,
          TITLES + (index * (WIDTH - TITLES)) / panels.length,
          (WIDTH - TITLES) / panels.length,
        ),
    )}</g>\n`;
    height += top + lines.length * ROW_HEIGHT + AXIS + 8;
    const seen = panels.flatMap((panel) =>
      lines.map(({ row }) => `${row.title} ${figureOf(row, panel)}.`),
    );
    const names = [...(name ? [name] : []), ...panels.map((panel) => panel.name)];
    return [{ content, label: `${names.join(', ')}: ${seen.join(' ')}` }];
  });
  const caption = CAPTION.map((line, index) => text(0, height + 14 + index * 16, 'start', line));
  height += 40;
  const svg = html`<svg color="${INK[theme]}" xmlns="http://www.w3.org/2000/svg" role="img" aria-label="${drawings.map(({ label }) => label).join(' ')}"
width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}"
font-family="system-ui, sans-serif" font-size="12" fill="currentColor">${drawings.map(({ content }) => content)}${caption}</svg>`;
  return printable(String(svg));
}

type Panel = { quantity: Quantity; scale: Scale; name: string };

function panelsOf({ connections, rate }: TaskAnalysis): Panel[] {
  return [
    rate === null
      ? {
          quantity: 'latencyUs',
          scale: MS,
          name: `Change at ${counted(connections, 'connection')}, ms`,
        }
      : { quantity: 'p99Us', scale: MS, name: `Change of p99 at ${rate}/s, ms` },
    { quantity: 'cpuUs', scale: US, name: 'Server CPU per request, µs' },
  ];
}

type Line = { row: Row; warnings: Warning[]; y: number };

function title({ row, warnings, y }: Line) {
  return html`${text(0, y + 4, 'start', shortened(row.title) + (warnings.length > 0 ? ` ${MARK}` : ''))}\n`;
}

function draw(panel: Panel, lines: Line[], top: number, left: number, width: number) {
  const { scale, quantity } = panel;
  const inUnit = (values: number[]) => values.map((value) => value / scale[1]);
  const changes = lines.flatMap(({ row }) => row.change[quantity] ?? []);
  const values = changes.flatMap(({ differences, low, high }) => [...differences, low, high]);
  const sizes = changes.flatMap((change) => (holdsZero(change) ? [] : Math.abs(change.value)));
  const range = [left + 8, left + width - FIGURES];
  const { place, ticks, isLog } = axisOf(
    inUnit(values.filter(Number.isFinite)),
    inUnit(sizes),
    range,
  );
  const bottom = top + lines.length * ROW_HEIGHT;
  const axis = ticks.map((tick) => {
    const x = place(tick).toFixed(1);
    const opacity = tick === 0 ? 0.6 : 0.15;
    return html`<path d="M${x} ${top}V${bottom}" stroke="currentColor" opacity="${opacity}"/>${text(x, bottom + 14, 'middle', tick)}\n`;
  });
  const marks = lines.map(({ row, warnings, y }) => {
    const change = row.change[quantity];
    const color = change && !holdsZero(change) ? EFFECT : NO_EFFECT;
    const placed = (of: number[]) => inUnit(of).map(place);
    const isHollow = warnings.some(({ kind }) => kind === 'dropped-spans');
    return html`${placed(change?.differences ?? []).map((x) => html`<g opacity="0.35">${dot(x, y, 1.5, color)}</g>`)}
${change && mark(placed([change.low, change.value, change.high]), y, color, isHollow)}
${text(left + width - 4, y + 4, 'end', figureOf(row, panel).replace(/ ?\(.*/, ''))}\n`;
  });
  return html`${heading(left + 8, top - 8, panel.name + (isLog ? ' (log)' : ''))}${axis}${marks}`;
}

/** Where values lie, zero among them, and the ticks. Logarithmic on both sides of zero if `sizes` differ that much. */
function axisOf(values: number[], sizes: number[], range: number[]) {
  const smallest = 10 ** Math.floor(Math.log10(min([1, ...sizes])));
  const isLog = sizes.length > 1 && max(sizes) > WIDE * min(sizes);
  const place = (isLog ? scaleSymlog().constant(smallest) : scaleLinear())
    .domain(extent([0, ...values]))
    .range(range);
  const [, highest = 0] = place.domain();
  const powers = [0, 1, 2, 3, 4, 5, 6].map((power) => smallest * 10 ** power);
  const shown = powers.filter((tick) => tick <= highest && place(tick) - place(0) > APART);
  // So few that their numbers don't touch.
  const isApart = ([one = 0, two = one]: number[]) =>
    one === two || place(two) - place(one) > DIGIT * String(one).length;
  return {
    place,
    isLog,
    ticks: isLog ? [0, ...shown] : ([3, 2].map((count) => place.ticks(count)).find(isApart) ?? [0]),
  };
}

/** A mark on its whisker, which has caps. One without an end is left out. */
function mark(
  [low = 0, place = 0, high = 0]: number[],
  y: number,
  color: string,
  isHollow: boolean,
) {
  const [from, to, cap] = [low.toFixed(1), high.toFixed(1), `${y - CAP}V${y + CAP}`];
  const whisker = html`<path d="M${from} ${y}H${to}M${from} ${cap}M${to} ${cap}" stroke="${color}" fill="none"/>`;
  const circle = isHollow ? dot(place, y, 3.5, color, 'none') : dot(place, y, 2.5, color);
  return html`${Number.isFinite(high - low) && whisker}${circle}\n`;
}

function dot(x: number, y: number, radius: number, color: string, fill = color) {
  return html`<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="${radius}" fill="${fill}" stroke="${color}"/>`;
}

function text(
  x: number | string,
  y: number,
  anchor: 'start' | 'middle' | 'end',
  content: string | number,
) {
  return html`<text x="${x}" y="${y}" text-anchor="${anchor}">${content}</text>`;
}

function heading(x: number, y: number, content: string) {
  return html`<text x="${x}" y="${y}" font-weight="600">${content}</text>\n`;
}

/** In words for those who don't see the picture; at the right without what stands in brackets. */
function figureOf({ change, faults }: Row, { quantity, scale }: Panel): string {
  const measured = change[quantity];
  return measured ? intervalText(scale, measured) : faults.length > 0 ? 'invalid' : 'not measured';
}

/** A title that fits: in a usual font, capitals and signs take up to 12 px, and small letters about 6. */
function shortened(title: string): string {
  let left = TITLES - 16;
  const end = [...title].findIndex((each) => {
    left -= /[a-z ]/.test(each) ? 6.3 : 12;
    return left < 0;
  });
  return end < 0 ? title : `${[...title].slice(0, end - 1).join('')}…`;
}
