/** What figures are printed in. */
export type Unit = '' | 'µs' | 'ms' | '/s' | '%' | 'x' | 'KiB' | 'MiB' | 'GiB' | 'ms/s';

/** Returns a value with about three digits: `0.024`, `2.14`, `16.5`, `812`. */
export function asNumber(value: number): string {
  return value.toFixed(plainDecimals(value));
}

/** Returns a whole number with its thousands apart: `15,234`. */
export function asCount(value: number): string {
  return value.toLocaleString('en-GB');
}

/** Returns a value in its unit: `1.65 ms`, `16.5 µs`, `60460/s`, `3.4 %`, `97 %`, `64.2 MiB`. */
export function figureText(value: number, unit: Unit): string {
  const number = unit === '%' ? percentText(value) : asNumber(value);
  const hasSpace = unit !== '/s' && unit !== '';
  return `${number}${hasSpace ? ' ' : ''}${unit}`;
}

function percentText(percent: number): string {
  return String(Number(percent.toFixed(percent < 9.95 ? 1 : 0)));
}

export function asMs(timeUs: number): string {
  return figureText(timeUs / 1e3, 'ms');
}

export function asUs(timeUs: number): string {
  return figureText(timeUs, 'µs');
}

/** Returns a share of 1 in %. */
export function asPercent(share: number): string {
  return figureText(share * 100, '%');
}

/** Returns a bound with two digits or more, rounded up so that it holds: 0.79, 4.3, 12, 124. */
export function roundedUp(bound: number): number {
  const digits = Math.max(0, 1 - Math.floor(Math.log10(Math.abs(bound))));
  const factor = 10 ** Math.min(digits, 4);
  return Math.ceil(bound * factor) / factor;
}

/** Returns a bound with two digits or more, rounded down so that it holds: 0.78, 4.2, 11, 123. */
export function roundedDown(bound: number): number {
  return -roundedUp(-bound);
}

/** Returns an amount of memory: `300 MiB`, `1.50 GiB`. */
export function asMemory(bytes: number): string {
  return bytes < 2 ** 30 ? figureText(bytes / 2 ** 20, 'MiB') : figureText(bytes / 2 ** 30, 'GiB');
}

/** Returns a large number with two digits: `68,000`. */
export function asRoundNumber(value: number): string {
  return new Intl.NumberFormat('en-GB', { maximumSignificantDigits: 2 }).format(value);
}

/** Returns a value with its sign, unless it rounds to zero: `+0.24`. */
export function signed(value: number, decimals = plainDecimals(value)): string {
  const digits = Math.abs(value).toFixed(decimals);
  if (Number(digits) === 0) return digits;
  return `${value < 0 ? '-' : '+'}${digits}`;
}

/**
 * Returns how many decimals give a half-width two significant digits: 2 for 0.26, none from 10 on,
 * 4 at most.
 */
export function decimalsOf(halfWidth: number): number {
  const magnitude = Math.floor(Math.log10(Number(halfWidth.toPrecision(2))));
  return Math.min(4, Math.max(0, 1 - magnitude));
}

/** Returns the decimals of about three digits: 3 below 0.1, 2 below 10, none from 100 on. */
function plainDecimals(value: number): number {
  const size = Math.abs(value);
  if (size < 0.1) return size === 0 ? 0 : 3;
  if (size < 10) return 2;
  return size < 100 ? 1 : 0;
}
