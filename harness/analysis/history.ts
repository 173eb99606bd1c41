import type { Run } from './analysis.ts';
import { differencesBetween, type RunDifference } from './comparability.ts';
import { changeAtOldSpeed, MIN_PAIRS } from './compare-estimates.ts';
import { type Direction, directionOf } from './direction.ts';
import { dividedBy, type Interval } from './interval.ts';
import type { Estimate } from './mean-estimate.ts';
import { type Misreading, misreadingSince } from './misreading.ts';
import { isOfRevisions, type Row, rowKeyOf } from './rows.ts';
import { sliceKindText, unlikeKindsOf } from './slices.ts';

/**
 * Several results of one suite in the order of time: a line for each scenario, where it breaks, and
 * what became of it. Lines show the multiple of the baseline's CPU, which differs least between
 * hours.
 */
export interface History {
  /** The earliest stands first. */
  runs: Run[];
  lines: HistoryLine[];
  marks: HistoryMark[];
}

/** One scenario of one task over all runs. */
export interface HistoryLine {
  /** As the latest run that knows it has it. */
  label: string;
  /** One for each run that knows its CPU. */
  points: HistoryPoint[];
  change: LineChange | MissingChange;
}

/** What one run knows of a line. */
export interface HistoryPoint {
  /** The place of its run. */
  at: number;
  row: Row;
  cost: Estimate;
  multiple: Interval;
  /** Whether the line begins anew with it: nothing before it, or nothing that can be compared. */
  isStart: boolean;
}

/** Where something else changed than the code: between a run and the one before it. */
export interface HistoryMark {
  /** Counts from 1 on. */
  number: number;
  /** The place of the run that came after. */
  at: number;
  /** Why lines break there; empty if they go on. */
  breaks: string[];
  /** What changed in runtimes and packages. */
  software: string[];
  /** The lines that it concerns, and whether they break there. */
  lines: Map<HistoryLine, boolean>;
}

/**
 * Why nobody knows what became of a line. `not-in-last`: the last run does not know it;
 * `few-pairs`: it has too few pairs there; `nothing-before`: no earlier run can be compared with
 * it.
 */
export interface MissingChange {
  missing: 'not-in-last' | 'few-pairs' | 'nothing-before';
}

/** What became of a line, from the first of its points that can be compared with the last run. */
export interface LineChange extends Misreading {
  missing: null;
  first: HistoryPoint;
  last: HistoryPoint;
  /**
   * How much more the last one costs, in multiples of the first baseline's CPU: whether costs follow
   * the machine's speed or not. Holds together with those of all lines.
   */
  multiple: Interval;
  /** The same as a part of all that a request took at first. */
  relative: Interval;
  direction: Direction;
}

/** Why a file cannot be a part of a history. */
export type HistoryObstacle =
  | { kind: 'other-suite'; suites: string[] }
  /** Each such result has a baseline of its own. */
  | { kind: 'revisions' }
  | { kind: 'same-result'; startedAt: string };

/** Returns why no history can be made of the runs; null if it can. */
export function obstacleOf(runs: readonly Run[]): HistoryObstacle | null {
  const suites = [...new Set(runs.map(({ header }) => header.suite.name))];
  if (suites.length > 1) return { kind: 'other-suite', suites };
  if (runs.some(({ header }) => isOfRevisions(header.suite))) return { kind: 'revisions' };
  const starts = runs.map(({ header }) => header.startedAt);
  const twice = starts.find((each, at) => starts.indexOf(each) < at);
  return twice === undefined ? null : { kind: 'same-result', startedAt: twice };
}

/** Returns the history of runs of one suite, which are given in any order. */
export function historyOf(given: readonly Run[]): History {
  const runs = given.toSorted((one, other) => startOf(one) - startOf(other));
  const lines = linesOf(runs);
  return { runs, lines, marks: marksOf(runs, lines) };
}

function startOf({ header }: Run): number {
  return Date.parse(header.startedAt);
}

function linesOf(runs: readonly Run[]): HistoryLine[] {
  const known = keysOf(runs)
    .map((key) => pointsOf(runs, key))
    .filter(({ length }) => length > 0);
  const ends = known.map((points) => endsOf(runs, points));
  const compared = ends.filter(({ missing }) => missing === null).length;
  return known.map((points, at) => {
    const ownEnds = ends[at] as Ends | MissingChange;
    return {
      label: points.at(-1)?.row.label ?? '',
      points,
      change: ownEnds.missing === null ? changeOf(ownEnds, compared) : ownEnds,
    };
  });
}

/**
 * Returns each row once, in the order of the latest run; last those that only earlier ones have.
 */
function keysOf(runs: readonly Run[]): string[] {
  const keys = runs
    .toReversed()
    .flatMap(({ tasks }) => tasks.flatMap(({ rows }) => rows.map(rowKeyOf)));
  return [...new Set(keys)];
}

function pointsOf(runs: readonly Run[], key: string): HistoryPoint[] {
  const points: HistoryPoint[] = [];
  for (const [at, { tasks }] of runs.entries()) {
    const row = tasks.flatMap(({ rows }) => rows).find((each) => rowKeyOf(each) === key);
    const cost = row?.change.cpuUs;
    if (!row?.cpuMultiple || !cost) continue;
    const point = { at, row, cost, multiple: row.cpuMultiple, isStart: true };
    const before = points.at(-1);
    if (before) point.isStart = breaksBetween(runs, before, point).length > 0;
    points.push(point);
  }
  return points;
}

/** Returns all in which the runs of two points of a line differ, as far as it concerns the line. */
function differencesOf(
  runs: readonly Run[],
  before: HistoryPoint,
  now: HistoryPoint,
): RunDifference[] {
  const [old, current] = [runs[before.at], runs[now.at]];
  if (!old || !current) return [];
  const { task, scenario } = now.row;
  const baselines = [old, current].flatMap(({ tasks }) =>
    tasks.filter(({ name }) => name === task).map(({ baseline }) => baseline.scenario),
  );
  const servers = [scenario, ...baselines];
  return [
    ...differencesBetween(old, current).filter((each) => isAbout(each, task, servers)),
    ...sliceKindDifference(before, now),
  ];
}

/** None if their CPU is of slices of one kind. */
function sliceKindDifference(before: HistoryPoint, now: HistoryPoint): RunDifference[] {
  const kinds = unlikeKindsOf(before.row.pairs, now.row.pairs);
  if (kinds === null) return [];
  const [old, current] = kinds.map(sliceKindText);
  const text = `CPU of ${now.row.label} was of ${old}, and is of ${current}`;
  return [{ kind: 'setting', about: now.row.scenario, text }];
}

/** Returns whether a difference is about this task, or one of these servers, or about all. */
function isAbout({ kind, about }: RunDifference, task: string, servers: string[]): boolean {
  if (kind === 'setting' || about === null) return true;
  return kind === 'load' ? about === task : servers.includes(about);
}

/** An upgrade changes what is looked at; all else changes how it is looked at. */
function isBreak({ kind }: RunDifference): boolean {
  return kind !== 'software';
}

function breaksBetween(
  runs: readonly Run[],
  before: HistoryPoint,
  now: HistoryPoint,
): RunDifference[] {
  return differencesOf(runs, before, now).filter(isBreak);
}

/** The points of a line that its change is between. */
type Ends = Pick<LineChange, 'missing' | 'first' | 'last'>;

function endsOf(runs: readonly Run[], points: readonly HistoryPoint[]): Ends | MissingChange {
  const last = points.at(-1);
  if (last?.at !== runs.length - 1) return { missing: 'not-in-last' };
  if (!hasInterval(last)) return { missing: 'few-pairs' };
  const comparable = points.filter((point) => breaksBetween(runs, point, last).length === 0);
  const first = comparable.find(hasInterval);
  return first === undefined || first === last
    ? { missing: 'nothing-before' }
    : { missing: null, first, last };
}

/** Whether enough pairs tell a point for its interval to say something. */
export function hasInterval({ cost }: HistoryPoint): boolean {
  return cost.n >= MIN_PAIRS;
}

/** @param compared how many lines have a change, whose intervals are to hold together */
function changeOf({ first, last }: Ends, compared: number): LineChange {
  const change = changeAtOldSpeed(first.cost, last.cost, compared);
  const multiple = dividedBy(change, first.cost.baseline);
  const relative = dividedBy(multiple, first.multiple.value);
  const told = { relative, ...misreadingSince(first.row, last.row) };
  return { missing: null, first, last, multiple, ...told, direction: directionOf(told) };
}

/** Differences before one point of a line. */
interface LineDifferences {
  line: HistoryLine;
  at: number;
  differences: RunDifference[];
}

function marksOf(runs: readonly Run[], lines: readonly HistoryLine[]): HistoryMark[] {
  const all = lines.flatMap((line) => differencesAlong(runs, line));
  return [...Map.groupBy(all, ({ at }) => at)]
    .toSorted(([one], [other]) => one - other)
    .map(([at, group], index) => markOf(index + 1, at, group));
}

function differencesAlong(runs: readonly Run[], line: HistoryLine): LineDifferences[] {
  return line.points
    .slice(1)
    .map((point, index) => {
      const before = line.points[index] as HistoryPoint;
      return { line, at: point.at, differences: differencesOf(runs, before, point) };
    })
    .filter(({ differences }) => differences.length > 0);
}

function markOf(number: number, at: number, group: readonly LineDifferences[]): HistoryMark {
  const all = group.flatMap(({ differences }) => differences);
  const textsOf = (some: RunDifference[]) => [...new Set(some.map(({ text }) => text))];
  return {
    number,
    at,
    breaks: textsOf(all.filter(isBreak)),
    software: textsOf(all.filter((each) => !isBreak(each))),
    lines: new Map(group.map(({ line, differences }) => [line, differences.some(isBreak)])),
  };
}
