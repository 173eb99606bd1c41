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
  /**
   * Whether memory is known well enough, does not double within a day, the rate was held, and
   * nothing failed.
   */
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
/** If the rate was not held in a larger part of the stretches, the load was another one, too. */
const MAX_NOT_HELD = 0.1;
const DAY_SECONDS = 86_400;
export const BYTES_PER_MIB = 2 ** 20;
/** A small process may double by chance: nobody minds less than this in a day. */
const MIN_GROWTH_BYTES = 100 * BYTES_PER_MIB;

/**
 * Returns what stretches of load say of memory, CPU, rate, event loop, spans and faults. There must
 * be a stretch.
 */
export function reportSoak(blocks: Block[], exported: Exported | null): SoakReport {
  const late = blocks.slice(Math.ceil(FIRST_PART * blocks.length));
  const last = blocks.at(-1) as Block;
  const perSecond = slopeEstimate(late.map(({ atSeconds, bytes }) => [atSeconds, bytes]));
  const growth = growthOf(perSecond, blocks, late);
  const faultLines = linesOfFaults(blocks.flatMap(({ faults }) => faults));
  const isSmall = growth === 'some' || growth === 'none';
  return {
    lines: [
      `Memory: ${asNumber(last.bytes / BYTES_PER_MIB)} MiB at the end${growthText(growth, perSecond, blocks)}.`,
      ...linesOfCpu(blocks, late),
      `Rate: ${asNumber(answeredPerSecond(blocks))} requests/s were answered.`,
      ...linesOfRate(blocks),
      ...linesOfDelays(late.flatMap(({ delayUs }) => delayUs ?? [])),
      ...(exported ? [`Spans: ${spansText(exported)}.`] : []),
      ...faultLines,
    ],
    isPassed: isSmall && isRateHeld(blocks) && faultLines.length === 0,
  };
}

/**
 * What becomes of memory. Nobody can tell if the load failed, if it moves too unevenly, or if it
 * rises in too short a time: a healthy heap may do that, too. If it `doubles`, or `may-double`, it
 * does so within a day.
 */
type Growth = 'load-failed' | 'uneven' | 'too-short' | 'doubles' | 'may-double' | 'some' | 'none';

function growthOf(perSecond: Interval, blocks: Block[], late: Block[]): Growth {
  const last = blocks.at(-1) as Block;
  if (!isLoaded(late)) return 'load-failed';
  if (!isBounded(perSecond)) return 'uneven';
  if (perSecond.low > 0 && last.atSeconds < MIN_SECONDS) return 'too-short';
  if (perSecond.low * DAY_SECONDS > last.bytes) return 'doubles';
  if (perSecond.high * DAY_SECONDS > Math.max(last.bytes, MIN_GROWTH_BYTES)) return 'may-double';
  return perSecond.low > 0 ? 'some' : 'none';
}

/** Returns what becomes of memory, as the second half of a sentence. */
function growthText(growth: Growth, perSecond: Interval, blocks: Block[]): string {
  if (growth === 'load-failed')
    return '. Too many requests failed to tell whether it grows: use a lower --rate, or send the load by hand and see why';
  if (growth === 'uneven')
    return '. It moves too unevenly to tell whether it grows: soak it for longer';
  const perHour = slopeText(perSecond, 3_600 / BYTES_PER_MIB, 'MiB an hour');
  const perRequest = slopeText(perSecond, 1 / overallRate(blocks), 'bytes a request');
  const verdict = growthVerdict(growth, perSecond);
  return `, ${perHour} (${perRequest}), after the first fifth. ${verdict}`;
}

function growthVerdict(growth: Growth, { low, high }: Interval): string {
  if (growth === 'too-short')
    return 'In less than 5 minutes, a healthy heap may grow, too: soak it for longer';
  if (growth === 'doubles') return 'It grows: within a day it would double';
  if (growth === 'may-double')
    return 'It is not known whether it would double within a day: soak it for longer';
  const [least, most] = [low, high].map((perSecond) =>
    asNumber((perSecond * DAY_SECONDS) / BYTES_PER_MIB),
  );
  if (growth === 'some') return `It may grow, by ${least} to ${most} MiB a day`;
  return `No growth was found${high > 0 ? `; up to ${most} MiB a day can't be ruled out` : ''}`;
}

function slopeText(perSecond: Interval, factor: number, unit: string): string {
  return `${signed(perSecond.value * factor)} ±${asNumber(halfWidth(perSecond) * factor)} ${unit}`;
}

/** Returns whether nearly all requests were answered. */
function isLoaded(blocks: Block[]): boolean {
  const failed = sum(blocks.flatMap(({ faults }) => faults.map(({ count }) => count)));
  return failed <= MAX_FAILED * sum(blocks.map(({ requests }) => requests));
}

/** Returns answered requests a second while there was load: 0 if there never was. */
function answeredPerSecond(blocks: Block[]): number {
  const seconds = sum(blocks.map((block) => block.seconds));
  return seconds === 0 ? 0 : sum(blocks.map(({ requests }) => requests)) / seconds;
}

/** Returns the stretches in which the rate was not held. */
function blocksBelowRate(blocks: Block[]): Block[] {
  return blocks.filter(({ rateShortfalls }) => rateShortfalls.length > 0);
}

/** Returns whether the rate was held in nearly all stretches. */
function isRateHeld(blocks: Block[]): boolean {
  return blocksBelowRate(blocks).length <= MAX_NOT_HELD * blocks.length;
}

function linesOfRate(blocks: Block[]): string[] {
  const belowRate = blocksBelowRate(blocks);
  const [first] = belowRate;
  if (first === undefined) return [];
  const share = `${belowRate.length} of ${blocks.length} stretches`;
  const remedy = isRateHeld(blocks) ? '' : ' Use a lower --rate.';
  return [
    `The rate was not held in ${share}. The first time, ${first.rateShortfalls[0]}.${remedy}`,
  ];
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
