import type { Result } from '../../results/schema.ts';
import { type Summary, summarise } from '../../stats/summary.ts';
import { taskResults } from '../../stats/tasks.ts';
import { CALIBRATION, shownVerdicts } from '../calibration.ts';
import { notes } from '../notes.ts';
import { commandList, fieldList, proofTable, sentence, verdictList } from './about.ts';
import { type Content, html, Markup } from './escape.ts';
import { type Plot, plotsOf } from './plots.ts';
import { calibrationTable, docsTable, latencyTable, resourcesTable } from './results.ts';
import { STYLE } from './style.ts';

/** Nothing is loaded and no script runs, whatever a hostile file might have smuggled in. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

/** The whole result as one page that needs neither network nor script to be read. */
export async function htmlReport(result: Result): Promise<string> {
  const { title } = result.suite;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>${title}: tracetax</title>
<style>${new Markup(STYLE)}</style>
</head>
<body>
<header><h1>${title}</h1><p>${machine(result)}</p></header>
<main>
${await sections(result)}</main>
</body>
</html>
`.text;
}

/** The tables of all tasks with what must be said of them, then what is behind them, then how it was measured. */
async function sections(result: Result): Promise<Markup[]> {
  const isCalibration = result.suite.name === CALIBRATION;
  const verdicts = shownVerdicts(result);
  const all = taskResults(result);
  const tasks = all.map(({ task, result }) => ({ task, result, summary: summarise(result) }));
  const suffix = (title: string) => (tasks.length > 1 ? `: ${title}` : '');
  const tables = tasks.map(({ task, result, summary }) => {
    const own = verdicts.filter((verdict) => verdict.task === null || verdict.task === task.name);
    const table = docsTable(result, summary, own);
    return section(`Result${suffix(task.title)}`, isCalibration && calibrationTable(result), table);
  });
  const remarks = notes(result, all, []).map((note) => html`<p>${sentence(note)}</p>\n`);
  const behind = tasks.map(async ({ task, result, summary }) =>
    details(result, summary, await plotsOf(result, summary, tasks.length), suffix(task.title)),
  );
  const { configuration, environment, tool, pinning, cpuClock, startedAt, endedAt, stoppedBy } = result;
  const { tasks: comparisons, skipped } = result.suite;
  return [
    ...tables,
    html`<div class="notes">${remarks}</div>`,
    section('Verdicts', verdictList(verdicts)),
    ...(await Promise.all(behind)).flat(),
    section('Proofs', proofTable(result)),
    section('Environment', fieldList({ ...environment, pinning, cpuClock, startedAt, endedAt, stoppedBy })),
    section('Configuration', fieldList({ tool, ...configuration, comparisons, skipped })),
    section("The load tool's command", commandList(result)),
  ];
}

/** What is behind the table of a task. */
function details(result: Result, summary: Summary, plots: Plot[], suffix: string): Markup[] {
  const draw = (...names: Plot['name'][]) => plots.filter(({ name }) => names.includes(name)).map(figureOf);
  const hasFigures = summary.rows.some(({ solo }) => solo.figures);
  const latency = hasFigures ? [latencyTable(summary), draw('latency')] : missing('valid solo measurement');
  return [
    section(`Cost per request${suffix}`, grid(draw('cpu-per-request', 'change-per-request'))),
    section(`Noise${suffix}`, grid(draw('slices', 'rounds'))),
    section(`Latency and throughput${suffix}`, latency),
    section(`CPU time and memory${suffix}`, resourcesTable(result)),
  ];
}

function section(heading: string, ...content: Content[]): Markup {
  return html`<section><h2>${heading}</h2>\n${content}\n</section>\n`;
}

function grid(figures: Markup[]): Markup {
  return figures.length > 0
    ? html`<div class="plots">${figures}</div>`
    : missing('valid measurement to plot');
}

function missing(what: string): Markup {
  return html`<p>There is no ${what} in this file.</p>`;
}

function figureOf({ title, caption, svg }: Plot): Markup {
  return html`<figure><figcaption><h3>${title}</h3><p>${caption}</p></figcaption>\n${new Markup(svg)}</figure>\n`;
}

function machine({ environment, startedAt, tool }: Result): string {
  const { cpu, cores, kernel, runtime } = environment;
  return `${startedAt.slice(0, 10)}, ${cpu}, ${cores} cores, ${kernel}, ${runtime.name} ${runtime.version}, ${tool.name} ${tool.version}`;
}
