/** Narrow first: a phone is where a link to a report is opened. Colours are of WCAG AA contrast in light and dark. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --page: #ffffff; --ink: #1b1f24; --muted: #57606a; --line: #d0d7de; --shade: #f4f6f8;
}
@media (prefers-color-scheme: dark) {
  :root { --page: #14171a; --ink: #e6e8eb; --muted: #a3abb4; --line: #3a4149; --shade: #1e2327; }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0 auto; padding: 1rem; max-width: 74rem; background: var(--page); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere;
}
h1 { font-size: 1.6rem; line-height: 1.2; margin: .5rem 0; }
h2 { font-size: 1.25rem; margin: 2.25rem 0 .75rem; padding-top: .75rem; border-top: 1px solid var(--line); }
h3 { font-size: 1rem; margin: 0 0 .25rem; }
p { margin: .5rem 0; max-width: 48rem; }
header p, .notes p, figcaption p { color: var(--muted); }
.notes p, figcaption p { font-size: .9rem; }
.scroll { overflow-x: auto; margin: .75rem 0; border: 1px solid var(--line); border-radius: .4rem; }
.scroll:focus-visible { outline: 2px solid currentColor; outline-offset: 2px; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; padding: .5rem .6rem; color: var(--muted); }
th, td { padding: .4rem .6rem; text-align: right; vertical-align: top; border-top: 1px solid var(--line); white-space: nowrap; }
th { white-space: normal; overflow-wrap: normal; }
th:first-child { text-align: left; min-width: 9rem; max-width: 20rem; overflow-wrap: anywhere; position: sticky; left: 0; background: var(--page); }
thead th, thead th:first-child { background: var(--shade); vertical-align: bottom; }
tbody th { font-weight: 600; }
.plots { display: grid; gap: 2rem 1.5rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); align-items: start; }
figure { margin: 0; max-width: 30rem; }
figure svg { display: block; width: 100%; height: auto; margin-top: .5rem; }
ul { padding-left: 1.2rem; }
li { margin: .4rem 0; }
code { font: .85em ui-monospace, monospace; background: var(--shade); padding: .1em .3em; border-radius: .2rem; }
dl { margin: .5rem 0; }
dt { font-weight: 600; margin-top: .5rem; }
dd { margin: 0; }
@media (max-width: 40rem) { th, td { text-align: left; } }
@media (min-width: 40rem) {
  body { padding: 1.5rem 2rem; }
  dl { display: grid; grid-template-columns: minmax(9rem, 14rem) minmax(0, 1fr); gap: .3rem 1rem; }
  dt { margin: 0; }
}
@media print {
  :root { color-scheme: light; --page: #fff; --ink: #000; --muted: #333; --line: #999; --shade: #fff; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  .scroll { overflow: visible; border: 0; }
  table { font-size: 7.5pt; }
  th, td { min-width: 0; padding: .2rem .3rem; white-space: normal; }
  figure, tr, li { break-inside: avoid; }
  h2, h3 { break-after: avoid; }
}
`;
