/**
 * Prints a figure of a result for a sentence, from the same analysis and with the same rounding as
 * the tables.
 */
import { max, min } from 'simple-statistics';
import type { Run } from '../../harness/analysis/analysis.ts';
import { betweenRows, tasksWithBoth } from '../../harness/analysis/between.ts';
import { dividedBy, holdsZero, type Interval, isBounded } from '../../harness/analysis/interval.ts';
import { losesRecords } from '../../harness/analysis/lost-records.ts';
import { whyTooLow } from '../../harness/analysis/misreading.ts';
import {
  type Baseline,
  type Row,
  serversOf,
  type TaskAnalysis,
} from '../../harness/analysis/rows.ts';
import { coverageCountText } from '../../harness/report/caption.ts';
import { amountText, multipleIntervalText, plusMinusText, US } from '../../harness/report/cells.ts';
import { COLUMNS, type Column, type Measured } from '../../harness/report/columns.ts';
import { subjectOf } from '../../harness/report/lines.ts';
import { Problem } from '../../harness/words/errors.ts';
import { figureText, roundedDown, roundedUp } from '../../harness/words/units.ts';
import type { FigureMark, Form } from './marks.ts';

/** A figure of a row as a sentence needs it. */
interface Told extends Measured {
  /** From where on there is a cost: 1 for a multiple. */
  none: number;
  /** Whether the true figure is higher. */
  isTooLow: boolean;
}

/** Columns that read too low if spans were lost. */
const COSTS = new Set(['cpu', 'cpu-multiple', 'latency-change', 'p99-change']);

/**
 * Returns the figure that a mark names. Its rows are `SCENARIO`, or `TASK/SCENARIO` if several
 * tasks have it; several of them, with commas between, or `*` for all are told from the least to
 * the most. `A minus B` is how much more CPU one row takes than another; with `per N` behind `cpu`,
 * what each of N takes of it, such as of the spans that the other row does not have. `line` with
 * `fixed` or `slope` is of the CPU of a sweep. `* covered` is how many intervals of a calibration
 * hold the true cost.
 * @throws Problem if the result does not have it
 */
export function figureOf(run: Run, mark: FigureMark): string {
  const { rows, what, per, form } = mark;
  const [first, second] = rows.split(' minus ');
  if (first !== undefined && second !== undefined) return differenceText(run, first, second, mark);
  if (per !== 1)
    throw new Problem('Only a difference is told per something', 'Write A minus B cpu per N');
  if (rows === 'line') return lineText(run, what, form);
  if (what === 'covered') return coveredText(run, form);
  const column = columnOf(what);
  const told = namedServers(run, rows).map((server) => toldOf(server, column));
  const [only, ...others] = told;
  return only && others.length === 0 ? toldText(only, form) : rangeText(told, form);
}

/** @throws Problem if a form is asked for, where a figure has only one */
function refuseForm(form: Form | null): void {
  if (form !== null) throw new Problem(`This figure has no "${form}"`, 'Leave that word out');
}

function coveredText(run: Run, form: Form | null): string {
  refuseForm(form);
  const text = coverageCountText(run);
  if (text === undefined) throw new Problem('No cost in the result is known', 'Name a calibration');
  return text;
}

function columnOf(what: string): Column {
  const withFigures = COLUMNS.filter(({ measured }) => measured !== undefined);
  const column = withFigures.find(({ id }) => id === what);
  const ids = withFigures.map(({ id }) => id);
  if (!column) throw new Problem(`There is no column "${what}"`, `Name one of ${ids.join(', ')}`);
  return column;
}

/** Returns the rows of these names; one may be a baseline, which is not among those of `*`. */
function namedServers(run: Run, rows: string): (Baseline | Row)[] {
  return rows.split(',').flatMap((name) => {
    const [scenario = '', task] = name.split('/').toReversed();
    const tasks = run.tasks.filter((each) => task === undefined || each.name === task);
    const found = tasks.flatMap((each) =>
      scenario === '*' ? each.rows : (serverOf(each, scenario) ?? []),
    );
    if (found.length === 0) throw missing(run, name);
    if (scenario !== '*' && found.length > 1)
      throw new Problem(
        `${found.length} tasks have a row "${scenario}"`,
        `Name its task: ${tasks.map((each) => `${each.name}/${scenario}`).join(', ')}`,
      );
    return found;
  });
}

function serverOf(task: TaskAnalysis, name: string): Baseline | Row | undefined {
  return serversOf(task).find(({ scenario }) => scenario === name);
}

function missing({ tasks, header }: Run, name: string): Problem {
  const skipped = header.suite.skipped.find(({ fault }) => fault.scenario === name);
  if (skipped)
    return new Problem(`Row "${name}" was skipped: ${skipped.fault.what}`, 'Delete the figure');
  const prefix = (task: TaskAnalysis) => (tasks.length > 1 ? `${task.name}/` : '');
  const names = tasks.flatMap((task) =>
    serversOf(task).map(({ scenario }) => prefix(task) + scenario),
  );
  return new Problem(`There is no row "${name}"`, `Name one of ${names.join(', ')}`);
}

function toldOf(server: Baseline | Row, column: Column): Told {
  const subject = subjectOf(server);
  const [fault] = subject.faults;
  if (fault)
    throw new Problem(`Row "${server.scenario}" is invalid: ${fault.what}`, 'Measure it again');
  const measured = column.measured?.(subject) ?? null;
  if (measured === null)
    throw new Problem(
      `"${column.heading}" was not measured of row "${server.scenario}"`,
      'Name another figure, or delete it',
    );
  const isCost = COSTS.has(column.id);
  if (isCost && 'change' in server && losesRecords(server, 'baseline'))
    throw new Problem(
      `The baseline of "${server.scenario}" lost spans, so its cost reads too high`,
      'Name another row',
    );
  const isTooLow = isCost && readsTooLow(server);
  return { ...measured, none: measured.scale.unit === 'x' ? 1 : 0, isTooLow };
}

/**
 * Returns `43.5 ±4.1 µs`. If there may be no difference, only its bound is known: `at most 4.3 µs`.
 * If it reads too low, the other one is: `at least 250 µs`.
 */
function toldText(told: Told, form: Form | null): string {
  const { value, isTooLow } = told;
  if (typeof value === 'number') return valueText(told);
  const isNothing = isBounded(value) && holdsZero(above(told.none, value));
  if (isTooLow && (isNothing || form === 'most')) return 'an unknown amount';
  if (isTooLow || form === 'least') return `at least ${boundText(roundedDown(low(told)), told)}`;
  if (isNothing || form === 'most') return `at most ${boundText(roundedUp(high(told)), told)}`;
  return intervalText(told, value);
}

function above(none: number, { value, low: from, high: to }: Interval): Interval {
  return { value: value - none, low: from - none, high: to - none };
}

function intervalText({ scale }: Measured, interval: Interval): string {
  if (scale.unit === 'x') return inWords(multipleIntervalText(interval));
  return interval.value < 0 ? plusMinusText(scale, interval) : amountText(scale, interval);
}

function low({ value, scale }: Measured): number {
  return (typeof value === 'number' ? value : value.low) / scale.size;
}

function high({ value, scale }: Measured): number {
  return (typeof value === 'number' ? value : value.high) / scale.size;
}

function middle({ value, scale }: Measured): number {
  return (typeof value === 'number' ? value : value.value) / scale.size;
}

function valueText(measured: Measured): string {
  return inWords(figureText(middle(measured), measured.scale.unit));
}

function boundText(bound: number, { scale }: Measured): string {
  const space = scale.unit === '/s' ? '' : ' ';
  return inWords(`${bound}${space}${scale.unit}`.trim());
}

/** Returns `2.83 times` for `2.83 x`. */
function inWords(text: string): string {
  return text.replace(/ x$/, ' times');
}

/** Returns `86 to 517 ms`; `up to 517 ms` if the least may be nothing. */
function rangeText(told: readonly Told[], form: Form | null): string {
  refuseForm(form);
  const values = told.map(middle);
  const [least, most] = [min(values), max(values)];
  const dearest = told.find((each) => middle(each) === most) as Told;
  const mayBeNone = told.some(
    ({ value, none }) => typeof value !== 'number' && holdsZero(above(none, value)),
  );
  const unit = dearest.scale.unit;
  const from = mayBeNone ? 'up to' : `${figureText(least, unit).replace(` ${unit}`, '')} to`;
  return `${from} ${dearest.isTooLow ? 'at least ' : ''}${valueText(dearest)}`;
}

function differenceText(
  run: Run,
  first: string,
  second: string,
  { what, per, form }: FigureMark,
): string {
  if (what !== 'cpu')
    throw new Problem(`Rows are not compared by "${what}"`, 'Write cpu in its place');
  const [task, firstScenario = '', secondScenario = ''] = inOneTask(first, second);
  const tasks = run.tasks.filter(({ name }) => task === undefined || name === task);
  const both = tasksWithBoth(tasks, firstScenario, secondScenario);
  const [answer, ...others] = betweenRows(both, firstScenario, secondScenario);
  if (!answer) throw missing(run, serverOfAny(tasks, firstScenario) ? second : first);
  if (others.length > 0)
    throw new Problem(`${both.length} tasks have both rows`, 'Name the task of the first one');
  if ('reason' in answer) throw new Problem(`Not known: ${answer.reason}`, 'Measure it again');
  if (answer.quantity !== 'cpuUs')
    throw new Problem(`CPU was not measured of "${first}" and "${second}"`, 'Measure it again');
  const [isTooLow, isSecondTooLow] = [firstScenario, secondScenario].map((name) =>
    both.some((each) => readsTooLow(serverOf(each, name))),
  );
  if (isSecondTooLow) throw new Problem(`Row "${second}" reads too low`, 'Name another row');
  const value = dividedBy(answer.differenceUs, per);
  return toldText({ value, scale: US, none: 0, isTooLow: isTooLow === true }, form);
}

function readsTooLow(server: Baseline | Row | undefined): boolean {
  return server !== undefined && 'change' in server && whyTooLow(server) !== null;
}

/** Returns the task, if one is named, and both scenarios. */
function inOneTask(first: string, second: string): (string | undefined)[] {
  const [firstScenario, task] = first.split('/').toReversed();
  const [secondScenario, secondTask = task] = second.split('/').toReversed();
  if (secondTask !== task)
    throw new Problem('Rows of two tasks are not compared', 'Name rows of one task');
  return [task, firstScenario, secondScenario];
}

function serverOfAny(tasks: readonly TaskAnalysis[], name: string): boolean {
  return tasks.some((task) => serverOf(task, name) !== undefined);
}

function lineText({ curves }: Run, what: string, form: Form | null): string {
  const [curve, ...others] = curves.filter(({ quantity }) => quantity === 'cpuUs');
  if (!curve || others.length > 0)
    throw new Problem(
      `The result has ${others.length > 0 ? 'several lines' : 'no line'}`,
      'Name a row',
    );
  if (what !== 'slope' && what !== 'fixed')
    throw new Problem(`A line has no "${what}"`, 'Write slope or fixed');
  return toldText({ value: curve[what], scale: US, none: 0, isTooLow: false }, form);
}
