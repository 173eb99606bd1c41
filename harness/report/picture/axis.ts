import { scaleLinear, scaleSymlog } from 'd3-scale';
import { extent, max, min } from 'simple-statistics';

/** Where the values of a panel lie. */
export interface Axis {
  /** Returns the place of a value, in px from the left. */
  place: (value: number) => number;
  /** Values at which the axis has a line and a number; zero is among them. */
  ticks: number[];
  isLogarithmic: boolean;
}

/** What lies on the axes of one quantity, in its unit. */
export interface AxisValues {
  /** All that is drawn. */
  values: number[];
  /** Sizes of the significant changes. */
  sizes: number[];
}

/** The first and the last px of an axis. */
export type Range = [first: number, last: number];

/** Values of which one is so many times another need a logarithmic axis for both to be seen. */
const WIDE_RATIO = 20;
/** Numbers at a logarithmic axis are at least so far apart, in px; long ones are farther. */
const MIN_TICK_DISTANCE_PX = 30;
/** The width of a digit, and a little more. */
const DIGIT_PX = 8;
/** How many powers of ten above the smallest a logarithmic axis may show. */
const POWERS = [0, 1, 2, 3, 4, 5, 6];
/** About how many ticks a linear axis has; fewer where their numbers would touch. */
const LINEAR_TICK_COUNTS = [3, 2];

/** Returns whether significant changes differ so much that a linear axis would hide some. */
export function needsLogarithm({ sizes }: AxisValues): boolean {
  return sizes.length > 1 && max(sizes) > WIDE_RATIO * min(sizes);
}

/**
 * Returns an axis on which all values and zero lie, logarithmic on both sides of zero or linear.
 */
export function axisFor(values: AxisValues, isLogarithmic: boolean, range: Range): Axis {
  return isLogarithmic ? logarithmicAxis(values, range) : linearAxis(values, range);
}

function logarithmicAxis({ values, sizes }: AxisValues, range: Range): Axis {
  const smallest = 10 ** Math.floor(Math.log10(min([1, ...sizes])));
  const place = scaleSymlog()
    .constant(smallest)
    .domain(extent([0, ...values]))
    .range(range);
  const [, highest = 0] = place.domain();
  const powers = POWERS.map((power) => smallest * 10 ** power);
  return {
    place,
    ticks: spacedTicks(
      [0, ...powers.filter((tick) => tick <= highest)],
      (last, tick) => place(tick) - place(last) > roomOf(tick),
    ),
    isLogarithmic: true,
  };
}

/** Returns how far the number at a tick of a logarithmic axis is to be from the one before, in px. */
function roomOf(tick: number): number {
  return Math.max(MIN_TICK_DISTANCE_PX, DIGIT_PX * String(tick).length);
}

/**
 * Returns the first of these ticks, and each further one whose number has room beside the one that
 * was taken last.
 */
export function spacedTicks(
  candidates: readonly number[],
  hasRoom: (last: number, tick: number) => boolean,
): number[] {
  const ticks: number[] = [];
  for (const tick of candidates) {
    const last = ticks.at(-1);
    if (last === undefined || hasRoom(last, tick)) ticks.push(tick);
  }
  return ticks;
}

function linearAxis({ values }: AxisValues, range: Range): Axis {
  const place = scaleLinear()
    .domain(extent([0, ...values]))
    .range(range);
  const candidates = LINEAR_TICK_COUNTS.map((count) => place.ticks(count));
  const ticks = candidates.find((each) => haveRoomForNumbers(each, place));
  return {
    place,
    ticks: ticks ?? [0],
    isLogarithmic: false,
  };
}

/** Whether the numbers at these ticks don't touch. Ticks of a linear axis are equally far apart. */
function haveRoomForNumbers(ticks: number[], place: Axis['place']): boolean {
  const [first = 0, second = first] = ticks;
  if (first === second) return true;
  return place(second) - place(first) > DIGIT_PX * String(first).length;
}
