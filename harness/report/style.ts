/** Narrow first: a phone is where a link to a report is opened. Colours are of WCAG AA contrast in light and dark. */
export const STYLE = `
:root { color-scheme: light dark; --page: #ffffff; --ink: #1f2328; --muted: #57606a; --line: #d0d7de; --shade: #f4f6f8; }
@media (prefers-color-scheme: dark) {
  :root { --page: #0d1117; --ink: #e6edf3; --muted: #a3abb4; --line: #3a4149; --shade: #1e2327; }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body {
  margin: 0 auto; padding: 1rem; max-width: 64rem; background: var(--page); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere;
}
h1 { font-size: 1.6rem; line-height: 1.2; margin: .5rem 0 1.25rem; }
h2 { font-size: 1.1rem; margin: 1.5rem 0 .5rem; }
summary h2 { margin: 0; display: inline; }
p, li { max-width: 48rem; margin: .5rem 0; }
ul { padding-left: 1.2rem; }
details { border-top: 1px solid var(--line); padding: .6rem 0; }
summary { cursor: pointer; }
:focus-visible { outline: 2px solid currentColor; outline-offset: 2px; }
.figures { display: grid; gap: 1.5rem 2rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 21rem), 1fr)); }
figure { margin: 0; max-width: 30rem; }
figcaption { font-weight: 600; margin-bottom: .5rem; }
figure svg { display: block; width: 100%; height: auto; }
.scroll { overflow-x: auto; margin: 1rem 0; border: 1px solid var(--line); border-radius: .4rem; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; padding: .5rem .6rem; color: var(--muted); }
th, td { padding: .4rem .6rem; text-align: right; vertical-align: top; border-top: 1px solid var(--line); white-space: nowrap; }
th { white-space: normal; overflow-wrap: normal; }
.name { text-align: left; max-width: 20rem; }
.name:first-child { min-width: 8rem; position: sticky; left: 0; background: var(--page); }
thead th, thead .name:first-child { background: var(--shade); vertical-align: bottom; }
code { font: .85em ui-monospace, monospace; background: var(--shade); padding: .1em .3em; border-radius: .2rem; }
pre { font: .85em/1.4 ui-monospace, monospace; white-space: pre-wrap; }
@media print {
  :root { color-scheme: light; --page: #fff; --ink: #000; --muted: #333; --line: #999; --shade: #fff; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  details::details-content { content-visibility: visible; display: block; }
  .scroll { overflow: visible; border: 0; }
  table { font-size: 7.5pt; }
  th, td { padding: .2rem .3rem; white-space: normal; }
}
`;
