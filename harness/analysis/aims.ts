/** What is asked of the rows of a run whose number of pairs is not fixed. */
import type { Configuration, Limit, Precision, Result } from '../result/schema.ts';
import { isPaced } from '../result/steady-rate.ts';
import { asMs, asUs, figureText } from '../words/units.ts';
import type { ComparedQuantity } from './compare.ts';
import { p99Limit } from './gate.ts';
import type { Quantity } from './quantities.ts';

/**
 * What each row is to be known for: its size, by the first of some quantities that was measured; or
 * on which side of a limit it lies.
 */
export type Aim = PrecisionAim | LimitAim;

interface PrecisionAim {
  kind: 'precision';
  quantities: readonly Quantity[];
  within: Precision;
}

export interface LimitAim {
  kind: 'limit';
  quantity: ComparedQuantity;
  limit: Limit;
}

/**
 * What is asked of a row beside another: to be told apart from it, or called alike. Which row stands
 * next to it only the pairs tell, so that no configuration names it.
 */
export interface NeighbourAim {
  kind: 'neighbour';
  /** The name of the other row in a table. */
  label: string;
}

/** What is asked of a row by itself, or beside another. */
export type AnyAim = Aim | NeighbourAim;

/** At full load, CPU per request is the question; at a steady rate, how long answers take. */
const AT_FULL_LOAD: readonly Quantity[] = ['cpuUs'];
const AT_A_RATE: readonly Quantity[] = ['p99Us', 'latencyUs'];

/** Returns whether the number of pairs follows from what they show, and was not fixed. */
export function isByRule({ mostPairs }: Configuration): boolean {
  return mostPairs !== null;
}

/** Returns what is asked of each row; nothing if the number of pairs is fixed. */
export function aimsOf({ configuration, suite }: Pick<Result, 'configuration' | 'suite'>): Aim[] {
  if (!isByRule(configuration)) return [];
  const { within, limits } = configuration;
  const aims: Aim[] = [];
  const quantities = suite.tasks.every(isPaced) ? AT_A_RATE : AT_FULL_LOAD;
  if (within) aims.push({ kind: 'precision', quantities, within });
  if (limits?.cpu) aims.push({ kind: 'limit', quantity: 'cpuUs', limit: limits.cpu });
  if (limits && limits.p99Us !== null)
    aims.push({ kind: 'limit', quantity: 'p99Us', limit: p99Limit(limits.p99Us) });
  return aims;
}

/** Returns the quantities whose intervals decide when a run ends. */
export function decidingQuantities(header: Pick<Result, 'configuration' | 'suite'>): Quantity[] {
  return aimsOf(header).flatMap((aim) =>
    aim.kind === 'precision' ? aim.quantities : [aim.quantity],
  );
}

/** Returns a precision for sentences: `10 %`, `1 % of the baseline`, `2 µs`. */
export function withinText({ value, unit }: Precision): string {
  if (unit === 'us') return asUs(value);
  return figureText(value, '%') + (unit === '%' ? '' : ' of the baseline');
}

/** Returns a limit in the unit of what it limits: `2 %`, `0.3 µs`, `5 ms`. */
export function limitText({ value, unit }: Limit, quantity: ComparedQuantity): string {
  if (unit === '%') return `${value} %`;
  return quantity === 'p99Us' ? `${value / 1e3} ms` : `${value} µs`;
}

/** Returns all that is asked of a row, for after `until it is`; empty if nothing is. */
export function untilText(header: Pick<Result, 'configuration' | 'suite'>): string {
  const texts = aimsOf(header).map(aimText);
  if (header.configuration.isRanking) texts.push('told apart from the row next to it, or alike');
  return texts.join(' and ');
}

/** Returns what is asked of a row, for after `until it is`: `known within 10 %`. */
export function aimText(aim: Aim): string {
  if (aim.kind === 'precision') return `known within ${sizeText(aim)}`;
  const ofWhat = aim.quantity === 'p99Us' ? ' on p99' : '';
  return `surely above or below the limit of ${limitText(aim.limit, aim.quantity)}${ofWhat}`;
}

function sizeText({ quantities, within }: PrecisionAim): string {
  if (quantities.includes('cpuUs')) return withinText(within);
  return `${within.unit === 'us' ? asMs(within.value) : withinText(within)} by p99`;
}
