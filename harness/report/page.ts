import { html, raw } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import type { Run } from '../analysis/analysis.ts';
import { coresText } from '../analysis/container.ts';
import { rowsWithNoiseFloor } from '../analysis/rows.ts';
import { printable } from '../words/text.ts';
import type { Section } from './cells.ts';
import { asMarkdown } from './formats/markdown.ts';
import { picture } from './picture/picture.ts';
import { isDrawn } from './tables.ts';
import { viewOf } from './view.ts';

/** The page loads nothing and runs no script, whatever a hostile file might have smuggled in. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

/**
 * The style is for narrow screens first, because links to reports are opened on phones. Colours are
 * those of the browser, light or dark.
 */
const STYLE = `
:root { color-scheme: light dark; --line: color-mix(in srgb, CanvasText 20%, Canvas); }
body {
  margin: 0 auto; padding: 1rem; max-width: 72rem; background: Canvas; color: CanvasText;
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere;
}
p, li { max-width: 48rem; margin: .5rem 0; }
figure { margin: 1.5rem 0; overflow-x: auto; }
table { display: block; overflow-x: auto; border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }
th, td { padding: .4rem .6rem; vertical-align: top; border-bottom: 1px solid var(--line); overflow-wrap: normal; }
:is(th, td):first-child { position: sticky; left: 0; min-width: 8rem; background: Canvas; overflow-wrap: anywhere; }
`;

/**
 * Returns all that is told of a run as one HTML page, which needs neither network nor script: its
 * tables, its picture, and remarks.
 */
export function page(run: Run): string {
  const { suite, environment, startedAt } = run.header;
  const { cpu, kernel } = environment;
  const { full } = viewOf(run);
  const machine = `${cpu}, ${coresText(environment)}, ${kernel}`;
  const hasPicture = run.tasks.flatMap(rowsWithNoiseFloor).some(isDrawn);
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
<main>
<h1>${suite.title}</h1>
<p>${machine}. Measured ${startedAt.slice(0, 10)}.</p>
${asHtml(full.slice(0, 1))}
${hasPicture && html`<figure>${raw(picture(run, 'page'))}</figure>`}
${asHtml(full.slice(1))}
</main>
</body>
</html>
`;
  return printable(String(markup));
}

/**
 * Returns the sections as HTML. Not every browser lets the keyboard scroll a table without focus.
 */
function asHtml(sections: Section[]): HtmlEscapedString {
  const markup = Bun.markdown.html(asMarkdown(sections), { noHtmlBlocks: true, noHtmlSpans: true });
  return raw(markup.replaceAll('<table>', '<table tabindex="0">'));
}
