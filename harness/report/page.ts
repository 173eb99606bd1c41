import { html, raw } from 'hono/html';
import type { Analysis } from '../analysis/analysis.ts';
import { fittedSentences, fittedTable } from './fitted.ts';
import { asRemark, howMeasured, methodNotes, remarks } from './notes.ts';
import { asSvg, drawingsOf } from './picture.ts';
import type { Markup } from './plot.ts';
import { STYLE } from './style.ts';
import { detailTables, docsTable, type Table } from './tables.ts';
import { printable } from './text.ts';

/** Nothing is loaded and no script runs, whatever a hostile file might have smuggled in. */
export const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

/** The whole analysis as one page that needs neither network nor script to be read. */
export async function page(analysis: Analysis): Promise<string> {
  return documentOf(analysis.suite.title, html`${await opening(analysis)}\n${details(analysis)}`);
}

/** A page with this content, and no more than its own style. */
export function documentOf(title: string, content: Markup, policy = POLICY, style = ''): string {
  const markup = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>${title}: tracetax</title>
<style>${raw(STYLE + style)}</style>
</head>
<body>
<header><h1>${title}</h1></header>
<main>
${content}
</main>
</body>
</html>
`;
  return printable(String(markup));
}

/** What a reader came for: the picture, the table, and what must be said beside them. */
async function opening(analysis: Analysis): Promise<Markup> {
  const figures = (await drawingsOf(analysis)).flat().map((drawing) => html`<figure>${asSvg(drawing)}</figure>\n`);
  const fitted = fittedTable(analysis);
  return html`<div class="figures">${figures}</div>
<p>A change is drawn as the mean over all pairs, with its 95 % interval. Grey means no significant difference. Faint dots are single pairs.</p>
${table(docsTable(analysis))}
${fitted && table(fitted)}
${fittedSentences(analysis).map((each) => html`<p>${each}</p>`)}
<p>${howMeasured(analysis).join(' ')}</p>
${list(remarks(analysis, 'under Warnings'))}`;
}

/** What is behind it, folded. Of the run whatever is known: a field that is added later is shown too. */
function details(analysis: Analysis): Markup {
  const { environment, ...run } = analysis.run;
  const known = { Proofs: analysis.proofs, Environment: environment, Configuration: run };
  return html`
${folded('All figures', detailTables(analysis).map(table))}
${folded('Warnings', list(analysis.verdicts.map(asRemark)) ?? html`<p>None.</p>`)}
${folded('How it was measured', list(methodNotes(analysis)))}
${Object.entries(known).map(([name, data]) => folded(name, html`<pre>${JSON.stringify(data, null, 2)}</pre>`))}`;
}

/** In a box of its own to scroll in, by keyboard too: the page stays as wide as the screen. */
export function table({ caption, names, figures, rows }: Table): Markup {
  const head = [
    ...names.map((name) => html`<th scope="col" class="name">${name}</th>`),
    ...figures.map((figure) => html`<th scope="col">${figure}</th>`),
  ];
  const cell = (text: string, index: number) =>
    index < names.length ? html`<th scope="row" class="name">${text}</th>` : html`<td>${text}</td>`;
  return html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0"><table>
<caption>${caption}</caption><thead><tr>${head}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map(cell)}</tr>\n`)}</tbody></table></div>\n`;
}

function folded(summary: string, content: unknown): Markup {
  return html`<details><summary><h2>${summary}</h2></summary>${content}</details>`;
}

function list(items: string[]): Markup | null {
  return items.length > 0 ? html`<ul>${items.map((item) => html`<li>${item}</li>\n`)}</ul>` : null;
}
