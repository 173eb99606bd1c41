import { type Content, html, type Markup } from './escape.ts';

/** One column: its heading, and what it says of a row. The first is the row's own heading. */
export type Column<Row> = [heading: string, cell: (row: Row) => Content];

/** A table in a box of its own to scroll in, by keyboard too: the page stays as wide as the screen. */
export function table<Row>(caption: string, columns: Column<Row>[], rows: Row[]): Markup {
  const head = columns.map(([heading]) => html`<th scope="col">${heading}</th>`);
  const body = rows.map((row) => {
    const [label, ...cells] = columns.map(([, cell]) => cell(row));
    return html`<tr><th scope="row">${label}</th>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>\n`;
  });
  return html`<div class="scroll" role="region" aria-label="${caption}" tabindex="0"><table>
<caption>${caption}</caption><thead><tr>${head}</tr></thead>
<tbody>${body}</tbody></table></div>\n`;
}
