import { Error as ErrorLevel, parse, View } from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';
import { escapeText } from './escape.ts';
import { WIDTH } from './specs.ts';

/** A quarter of the text that Vega writes into tags, and of no effect in a drawing that is one labelled image. */
const IDLE =
  / (?:pointer-events="none"|opacity="1"|aria-\w+="[\w ]*"|role="graphics-\w+"|xmlns:\w+="[^"]*")(?=[^<>]*>)/g;

/**
 * The drawing as SVG text, in the colour of the text around it, so that it is legible on a light and a dark page.
 * Vega draws without a canvas here: it takes texts for wider than they are, and a width computed from them would
 * leave a third of it empty and scale the rest down. So the width is given.
 */
export async function drawn(spec: TopLevelSpec, label: string): Promise<string> {
  const view = new View(parse(compile(spec).spec), { renderer: 'none', logLevel: ErrorLevel });
  const svg = (await view.toSVG()).replace(IDLE, '');
  view.finalize();
  const [root = '', height = ''] = /^<svg [^>]*height="([\d.]+)"[^>]*>/.exec(svg) ?? [];
  const size = `width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}"`;
  const name = `xmlns="http://www.w3.org/2000/svg" role="img" aria-label="${escapeText(label)}"`;
  return `<svg ${name} ${size}>${svg.slice(root.length)}`;
}

/** The same as a file of its own, which has no page behind it. */
export function standAlone(svg: string): string {
  return svg.replace(
    /^<svg ([^>]*)>/,
    '<svg color="#1b1f24" $1><rect width="100%" height="100%" fill="#ffffff"/>',
  );
}
