/**
 * Style and script of the page. Both stand in it: it needs no network, and reads without script.
 */

/**
 * The style is for narrow screens first, because links to reports are opened on phones. Colours are
 * those of the browser, light or dark.
 */
export const STYLE = `
:root { color-scheme: light dark; --line: color-mix(in srgb, CanvasText 20%, Canvas); --faint: color-mix(in srgb, CanvasText 65%, Canvas); }
body {
  margin: 0 auto; padding: 1rem; max-width: 60rem; background: Canvas; color: CanvasText;
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere;
}
h1 { margin: 0; line-height: 1.2; }
h2 { display: inline; font-size: 1.1rem; }
p, li { max-width: 48rem; margin: .5rem 0; }
.answer { font-size: 1.25rem; }
.small, figcaption, caption { font-size: .85rem; color: var(--faint); text-align: left; }
details { border-top: 1px solid var(--line); padding: .6rem 0; }
summary { cursor: pointer; }
figure { margin: 1rem 0; }
svg { display: block; max-width: 100%; height: auto; }
.narrow { display: none; }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; margin: 1rem 0; }
th, td { padding: .4rem .6rem; vertical-align: top; border-bottom: 1px solid var(--line); text-align: right; overflow-wrap: normal; }
.scroll { overflow-x: auto; }
th:first-child { text-align: left; }
th[scope=row] { font-weight: normal; }
thead th { font-weight: 600; }
th button { all: unset; cursor: pointer; }
th button:focus-visible { outline: 2px solid; }
.insignificant, .unclear { color: var(--faint); }
.invalid { font-style: italic; }
@media (min-width: 44.01rem) { td { white-space: nowrap; } th[scope=row] { min-width: 8rem; } }
@media (max-width: 44rem) {
  .narrow { display: block; }
  .wide { display: none; }
  thead { display: none; }
  table, tbody, tr { display: block; }
  tr { padding: .5rem 0; border-bottom: 1px solid var(--line); }
  tr :is(th, td) { display: flex; justify-content: space-between; gap: 1rem; padding: .1rem 0; border: 0; }
  tr th[scope=row] { font-weight: 600; }
  td::before { content: attr(data-heading); text-align: left; color: var(--faint); }
}
`;

/** Sorts a table by the column whose heading is pressed, and once more the other way round. */
export const SCRIPT = `
for (const button of document.querySelectorAll('th button')) button.addEventListener('click', () => {
  const heading = button.parentElement;
  const body = heading.closest('table').tBodies[0];
  const sign = heading.ariaSort === 'ascending' ? -1 : 1;
  const textOf = (row) => row.cells[heading.cellIndex].textContent;
  const numberOf = (row) => parseFloat(/[-+]?[0-9]+(?:[.][0-9]+)?/.exec(textOf(row))?.[0] ?? 'Infinity');
  const order = 'name' in heading.dataset
    ? (one, other) => textOf(one).localeCompare(textOf(other))
    : (one, other) => numberOf(one) - numberOf(other);
  body.append(...[...body.rows].sort((one, other) => sign * order(one, other)));
  for (const each of heading.parentElement.cells) each.ariaSort = 'none';
  heading.ariaSort = sign > 0 ? 'ascending' : 'descending';
});
`;
