import { html, raw } from 'hono/html';
import { printable } from '../words/text.ts';
import type { Cell, Section, Table } from './cells.ts';
import { SCRIPT, STYLE } from './page-style.ts';
import { type Layout, NARROW, WIDE } from './picture/layout.ts';
import type { Markup } from './picture/shapes.ts';

/*
 * What all pages share: they begin with an answer, and look alike.
 */

/** The beginning of a page, and all that follows it. */
export interface PageContent {
  heading: string;
  /** What was measured, in a few words: a part of the title. */
  subject: string;
  /** Where and when, as sentences. */
  circumstances: string;
  /** What a reader came for, in a sentence. */
  answer: string;
  body: Markup;
}

/**
 * The page loads nothing, and runs one script, whatever a hostile file might have smuggled in: a
 * browser refuses all others, since their digests differ.
 */
const SCRIPT_DIGEST = new Bun.CryptoHasher('sha256').update(SCRIPT).digest('base64');
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; " +
  `script-src 'sha256-${SCRIPT_DIGEST}'`;

/** Returns an HTML page, which needs no network, and no script to be read. */
export function drawPage(content: PageContent): string {
  const { heading, subject, circumstances, answer, body } = content;
  const markup = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>${heading}: ${subject}</title>
<style>${raw(STYLE)}</style>
</head>
<body>
<main>
<h1>${heading}</h1>
<p class="small">${subject}. ${circumstances}</p>
<p class="answer">${answer}</p>
${body}
</main>
<script>${raw(SCRIPT)}</script>
</body>
</html>
`;
  return printable(String(markup));
}

/** Returns a figure for wide and for narrow screens; nothing if there is nothing to be drawn. */
export function drawFigure(
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

/** Returns what is folded under its heading, or stands open. */
export function drawFold(heading: string, content: Markup | string, isOpen = false): Markup {
  return html`<details${isOpen ? ' open' : ''}>
<summary><h2>${heading}</h2></summary>
${content}
</details>
`;
}

/** Returns a section without its heading. */
export function drawSection(section: Section): Markup {
  const { tables = [], paragraphs = [], list = [], warnings = [] } = section;
  const items = [...list, ...warnings];
  return html`${tables.filter(({ figures }) => figures.length > 0).map(drawTable)}
${paragraphs.map((text) => html`<p class="small">${text}</p>`)}
${items.length > 0 && html`<ul>${items.map((item) => html`<li>${item}</li>`)}</ul>`}`;
}

/** The first name of a row is its heading. */
function drawTable({ names, figures, rows }: Table): Markup {
  const headings = [...names, ...figures.map(({ heading }) => heading)];
  const nameHeads = names.map(
    (name) => html`<th scope="col" data-name><button>${name}</button></th>`,
  );
  const figureHeads = figures.map(
    ({ heading }) => html`<th scope="col"><button>${heading}</button></th>`,
  );
  const body = rows.map(
    (row) =>
      html`<tr>${row.map((cell, index) => drawCell(cell, headings[index] ?? '', index))}</tr>\n`,
  );
  return html`<div class="scroll" tabindex="0"><table><thead><tr>${nameHeads}${figureHeads}</tr></thead>
<tbody>${body}</tbody></table></div>\n`;
}

function drawCell({ text, tone }: Cell, heading: string, index: number): Markup {
  return index === 0
    ? html`<th scope="row" class="${tone}">${text}</th>`
    : html`<td class="${tone}" data-heading="${heading}">${text}</td>`;
}
