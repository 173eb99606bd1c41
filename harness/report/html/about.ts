import type { Proof, Result } from '../../results/schema.ts';
import type { Verdict } from '../../results/verdict.ts';
import { shellWords } from '../../shell-words.ts';
import { MARKED } from '../notes.ts';
import { type Content, html, type Markup } from './escape.ts';
import { type Column, table } from './table.ts';

/** What speaks against the figures, each with what to do about it. */
export function verdictList(verdicts: Verdict[]): Markup {
  if (verdicts.length === 0) return html`<p>Nothing was found that speaks against these figures.</p>`;
  const items = verdicts.map(({ kind, message, remedy }) => {
    const mark = MARKED.includes(kind) && '† ';
    return html`<li><code>${kind}</code> ${mark}${sentence(message)}. <em>${remedy}.</em></li>\n`;
  });
  return html`<ul>${items}</ul>`;
}

/** What arrived of a known number of requests before anything was measured. */
export function proofTable({ proofs, suite }: Result): Markup {
  if (proofs.length === 0) return html`<p>Not in this file: nothing proves what was recorded.</p>`;
  const columns: Column<Proof>[] = [
    ['Test', (proof) => suite.scenarios.find(({ name }) => name === proof.scenario)?.title ?? proof.scenario],
    ['Requests', ({ requests }) => requests],
    ['At once', ({ concurrency }) => concurrency],
    ['Spans', ({ spans }) => spans],
    ['Spans / request', ({ spans, requests }) => spans / requests],
    ['Traces', ({ traces }) => traces],
    ['Metrics', ({ metrics }) => metrics.map(({ name, count }) => `${name} (${count})`).join(', ') || 'none'],
  ];
  return table('What each server exported of a known number of requests', columns, proofs);
}

/** The load tool's command for each server, as it ran: in its first round, else in its first duet. */
export function commandList(result: Result): Markup {
  const { soloRounds, duetForks, suite } = result;
  const all = [
    ...soloRounds.flatMap(({ measurements }) => measurements),
    ...duetForks.map(({ scenario, commands }) => ({ scenario, command: commands.scenario })),
  ];
  const entries = suite.scenarios.flatMap(({ name, title }): [string, Content][] => {
    const first = all.find(({ scenario }) => scenario === name);
    return first ? [[title, html`<code>${shellWords(first.command)}</code>`]] : [];
  });
  return entries.length > 0 ? definitions(entries) : html`<p>No command ran.</p>`;
}

/** Whatever the file tells of the run, field by field: a field that is added later is shown too. */
export function fieldList(fields: object): Markup {
  return definitions(Object.entries(fields).map(([name, value]) => [inWords(name), valueOfField(value)]));
}

/** A sentence in which a figure could not be computed says so. */
export function sentence(text: string): string {
  return text.replace(/\bNaN\b/g, 'unknown');
}

function definitions(entries: [term: string, description: Content][]): Markup {
  return html`<dl>${entries.map(([term, text]) => html`<dt>${term}</dt><dd>${text}</dd>\n`)}</dl>`;
}

function valueOfField(value: unknown): Content {
  if (value === null || value === undefined) return '-';
  if (Array.isArray(value))
    return value.length > 0 ? value.map((each) => html`${valueOfField(each)}<br>`) : '-';
  if (typeof value !== 'object') return String(value);
  return Object.entries(value).map(([name, each]) => html`${name}: ${valueOfField(each)}<br>`);
}

/** `warmupSeconds` as "Warmup seconds". */
function inWords(name: string): string {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return (words.charAt(0).toUpperCase() + words.slice(1)).replace('Cpu', 'CPU');
}
