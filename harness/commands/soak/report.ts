import { mean, sum } from 'simple-statistics';
import { halfWidth, type Interval, isBounded } from '../../analysis/interval.ts';
import { lostIn } from '../../analysis/lost-records.ts';
import { slopeEstimate } from '../../analysis/slope.ts';
import type { Fault } from '../../result/faults.ts';
import type { Exported } from '../../result/schema.ts';
import { asMs, asNumber, signed } from '../../words/units.ts';
import type { Block } from './block.ts';
import { linesOfCpu } from './cpu.ts';

/** What a soak found out. */
export interface SoakReport {
  lines: string[];
  /** Whether memory is known well enough, does not double within a day, and nothing failed. */
  isPassed: boolean;
}

/** Until then, heaps grow that are healthy: so large a part of the stretches is left out. */
const FIRST_PART = 0.2;
/**
 * What grows in less time may be a heap that fills for the first time. It lasts until the middle of
 * the last stretch.
 */
const MIN_SECONDS = 290;
/**
 * With a larger part of its requests failing, a server has another load than the one whose memory
 * is asked for.
 */
const MAX_FAILED = 0.01;
const DAY_SECONDS = 86_400;
export const MIB = 2 ** 20;

/**
 * Returns what stretches of load say of memory, CPU, rate, event loop, spans and faults. There must
 * be a stretch.
 */
export function reportSoak(blocks: Block[], exported: Exported | null): SoakReport {
  const late = blocks.slice(Math.ceil(FIRST_PART * blocks.length));
  const last = blocks.at(-1) as Block;
  const perSecond = slopeEstimate(late.map(({ atSeconds, bytes }) => [atSeconds, bytes]));
  const faultLines = linesOfFaults(blocks.flatMap(({ faults }) => faults));
  return {
    lines: [
      `Memory: ${asNumber(last.bytes / MIB)} MiB at the end${growthText(perSecond, blocks, late)}.`,
      ...linesOfCpu(blocks, late),
      `Rate: ${asNumber(answeredPerSecond(blocks))} requests/s were answered.`,
      ...linesOfDelays(late.flatMap(({ delayUs }) => delayUs ?? [])),
      ...(exported ? [`Spans: ${spansText(exported)}.`] : []),
      ...faultLines,
    ],
    isPassed:
      isBounded(perSecond) &&
      !isTooShortToTell(perSecond.low, last) &&
      !doublesInADay(perSecond.low, last) &&
      faultLines.length === 0,
  };
}

/** Returns what becomes of memory, as the second half of a sentence. */
function growthText(perSecond: Interval, blocks: Block[], late: Block[]): string {
  if (!isLoaded(late))
    return '. Too many requests failed to tell whether it grows: use a lower --rate, or send the load by hand and see why';
  if (!isBounded(perSecond))
    return '. It moves too unevenly to tell whether it grows: soak it for longer';
  const perHour = slopeText(perSecond, 3_600 / MIB, 'MiB an hour');
  const perRequest = slopeText(perSecond, 1 / overallRate(blocks), 'bytes a request');
  const verdict = growthVerdict(perSecond, blocks.at(-1) as Block);
  return `, ${perHour} (${perRequest}), after the first fifth. ${verdict}`;
}

function growthVerdict({ low, high }: Interval, last: Block): string {
  if (isTooShortToTell(low, last))
    return 'In less than 5 minutes, a healthy heap may grow, too: soak it for longer';
  if (doublesInADay(low, last)) return 'It grows: within a day it would double';
  const [least, most] = [low, high].map((perSecond) => asNumber((perSecond * DAY_SECONDS) / MIB));
  if (low > 0) return `It may grow, by ${least} to ${most} MiB a day`;
  return `No growth was found${high > 0 ? `; up to ${most} MiB a day can't be ruled out` : ''}`;
}

function slopeText(perSecond: Interval, factor: number, unit: string): string {
  return `${signed(perSecond.value * factor)} ±${asNumber(halfWidth(perSecond) * factor)} ${unit}`;
}

/**
 * Returns whether memory surely grows, by at least so many bytes a second, but in so short a time
 * that a healthy heap may do the same.
 */
function isTooShortToTell(leastPerSecond: number, last: Block): boolean {
  return leastPerSecond > 0 && last.atSeconds < MIN_SECONDS;
}

/**
 * Returns whether memory surely doubles within a day, if it grows by at least so many bytes a
 * second.
 */
function doublesInADay(leastPerSecond: number, last: Block): boolean {
  return leastPerSecond * DAY_SECONDS > last.bytes;
}

/** Returns whether nearly all requests were answered. */
function isLoaded(blocks: Block[]): boolean {
  const failed = sum(blocks.flatMap(({ faults }) => faults.map(({ count }) => count)));
  return failed <= MAX_FAILED * sum(blocks.map(({ requests }) => requests));
}

/** Returns answered requests a second while there was load. */
function answeredPerSecond(blocks: Block[]): number {
  return sum(blocks.map(({ requests }) => requests)) / sum(blocks.map(({ seconds }) => seconds));
}

/**
 * Returns answered requests a second by the clock, as the slope of memory is: with the pauses
 * between stretches.
 */
function overallRate(blocks: Block[]): number {
  const toMiddleOfLast = (blocks.at(-1) as Block).atSeconds;
  const wholeSeconds = toMiddleOfLast * (blocks.length / (blocks.length - 0.5));
  return sum(blocks.map(({ requests }) => requests)) / wholeSeconds;
}

function linesOfDelays(delaysUs: { p99: number; max: number }[]): string[] {
  if (delaysUs.length === 0) return [];
  const p99 = asMs(mean(delaysUs.map((delay) => delay.p99)));
  const most = asMs(Math.max(...delaysUs.map(({ max }) => max)));
  return [`Event loop: late by ${p99} (p99), ${most} at most.`];
}

function spansText({ spansExpected, spansDeviation, spansReceived, fault }: Exported): string {
  if (fault !== null) return `not counted: ${fault}`;
  if (spansExpected === null) return `${spansReceived} received, and nobody knows of how many`;
  const lost = lostIn({
    expected: spansExpected,
    received: spansReceived,
    standardDeviation: spansDeviation,
  });
  return `${Math.round(lost)} of ${Math.round(spansExpected)} lost`;
}

/** Returns a line for each kind of fault. */
function linesOfFaults(faults: Fault[]): string[] {
  const byKind = Map.groupBy(faults, ({ kind }) => kind);
  return [...byKind.values()].map((alike) => {
    const [first] = alike as [Fault, ...Fault[]];
    const times = sum(alike.map(({ count }) => count));
    return `${first.what}: ${times} times${first.detail && `, the first with: ${first.detail}`}.`;
  });
}
