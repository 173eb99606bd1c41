import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { html, raw } from 'hono/html';
import { asUs } from '../analysis/units.ts';
import { asHtml, documentOf, folded, POLICY } from '../report/page.ts';
import type { Explanation } from './explanation.ts';
import { details, summary } from './explanation-tables.ts';
import { flameOf } from './flame.ts';

const FLAME_STYLE = '.flame { overflow: hidden; } .flame svg { display: block; } .label { min-height: 3rem; }';

/** The explanations as one page that needs no network. Its own script is in it, and no other runs. */
export async function explanationPage(title: string, explanations: Explanation[]): Promise<string> {
  const { script, style } = await client();
  const hash = createHash('sha256').update(script).digest('base64');
  const content = html`${explanations.map(section)}<script>${raw(script)}</script>`;
  return documentOf(`${title}, explained`, content, `${POLICY}; script-src 'sha256-${hash}'`, style + FLAME_STYLE);
}

function section(explanation: Explanation, index: number) {
  const { title, baselineTitle, measured } = explanation;
  const data = `flame-${index}`;
  // A "<" would let a name end the element.
  const json = JSON.stringify(flameOf(explanation)).replaceAll('<', '\\u003c');
  const graph = (side: string, of: string) =>
    html`<h3>${of}</h3><div class="flame" data-side="${side}" data-data="${data}"></div><p class="label"></p>`;
  return html`<section>
<h2>${title}</h2>
${asHtml(summary(explanation))}
<p>The width of a frame is its CPU time per request. Orange means that the function takes more than in the baseline, counting all
its calls. Blue means less, and grey no significant difference. Click a frame to look closer.</p>
${graph('scenario', `${title}: ${asUs(measured.us.scenario)}`)}
${graph('baseline', `${baselineTitle}: ${asUs(measured.us.baseline)}`)}
<script type="application/json" id="${data}">${raw(json)}</script>
${details(explanation).map(folded)}
</section>`;
}

/** The page's script with all that it needs, and the style that comes with it. */
async function client(): Promise<{ script: string; style: string }> {
  const entrypoint = join(import.meta.dir, 'flame-client.mjs');
  const { outputs } = await Bun.build({ entrypoints: [entrypoint], target: 'browser', minify: true });
  const text = (kind: string) => outputs.find(({ type }) => type.startsWith(kind))?.text() ?? '';
  return { script: await text('text/javascript'), style: await text('text/css') };
}
