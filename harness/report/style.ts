/** Narrow first: a phone is where a link to a report is opened. The browser's own colours, light or dark. */
export const STYLE = `
:root { color-scheme: light dark; --line: color-mix(in srgb, CanvasText 20%, Canvas); --shade: color-mix(in srgb, CanvasText 6%, Canvas); }
* { box-sizing: border-box; }
body {
  margin: 0 auto; padding: 1rem; max-width: 64rem; background: Canvas; color: CanvasText;
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere;
}
h2 { font-size: 1.1rem; margin: 0; display: inline; }
p, li { max-width: 48rem; margin: .5rem 0; }
details { border-top: 1px solid var(--line); padding: .6rem 0; }
.figures { display: grid; gap: 1.5rem 2rem; grid-template-columns: repeat(auto-fit, minmax(min(100%, 21rem), 1fr)); }
figure { margin: 0; max-width: 30rem; }
figure svg { display: block; width: 100%; height: auto; }
.scroll { overflow-x: auto; margin: 1rem 0; border: 1px solid var(--line); border-radius: .4rem; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; font-variant-numeric: tabular-nums; }
th, td { padding: .4rem .6rem; text-align: right; vertical-align: top; border-top: 1px solid var(--line); white-space: nowrap; }
th { white-space: normal; overflow-wrap: normal; }
.name { text-align: left; max-width: 20rem; }
.name:first-child { min-width: 8rem; position: sticky; left: 0; background: Canvas; }
thead th, thead .name:first-child { background: var(--shade); vertical-align: bottom; }
pre { font: .85em/1.4 ui-monospace, monospace; white-space: pre-wrap; }
`;
