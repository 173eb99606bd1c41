import { html, raw } from 'hono/html';
import type { Run } from '../analysis/analysis.ts';
import { counted, printable } from '../words/text.ts';
import type { Section, Table } from './cells.ts';
import { picture } from './picture.ts';
import { viewOf } from './view.ts';

/** Nothing is loaded and no script runs, whatever a hostile file might have smuggled in. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

/** Narrow first: a phone is where a link to a report is opened. The browser's own colours, light or dark. */
const STYLE = `
:root { color-scheme: light dark; --line: color-mix(in srgb, CanvasText 20%, Canvas); --shade: color-mix(in srgb, CanvasText 6%, Canvas); }
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 1rem; max-width: 72rem; background: Canvas; color: CanvasText;
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere;
}
h2 { font-size: 1.1rem; }
p, li { max-width: 48rem; margin: .5rem 0; }
figure { margin: 1.5rem 0; overflow-x: auto; }
figure svg { display: block; }
.scroll { overflow-x: auto; margin: 1rem 0; border: 1px solid var(--line); border-radius: .4rem; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; font-variant-numeric: tabular-nums; }
th, td { padding: .4rem .6rem; text-align: right; vertical-align: top; border-top: 1px solid var(--line); }
th { white-space: normal; overflow-wrap: normal; }
.name { text-align: left; max-width: 20rem; }
.name:first-child { min-width: 8rem; position: sticky; left: 0; background: Canvas; }
thead th, thead .name:first-child { background: var(--shade); vertical-align: bottom; }
`;

/** All that is told of a run as one page that needs neither network nor script: its tables, its picture, and remarks. */
export function page(run: Run): string {
  const { suite, environment, startedAt } = run.header;
  const [opening, ...details] = viewOf(run).full.map(asHtml);
  const markup = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>${suite.title}: tracetax</title>
<style>${raw(STYLE)}</style>
</head>
<body>
<header><h1>${suite.title}</h1></header>
<main>
<p>${environment.cpu}, ${counted(environment.cores, 'core')}, ${environment.kernel}. Measured ${startedAt.slice(0, 10)}.</p>
${opening}
<figure>${raw(picture(run, 'page'))}</figure>
${details}
</main>
</body>
</html>
`;
  return printable(String(markup));
}

function asHtml({ heading, tables = [], paragraphs = [], list = [] }: Section) {
  return html`${heading && html`<h2>${heading}</h2>`}
${tables.map(table)}${paragraphs.map((each) => html`<p>${each}</p>\n`)}
${list.length > 0 && html`<ul>${list.map((item) => html`<li>${item}</li>\n`)}</ul>`}`;
}

/** In a box of its own to scroll in, by keyboard too: the page stays as wide as the screen. */
function table({ names, figures, rows }: Table) {
  const head = [
    ...names.map((name) => html`<th scope="col" class="name">${name}</th>`),
    ...figures.map((figure) => html`<th scope="col">${figure}</th>`),
  ];
  const cell = (text: string, index: number) =>
    index < names.length ? html`<th scope="row" class="name">${text}</th>` : html`<td>${text}</td>`;
  return html`<div class="scroll" role="region" aria-label="${[...names, ...figures].join(', ')}" tabindex="0"><table>
<thead><tr>${head}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map(cell)}</tr>\n`)}</tbody></table></div>\n`;
}
