import { mean, sum } from 'simple-statistics';
import type { Side } from '../../result/schema.ts';
import { asNumber } from '../../words/units.ts';
import type { PairWithBursts } from '../bursts.ts';
import { figuresOf } from '../figures.ts';
import {
  isValid,
  type MeasuredRun,
  type Row,
  rowsWithNoiseFloor,
  type TaskAnalysis,
} from '../rows.ts';
import { served } from '../slice-totals.ts';
import { cpuSlicesOf } from '../slices.ts';
import { type Finding, finding } from './finding.ts';

/** Bursts that move a figure by less than this part of it change nobody's mind. */
const MIN_SHARE = 0.01;

const REMEDY = 'For pairs with more of them, measure for longer (--duration)';

/** Servers with work by the clock: a slice holds all of it or none. */
export function findBursts({ tasks }: MeasuredRun): Finding[] {
  return tasks.flatMap((task) => [...burstsOfBaseline(task), ...task.rows.flatMap(burstsOfRow)]);
}

function burstsOfBaseline(task: TaskAnalysis): Finding[] {
  const pairs = rowsWithNoiseFloor(task).flatMap((row) => row.pairs.filter(isValid));
  const text = burstsText(pairs, 'baseline');
  return text === null ? [] : [finding(`${task.baseline.label}: ${text}`, REMEDY)];
}

function burstsOfRow(row: Row): Finding[] {
  const text = row.faults.length === 0 ? burstsText(row.pairs, 'scenario') : null;
  return text === null ? [] : [finding(`${row.label}: ${text}`, REMEDY, row)];
}

/** Null if there are none, or if they change little. */
function burstsText(pairs: PairWithBursts[], side: Side): string | null {
  const bursts = pairs.flatMap((pair) => pair.bursts?.[side] ?? []);
  const count = sum(bursts.map((each) => each.count));
  if (count === 0 || burstShareOf(pairs, side) < MIN_SHARE) return null;
  const seconds = sum(bursts.map(({ cpuNs }) => cpuNs)) / 1e9;
  const msPerSecond = (1e3 * seconds) / sum(bursts.map((each) => each.watchedSeconds));
  const each = `about ${(seconds / count).toFixed(1)} s of CPU each`;
  const inMean = `${asNumber(msPerSecond)} ms a second`;
  return `bursts by the clock, ${each}, are spread over time: ${inMean}`;
}

/** Returns what part of a request's CPU they take, or would take of the slices they lie in. */
function burstShareOf(pairs: PairWithBursts[], side: Side): number {
  const cpuUs = figuresOf(pairs, side)?.cpuUs ?? Number.POSITIVE_INFINITY;
  const movesUs = pairs.map((pair) => {
    const { inCpuSlicesNs = 0, perRequestUs = 0 } = pair.bursts?.[side] ?? {};
    return Math.max(inCpuSlicesNs / 1e3 / served(cpuSlicesOf(pair), side), perRequestUs);
  });
  return mean(movesUs) / cpuUs;
}
