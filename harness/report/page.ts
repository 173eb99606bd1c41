import { raw, html as template } from 'hono/html';
import type { Analysis } from '../analysis/model.ts';
import { asRemark, calibrationNote, commands, howMeasured, methodNotes, remarks } from './notes.ts';
import { asSvg, type Drawing, drawingsOf } from './picture.ts';
import { STYLE } from './style.ts';
import { detailTables, docsTable, noiseTable, type Table } from './tables.ts';
import { printable } from './text.ts';

/** HTML that is escaped already. */
type Markup = Awaited<ReturnType<typeof template>>;

/** Whatever is put in is escaped, unless it is markup. No promise is ever put in, so none comes out. */
function html(strings: TemplateStringsArray, ...values: unknown[]): Markup {
  return template(strings, ...values) as Markup;
}

/** Nothing is loaded and no script runs, whatever a hostile file might have smuggled in. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

/** The whole analysis as one page that needs neither network nor script to be read. */
export async function page(analysis: Analysis): Promise<string> {
  const { title } = analysis.suite;
  const markup = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>${title}: tracetax</title>
<style>${raw(STYLE)}</style>
</head>
<body>
<header><h1>${title}</h1></header>
<main>
${await opening(analysis)}
${details(analysis)}
</main>
</body>
</html>
`;
  return printable(String(markup).toWellFormed());
}

/** What a reader came for: the picture, the table, and what must be said beside them. */
async function opening(analysis: Analysis): Promise<Markup> {
  const notes = [...calibrationNote(analysis), howMeasured(analysis)];
  return html`${await figures(analysis)}
<p>Dot and bar: the mean over all pairs and its 95 % interval, grey if that holds zero. Faint dots: the pairs.</p>
${table(docsTable(analysis))}
<p>${notes.join(' ')}</p>
${list(remarks(analysis, 'under Verdicts'))}`;
}

/** What is behind it, folded. */
function details(analysis: Analysis): Markup {
  const { configuration, environment, tool, pinning, keepAwake, cpuClock, startedAt, endedAt } = analysis.run;
  const load = commands(analysis).map(({ title, command }) => html`<li>${title}: <code>${command}</code></li>\n`);
  return html`
${folded('Noise', table(noiseTable(analysis)))}
${folded('All figures', detailTables(analysis).map(table))}
${folded('Verdicts', list(analysis.verdicts.map(asRemark)) ?? html`<p>Nothing was found wrong.</p>`)}
${folded('How it was measured', list(methodNotes(analysis)))}
${folded('Proofs', data(analysis.proofs))}
${folded('Environment', data({ ...environment, pinning, keepAwake, cpuClock }))}
${folded('Configuration', data({ tool, startedAt, endedAt, ...configuration }))}
${folded("The load tool's commands", html`<ul>${load}</ul>`)}`;
}

/** The pictures of each task, side by side if there is room. */
async function figures({ tasks, run }: Analysis): Promise<Markup[]> {
  const figure = async (drawing: Drawing) =>
    html`<figure><figcaption>${drawing.heading}</figcaption>${raw(await asSvg(drawing))}</figure>\n`;
  return Promise.all(
    tasks.map(async (task) => {
      const drawings = await Promise.all((await drawingsOf(task, run)).map(figure));
      const title = tasks.length > 1 ? html`<h2>${task.title}</h2>` : '';
      return html`${title}<div class="figures">${drawings}</div>\n`;
    }),
  );
}

/** In a box of its own to scroll in, by keyboard too: the page stays as wide as the screen. */
function table({ caption, names, figures, rows }: Table): Markup {
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

/** Whatever is known: a field that is added later is shown too. */
function data(value: object): Markup {
  return html`<pre>${JSON.stringify(value, null, 2)}</pre>`;
}
