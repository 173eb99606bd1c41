import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { html, raw } from 'hono/html';
import { holdsZero } from '../analysis/estimate.ts';
import type { Both } from '../pair/sides.ts';
import { asHtml, documentOf, folded, POLICY } from '../report/page.ts';
import { asUs } from '../words/units.ts';
import { type Call, keyOf, means, type PerPair, plus } from './calls.ts';
import { changeOf, type Explanation } from './explanation.ts';
import { details, summary } from './explanation-tables.ts';

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

/** A frame of both graphs: one draws the scenario's times, the other the baseline's. */
interface Flame {
  name: string;
  owner: string;
  us: Both<number>;
  /**
   * How the function's time with what it calls changed, as a part of the larger of the two; 0 if its interval holds 0.
   * Wherever it is called from: with a wrapper around all, every stack would be a new one.
   */
  change: number;
  children: Flame[];
}

/** The explanation as a tree whose frames sum to what was measured. */
export function flameOf({ calls, parts }: Explanation): Flame {
  const totals = new Map<Call, PerPair>();
  const functions = new Map<string, PerPair>();
  const add = (call: Call, callers: string[]): PerPair => {
    const key = keyOf(call.frame);
    const us = call.calls.map((each) => add(each, [...callers, key])).reduce(plus, call.selfUs);
    totals.set(call, us);
    // A function that calls itself has the time already.
    if (!callers.includes(key)) functions.set(key, plus(us, functions.get(key)));
    return us;
  };
  add(calls, []);
  const rest = parts.at(-1);
  const changeIn = ({ frame, owner }: Call): number => {
    const ofFunction = functions.get(keyOf(frame)) as PerPair;
    // What is left has an error that its pairs don't tell.
    const change = owner === rest?.where ? rest.change : changeOf(ofFunction);
    return holdsZero(change) ? 0 : change.value / Math.max(...Object.values(means(ofFunction)));
  };
  const drawn = (call: Call): Flame => ({
    name: call.frame.functionName || '(anonymous)',
    owner: call.owner,
    us: means(totals.get(call) as PerPair),
    change: changeIn(call),
    children: call.calls.map(drawn),
  });
  return { ...drawn(calls), name: 'CPU per request', owner: 'all', change: 0 };
}

/** The page's script with all that it needs, and the style that comes with it. */
async function client(): Promise<{ script: string; style: string }> {
  const entrypoint = join(import.meta.dir, 'flame-client.mjs');
  const { outputs } = await Bun.build({ entrypoints: [entrypoint], target: 'browser', minify: true });
  const text = (kind: string) => outputs.find(({ type }) => type.startsWith(kind))?.text() ?? '';
  return { script: await text('text/javascript'), style: await text('text/css') };
}
