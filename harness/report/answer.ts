import { max } from 'simple-statistics';
import type { Run } from '../analysis/analysis.ts';
import { type Curve, wholeSlopeUs } from '../analysis/curves.ts';
import { type Clarity, clarityOf, dividedBy, type Interval } from '../analysis/interval.ts';
import type { Estimate } from '../analysis/mean-estimate.ts';
import { hasFootprint, type Row } from '../analysis/rows.ts';
import { warningsAbout } from '../analysis/warnings/list.ts';
import { capitalized, counted, uncapitalized } from '../words/text.ts';
import { roundedUp } from '../words/units.ts';
import { coverageText } from './caption.ts';
import { amountText, MS, PERCENT, plusMinusText, timesText, US } from './cells.ts';
import { connectionsText } from './run-facts.ts';
import { formOf } from './tables.ts';

/** What to do about a figure that is not known. */
export const MEASURE_BETTER = 'Use more --pairs, or a quieter machine.';

const US_PER_SECOND = 1e6;

const QUICK_TEXT = 'That is a first look: a quick run is not for publishing.';

/** A row whose CPU per request is known. */
interface CostedRow {
  row: Row;
  cost: Estimate;
  /** All that a request takes, as a multiple of what it takes of the baseline. */
  multiple: Interval;
}

/**
 * Returns what a run says, in words, for who reads one sentence: what a request pays in CPU. Of a
 * sweep it is what one more costs, of a calibration how often it was right.
 */
export function answerOf(run: Run): string {
  const coverage = formOf(run) === 'calibration' ? coverageText(run) : undefined;
  if (coverage !== undefined) return coverage;
  const curve = steepestCurve(run.curves);
  const answer = curve ? curveText(curve) : answerOfRows(run);
  return run.header.configuration.isQuick ? `${answer} ${QUICK_TEXT}` : answer;
}

function answerOfRows(run: Run): string {
  const rows = run.tasks.flatMap((task) => task.rows);
  const costed = rows.flatMap((row) => costedRowOf(row) ?? []);
  if (costed.length === 0) return notMeasuredText(run, rows);
  const dearer = rowsThatCost(costed);
  const [dearest, second] = dearer;
  if (!dearest)
    return (
      nothingFoundText(costed) +
      firstMarkText(run, costed) +
      withoutFiguresText(rows.length - costed.length)
    );
  const named = dearer.find(({ row }) => row.scenario === run.header.suite.headline);
  if (named) return `${costText(run, named)}.${markText(run, named)}`;
  const cheapest = dearer.at(-1) ?? dearest;
  if (hasFootprint(run) && cheapest !== dearest)
    return rangeText(run, cheapest, dearest, dearer.length);
  const rest = second ? `; ${shortText(second)}` : '';
  return `${costText(run, dearest)}${rest}.${markText(run, dearest)}`;
}

/** Returns the rows that surely cost something, the dearest first. */
function rowsThatCost(costed: readonly CostedRow[]): CostedRow[] {
  return costed
    .filter(({ cost }) => clarityOf(cost, cost.baseline) === 'significant' && cost.value > 0)
    .toSorted((one, other) => other.multiple.value - one.multiple.value);
}

/**
 * Of products, a reader wants both ends. Baselines of tasks differ, so the order is by multiples:
 * the row with the lowest may not have the fewest µs.
 */
function rangeText(run: Run, cheapest: CostedRow, dearest: CostedRow, rows: number): string {
  return (
    `${costText(run, cheapest)}, the lowest multiple of ${counted(rows, 'row')} that surely cost ` +
    `more; ${uncapitalized(costText(run, dearest))}, the highest.` +
    `${markText(run, cheapest)}${markText(run, dearest)}`
  );
}

function steepestCurve(curves: readonly Curve[]): Curve | undefined {
  const ofCpu = curves.filter(({ quantity }) => quantity === 'cpuUs');
  return ofCpu.toSorted((one, other) => other.slope.value - one.slope.value)[0];
}

function curveText(curve: Curve): string {
  const { title, unit, slope } = curve;
  const change = plusMinusText(US, slope);
  const clarity = clarityOf(slope, wholeSlopeUs(curve));
  if (clarity === 'unclear')
    return `${title}: it is not known what each ${unit} more adds (${change}).`;
  if (clarity === 'insignificant')
    return `${title}: no cost of each ${unit} more was found (${change}).`;
  const cost = `${title}: each ${unit} more adds ${change} of server CPU to a request.`;
  return `${cost}${misfitText(curve)}`;
}

function misfitText({ misfit, leftOut, parameter }: Curve): string {
  const fit =
    typeof misfit === 'number' ? ` But no line fits, least at ${parameter}=${misfit}.` : '';
  if (leftOut.length === 0) return fit;
  return `${fit} Costs read too low at ${parameter}=${leftOut.join(', ')}, which is left out.`;
}

function costedRowOf(row: Row): CostedRow | null {
  const cost = row.change.cpuUs;
  if (cost === null || row.cpuMultiple === null) return null;
  return { row, cost, multiple: row.cpuMultiple };
}

/** Without CPU times, latency is all that there is. */
function notMeasuredText(run: Run, rows: readonly Row[]): string {
  if (rows.length === 0) return 'Nothing was compared with the baseline.';
  const told = clearestLatency(rows.flatMap(latencyChangeOf));
  const note = 'CPU per request was not measured.';
  return told ? `${latencyText(run, told)} ${note}` : note;
}

/** By how much later the answers of a row come. */
interface LatencyChange {
  label: string;
  change: Estimate;
  clarity: Clarity;
}

function latencyChangeOf({ label, change: { latencyUs } }: Row): LatencyChange[] {
  if (latencyUs === null) return [];
  return [{ label, change: latencyUs, clarity: clarityOf(latencyUs, latencyUs.baseline) }];
}

/** Returns the latest of the rows that surely changed; without one, of those that may have. */
function clearestLatency(changes: readonly LatencyChange[]): LatencyChange | undefined {
  const latestFirst = changes.toSorted((one, other) => other.change.value - one.change.value);
  const latestOf = (wanted: Clarity) => latestFirst.find(({ clarity }) => clarity === wanted);
  return latestOf('significant') ?? latestOf('unclear') ?? latestFirst[0];
}

function latencyText(run: Run, { label, change, clarity }: LatencyChange): string {
  const connections = connectionsText(run);
  const where = connections === '' ? '' : ` at ${connections}`;
  const figure = `${withText(label)} ${plusMinusText(MS, change)}${where}`;
  if (clarity === 'unclear') return `It is not known whether latency changed (${figure}).`;
  if (clarity === 'insignificant') return `No change of latency was found (${figure}).`;
  const direction = change.value > 0 ? 'longer' : 'less';
  return `${sentenceStart(label)} an answer takes ${amountText(MS, change)} ${direction}${where}.`;
}

/** No row costs more than nothing, as far as anybody knows. */
function nothingFoundText(costed: readonly CostedRow[]): string {
  const most = max(costed.map(({ cost }) => cost.high));
  if (!Number.isFinite(most))
    return 'Too few pairs to know whether a row costs more: use more --pairs.';
  const isClear = costed.every(({ cost }) => clarityOf(cost, cost.baseline) !== 'unclear');
  const mostText = `${roundedUp(Math.max(0, most))} µs of CPU`;
  return isClear
    ? `No row takes more than ${mostText} above the baseline.`
    : `No row was found to take more than the baseline, but one may take up to ${mostText} more. ${MEASURE_BETTER}`;
}

/** `rows`: how many rows have no figures, such as those with errors. */
function withoutFiguresText(rows: number): string {
  return rows === 0 ? '' : ` Nothing is known of ${counted(rows, 'other row')}.`;
}

function costText({ tasks }: Run, { row, cost, multiple }: CostedRow): string {
  const rate = tasks.find(({ name }) => name === row.task)?.rate ?? null;
  const where = rate === null ? '' : `, at ${rate} requests/s,`;
  const ofCore = rate === null ? '' : `, or ${coreShareText(cost, rate)}`;
  return (
    `${sentenceStart(row.label)}${where} a request takes ${timesText(multiple)} times ` +
    `the baseline's CPU: ${amountText(US, cost)} more${ofCore}`
  );
}

/**
 * Returns `4.5 ±0.6 % of a core`: what requests take at that rate. At full load it is not told,
 * because at lower rates a request takes more.
 */
function coreShareText(cost: Interval, rate: number): string {
  return `${amountText(PERCENT, dividedBy(cost, US_PER_SECOND / rate))} of a core`;
}

function shortText({ row, multiple }: CostedRow): string {
  return `${withText(row.label)} ${timesText(multiple)} times`;
}

/** Returns `with NAME`; a name may begin so itself. */
function withText(label: string): string {
  return /^with\b/i.test(label) ? uncapitalized(label) : `with ${label}`;
}

function sentenceStart(label: string): string {
  return capitalized(withText(label));
}

/** Returns a sentence about the first of the rows that a warning is about; nothing without any. */
function firstMarkText(run: Run, costed: readonly CostedRow[]): string {
  return costed.map((row) => markText(run, row)).find((text) => text !== '') ?? '';
}

/** Returns a sentence if a warning is about the row; else nothing. */
function markText(run: Run, { row }: CostedRow): string {
  const [warning] = warningsAbout(run, row.task, row.scenario);
  return warning ? ` But mind: ${warning.text}.` : '';
}
