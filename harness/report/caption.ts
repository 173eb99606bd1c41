import type { Run } from '../analysis/analysis.ts';
import { MIN_ANSWERS_OF_P99 } from '../analysis/figures.ts';
import { holdsZero, isBounded } from '../analysis/interval.ts';
import type { Quantity } from '../analysis/quantities.ts';
import { rowsWithNoiseFloor } from '../analysis/rows.ts';
import { isOfUnlikeDuets } from '../analysis/slices.ts';
import type { Task } from '../result/schema.ts';
import { asCount, asPercent } from '../words/units.ts';
import { intervalNote, type Table } from './cells.ts';
import { type Column, P50_COLUMN, P99_COST_COLUMN } from './columns.ts';
import { factsLine } from './facts-line.ts';
import { NOT_HELD } from './rate-tables.ts';
import { connectionsText, listOnce } from './run-facts.ts';
import type { Form } from './tables.ts';

/**
 * Returns the paragraphs under the first table: what its columns are, and how its figures came
 * about.
 * @param tables those that the paragraphs explain
 */
export function captionOf(run: Run, form: Form, tables: readonly Table[]): string[] {
  const sentences = [
    shownText(run, form, tables),
    ...notHeldTexts(tables),
    form === 'rate' || form === 'rates' ? latencyText(run) : '',
    form === 'rates' ? percentilesText(tables) : '',
    factsLine(run),
  ].filter((sentence) => sentence !== '');
  const coverage = form === 'calibration' ? coverageText(run) : undefined;
  return [...(coverage ? [coverage] : []), sentences.join(' ')];
}

/** Returns how many intervals of a calibration hold the true cost; undefined if there are none. */
export function coverageText(run: Run): string | undefined {
  const count = coverageCountText(run);
  return count && `${count} intervals hold the true cost.`;
}

/** Returns the same as `12 of 20`. */
export function coverageCountText(run: Run): string | undefined {
  const errors = run.tasks.flatMap(rowsWithNoiseFloor).flatMap(({ costError }) => costError ?? []);
  const bounded = errors.filter(isBounded);
  if (bounded.length === 0) return undefined;
  return `${bounded.filter(holdsZero).length} of ${bounded.length}`;
}

function latencyText({ header }: Run): string {
  const { latencyFrom } = header.toolAtRates ?? header.tool;
  const since = latencyFrom === 'due' ? 'due' : 'sent, without the time it waited to be sent';
  return `Latency counts from when a request was ${since}.`;
}

/** Says what the percentiles of several rates are, if a table has some. */
function percentilesText(tables: readonly Table[]): string {
  if (!hasColumn(tables, P50_COLUMN)) return '';
  const least = asCount(MIN_ANSWERS_OF_P99);
  return `p50 is each server's own; p99 is shown if at least ${least} answers tell it.`;
}

/** Says what `not held` means, if a table has it. */
function notHeldTexts(tables: readonly Table[]): string[] {
  const hasIt = tables.some(({ rows }) => rows.flat().includes(NOT_HELD));
  return hasIt
    ? ['Not held: at that rate requests were not answered, or left late; a warning says why.']
    : [];
}

const MULTIPLE_TEXT =
  " x: a request's whole CPU divided by the baseline's; high if the server does little else.";

/** Returns the columns, and how their intervals are to be read. Empty if nothing was measured. */
function shownText(run: Run, form: Form, tables: readonly Table[]): string {
  const columns = [
    latencyColumnText(run, form),
    cpuColumnText(run, form),
    p99ColumnText(form, tables),
  ].filter((text) => text !== '');
  if (columns.length === 0) return '';
  const shown =
    `Each scenario minus the baseline: ${columns.join(', and ')}. ` +
    intervalNote(tables, 'the baseline') +
    (isMeasured(run, 'cpuUs') && (form === 'costs' || form === 'rate') ? MULTIPLE_TEXT : '');
  return [shown, ...waitingTexts(run, form)].join(' ');
}

function latencyColumnText(run: Run, form: Form): string {
  if (form !== 'costs' || !isMeasured(run, 'latencyUs')) return '';
  const connections = connectionsText(run);
  return connections === '' ? 'mean latency' : `mean latency at ${connections}`;
}

function cpuColumnText(run: Run, form: Form): string {
  if (!isMeasured(run, 'cpuUs')) return '';
  if (form === 'rates') return 'server CPU per request at each rate';
  if (form === 'rate') return `server CPU at ${listOnce(run.tasks.map(rateText))}`;
  return hasUnlikeDuets(run) ? 'server CPU from duets' : 'server CPU';
}

function p99ColumnText(form: Form, tables: readonly Table[]): string {
  if (form !== 'rate' && form !== 'rates') return '';
  return hasColumn(tables, P99_COST_COLUMN) ? 'changes of p99' : '';
}

/** Returns whether a table has the column, at any rate. */
function hasColumn(tables: readonly Table[], column: Column): boolean {
  const headings = tables.flatMap(({ figures }) => figures.map(({ heading }) => heading));
  return headings.some((heading) => heading.startsWith(column.heading));
}

/** Returns whether a row at full load reads too high because it was measured in duets. */
function hasUnlikeDuets({ tasks }: Run): boolean {
  return tasks
    .filter(({ rate }) => rate === null)
    .flatMap(({ rows }) => rows)
    .some(({ change, pairs }) => isOfUnlikeDuets(change.cpuUs, pairs));
}

function rateText({ rate, rateShare }: Pick<Task, 'rate' | 'rateShare'>): string {
  const share = rateShare === null ? '' : ` (${asPercent(rateShare)} of what the baseline can do)`;
  return `${rate} requests/s${share}`;
}

/** Returns a sentence for each task at a steady rate in a table of full load. */
function waitingTexts(run: Run, form: Form): string[] {
  if (form !== 'costs' && form !== 'matrix') return [];
  return run.tasks
    .filter(({ rate }) => rate !== null)
    .map(({ title, rate }) => `${title}: at ${rate} requests/s, where latency is mostly waiting.`);
}

function isMeasured(run: Run, quantity: Quantity): boolean {
  return run.tasks.flatMap(rowsWithNoiseFloor).some(({ change }) => change[quantity] !== null);
}
