import { sum } from 'simple-statistics';
import { halfWidth, holdsZero, isBounded } from '../../analysis/interval.ts';
import { slopeEstimate } from '../../analysis/slope.ts';
import { asNumber, signed } from '../../words/units.ts';
import type { Block } from './block.ts';

/** So many parts of the time have a figure each. */
const PARTS = 5;
const MILLION = 1e6;
/** Over the whole soak, a smaller part of what a request takes changes nobody's mind. */
const MIN_MOVE = 0.1;

/**
 * Returns what became of CPU per request, as a line; none if no clock tells it.
 * @param allLate the blocks of a server that is warm
 */
export function linesOfCpu(all: readonly Block[], allLate: readonly Block[]): string[] {
  const blocks = all.filter(tellsCpu);
  if (blocks.length === 0) return [];
  const size = blocks.length / PARTS;
  const parts = Array.from({ length: PARTS }, (_, part) =>
    blocks.slice(Math.round(part * size), Math.round((part + 1) * size)),
  ).filter(({ length }) => length > 0);
  const figures = parts.map((part) => asNumber(cpuUsOfBlocks(part))).join(', ');
  return [
    `CPU per request over the time: ${figures} µs.${moveText(blocks, allLate.filter(tellsCpu))}`,
  ];
}

function tellsCpu({ cpuNs, requests }: Block): boolean {
  return cpuNs !== null && requests > 0;
}

/** Returns how it moves with the requests served, as a sentence of its own. */
function moveText(blocks: readonly Block[], late: readonly Block[]): string {
  const perMillion = slopeEstimate(
    late.map((block) => [servedBefore(blocks, block) / MILLION, cpuUsOfBlocks([block])]),
  );
  if (!isBounded(perMillion)) return '';
  const { value, high } = perMillion;
  const millions = sum(late.map(({ requests }) => requests)) / MILLION;
  const largeUs = MIN_MOVE * cpuUsOfBlocks(late);
  const slope = `${signed(value)} ±${asNumber(halfWidth(perMillion))} µs per million`;
  if (holdsZero(perMillion)) {
    return high * millions > largeUs
      ? ` It is not known whether it grows with the requests served (${slope}): soak it for longer.`
      : DOES_NOT_GROW;
  }
  if (Math.abs(value * millions) <= largeUs) return DOES_NOT_GROW;
  return ` It ${value > 0 ? 'grows' : 'falls'} with the requests served: ${slope}.`;
}

const DOES_NOT_GROW = ' It does not grow with the requests served.';

/** Returns how many requests had been answered when a block was half over. */
function servedBefore(blocks: readonly Block[], block: Block): number {
  const earlier = blocks.slice(0, blocks.indexOf(block));
  return sum(earlier.map(({ requests }) => requests)) + block.requests / 2;
}

/** Returns CPU per request over these blocks, in µs. */
export function cpuUsOfBlocks(blocks: readonly Block[]): number {
  const cpuNs = sum(blocks.map((block) => block.cpuNs ?? Number.NaN));
  return cpuNs / 1e3 / sum(blocks.map(({ requests, underWay }) => requests + underWay));
}
