import { html, raw } from 'hono/html';
import type { Run } from '../analysis/analysis.ts';
import { coresText, processorText } from '../analysis/container.ts';
import { rowsWithNoiseFloor } from '../analysis/rows.ts';
import { counted, printable } from '../words/text.ts';
import { answerOf } from './answer.ts';
import type { Cell, Section, Table } from './cells.ts';
import { SCRIPT, STYLE } from './page-style.ts';
import { coursePicture } from './picture/course-picture.ts';
import { latencyPicture } from './picture/latency-picture.ts';
import { type Layout, NARROW, WIDE } from './picture/layout.ts';
import { CAPTION, picture } from './picture/picture.ts';
import type { Markup } from './picture/shapes.ts';
import { isDrawn } from './tables.ts';
import { type Detail, type DetailKind, viewOf } from './view.ts';

/**
 * The page loads nothing, and runs one script, whatever a hostile file might have smuggled in: a
 * browser refuses all others, since their digests differ.
 */
const SCRIPT_DIGEST = new Bun.CryptoHasher('sha256').update(SCRIPT).digest('base64');
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; " +
  `script-src 'sha256-${SCRIPT_DIGEST}'`;

const COURSE_CAPTION =
  'Dots: slices of single pairs, in the order of time. Line: medians. A cost that is steady is level; ' +
  'one that rises to the right grows with the requests served.';
const LATENCY_CAPTION = 'Dots: half, nine of ten, and 99 of 100 requests took no longer.';

/**
 * Returns all that is told of a run as one HTML page, which needs no network, and no script to be
 * read: the answer, its picture and its table. All else is folded.
 */
export function page(run: Run): string {
  const { suite, environment, startedAt } = run.header;
  const { kernel } = environment;
  const { opening, details } = viewOf(run);
  const machine = `${processorText(environment)}, ${coresText(environment)}, ${kernel}`;
  const subject = subjectOf(run);
  const markup = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>${suite.title}: ${subject}</title>
<style>${raw(STYLE)}</style>
</head>
<body>
<main>
<h1>${suite.title}</h1>
<p class="small">${subject}. ${machine}. Measured ${startedAt.slice(0, 10)}.</p>
<p class="answer">${answerOf(run)}</p>
${drawCosts(run)}
${sectionBody(opening)}
${details.map((detail) => drawDetail(detail, run))}
${drawCourse(run)}
</main>
<script>${raw(SCRIPT)}</script>
</body>
</html>
`;
  return printable(String(markup));
}

/** Returns what was compared with what. */
function subjectOf({ tasks }: Run): string {
  const rows = tasks.reduce((count, task) => count + task.rows.length, 0);
  const baselines = [...new Set(tasks.map(({ baseline }) => baseline.title))];
  const [baseline = ''] = baselines;
  const against = baselines.length === 1 ? baseline : counted(baselines.length, 'baseline');
  return `${counted(rows, 'row')} against ${against}`;
}

function drawCosts(run: Run): Markup | string {
  if (!run.tasks.flatMap(rowsWithNoiseFloor).some(isDrawn)) return '';
  return drawFigure(
    (layout) => picture(run, layout === NARROW ? 'narrow-page' : 'page'),
    CAPTION.join(' '),
  );
}

/** What a section has beside its tables. */
const PICTURES: Partial<Record<DetailKind, (run: Run) => Markup | string>> = {
  load: (run) => drawFigure((layout) => latencyPicture(run, layout), LATENCY_CAPTION),
};

/** Warnings stand open if there are any. */
function drawDetail({ kind, heading, ...body }: Detail, run: Run): Markup {
  const isOpen = kind === 'warnings' && run.warnings.length > 0;
  return html`<details${isOpen ? ' open' : ''}>
<summary><h2>${heading}</h2></summary>
${PICTURES[kind]?.(run)}${sectionBody(body)}
</details>
`;
}

function drawCourse(run: Run): Markup | string {
  const drawn = drawFigure((layout) => coursePicture(run, layout), COURSE_CAPTION);
  return drawn && html`<details><summary><h2>Slice by slice</h2></summary>${drawn}</details>\n`;
}

/** Returns a figure for wide and for narrow screens; nothing if there is nothing to be drawn. */
function drawFigure(
  draw: (layout: Layout) => string | undefined,
  caption: string,
): Markup | string {
  const wide = draw(WIDE);
  const narrow = draw(NARROW);
  if (wide === undefined || narrow === undefined) return '';
  return html`<figure>
<div class="wide">${raw(wide)}</div>
<div class="narrow">${raw(narrow)}</div>
<figcaption>${caption}</figcaption>
</figure>`;
}

function sectionBody({ tables = [], paragraphs = [], list = [], warnings = [] }: Section): Markup {
  const items = [...list, ...warnings];
  return html`${tables.filter(({ figures }) => figures.length > 0).map(drawTable)}
${paragraphs.map((text) => html`<p class="small">${text}</p>`)}
${items.length > 0 && html`<ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`}`;
}

/** The first name of a row is its heading. */
function drawTable({ names, figures, rows }: Table): Markup {
  const headings = [...names, ...figures.map(({ heading }) => heading)];
  const head = headings.map((heading) => html`<th scope="col"><button>${heading}</button></th>`);
  const body = rows.map(
    (row) =>
      html`<tr>${row.map((cell, index) => drawCell(cell, headings[index] ?? '', index))}</tr>\n`,
  );
  return html`<div class="scroll" tabindex="0"><table><thead><tr>${head}</tr></thead>
<tbody>${body}</tbody></table></div>\n`;
}

function drawCell({ text, tone }: Cell, heading: string, index: number): Markup {
  return index === 0
    ? html`<th scope="row" class="${tone}">${text}</th>`
    : html`<td class="${tone}" data-heading="${heading}">${text}</td>`;
}
