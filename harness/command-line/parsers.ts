import { InvalidArgumentError } from '@commander-js/extra-typings';
import { ownAddresses } from '../machine/environment.ts';
import type { Limit, Precision } from '../result/schema.ts';
import type { WantedRate } from '../settle/options.ts';

/** Reads the text of an option. @throws InvalidArgumentError with advice, which commander prints */
type Parser<Value> = (text: string) => Value;

const MAX_COUNT = 2 ** 31 - 1;
const DAY_SECONDS = 86_400;

/** Returns a parser of whole numbers from `min` on. */
export function countFrom(min: number): Parser<number> {
  const advice = `Give a whole number, at least ${min}.`;
  return parserOf(/^(\d+)$/, advice, (digits) => inRange(Number(digits), min, MAX_COUNT));
}

/**
 * Returns a parser of times from `min` seconds on, in seconds: whole ones, because not every load
 * tool takes fractions.
 */
export function secondsFrom(min: number): Parser<number> {
  const advice = `Give whole seconds, minutes or hours, at least ${min} s, such as 30s, 2m or 1h.`;
  return parserOf(/^(\d+)(s|m|h)?$/, advice, (count, unit) =>
    inRange(secondsOf(count, unit), min, DAY_SECONDS),
  );
}

/** Reads a time in seconds, minutes or hours, in seconds. */
export const parseTimeLimit: Parser<number> = parserOf(
  /^(\d+)(s|m|h)$/,
  'Give a time such as 90s, 20m or 2h.',
  (count, unit) => inRange(secondsOf(count, unit), 1, 7 * DAY_SECONDS),
);

/** Returns how many seconds that is; a number without a unit is one of seconds. */
function secondsOf(count: string, unit = 's'): number {
  const secondsPerUnit = { s: 1, m: 60, h: 3_600 }[unit];
  return Number(count) * (secondsPerUnit ?? Number.NaN);
}

/** Reads how well rows are to be known: a share of their cost, or a time, in µs. */
export const parsePrecision: Parser<Precision> = parserOf(
  /^(\d+(?:\.\d+)?)(us|µs|ms|%)$/,
  'Give a share or an amount above 0, such as 10%, 2us or 1ms.',
  (number, unit) => {
    const value = Number(number) * (unit === 'ms' ? 1e3 : 1);
    return value > 0 ? { value, unit: unit === '%' ? '%' : 'us' } : undefined;
  },
);

/** Reads a limit on CPU time per request: µs, or % of it. */
export const parseLimit: Parser<Limit> = parserOf(
  /^(\d+(?:\.\d+)?)(us|µs|%)$/,
  'Give a number and its unit, such as 0.3us or 5%.',
  (value, unit) => ({ value: Number(value), unit: unit === '%' ? '%' : 'us' }),
);

/** Reads a time, in µs. */
export const parseLatencyUs: Parser<number> = parserOf(
  /^(\d+(?:\.\d+)?)(us|µs|ms)$/,
  'Give a time such as 5ms or 300us.',
  (value, unit) => Number(value) * (unit === 'ms' ? 1e3 : 1),
);

/** Reads a rate: requests a second, or a share in %. */
export const parseRate: Parser<WantedRate> = parserOf(
  /^(?:([1-9]\d{0,6})|([1-9]\d?|100)%)$/,
  'Give requests a second or a share, such as 5000 or 30%.',
  (count, percent) => (percent ? { rateShare: Number(percent) / 100 } : { rate: Number(count) }),
);

/** Reads names that commas or spaces separate. */
export function parseNames(text: string): string[] {
  return text.split(/[\s,]+/).filter(Boolean);
}

/** Reads an address of this machine. */
export function parseOwnAddress(text: string): string {
  const addresses = ownAddresses();
  if (!addresses.includes(text))
    throw new InvalidArgumentError(`Give one of ${addresses.join(', ')}.`);
  return text;
}

/**
 * Returns a parser: `read` makes a value of the groups that `form` captures, or undefined if it is
 * out of range.
 */
function parserOf<Value>(
  form: RegExp,
  advice: string,
  read: (...groups: string[]) => Value | undefined,
): Parser<Value> {
  return (text) => {
    const [match, ...groups] = form.exec(text) ?? [];
    const value = match === undefined ? undefined : read(...groups);
    if (value === undefined) throw new InvalidArgumentError(advice);
    return value;
  };
}

function inRange(value: number, min: number, max: number): number | undefined {
  return value >= min && value <= max ? value : undefined;
}
