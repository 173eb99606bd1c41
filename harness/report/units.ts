/** Printed forms of figures. What goes in is named by its unit; what comes out carries it. */

/** A time given in µs, in ms: `1.65 ms`. Below 0.1 ms with a third decimal. */
export function asMs(timeUs: number): string {
  return `${msDigits(timeUs)} ms`;
}

/** A difference of times given in µs, in ms and with its sign: `+0.24 ms`. */
export function asMsChange(differenceUs: number): string {
  return `${sign(differenceUs)}${asMs(Math.abs(differenceUs))}`;
}

/** A time in µs: `16.5 µs`; below 10 µs with a second decimal. */
export function asUs(timeUs: number): string {
  return `${usDigits(timeUs)} µs`;
}

/** A difference of times in µs, with its sign: `+2.31 µs`. */
export function asUsChange(differenceUs: number): string {
  return `${sign(differenceUs)}${asUs(Math.abs(differenceUs))}`;
}

/** A relative change as a percentage with its sign: 0.051 is `+5.1 %`. */
export function asPercentChange(change: number): string {
  return `${sign(change)}${Math.abs(change * 100).toFixed(1)} %`;
}

/** Requests a second, whole: `60460`. */
export function asRate(requestsPerSecond: number): string {
  return requestsPerSecond.toFixed(0);
}

/** Bytes in GiB: `23.4 GiB`. */
export function asGiB(bytes: number): string {
  return `${(bytes / 1024 ** 3).toFixed(1)} GiB`;
}

/** A length of time in seconds for people: `45 s`, `8 min`. */
export function asDuration(seconds: number): string {
  return seconds < 90 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;
}

function msDigits(timeUs: number): string {
  const timeMs = timeUs / 1_000;
  return timeMs.toFixed(Math.abs(timeMs) < 0.1 ? 3 : 2);
}

function usDigits(timeUs: number): string {
  return timeUs.toFixed(Math.abs(timeUs) < 10 ? 2 : 1);
}

function sign(value: number): string {
  return value < 0 ? '-' : '+';
}

/** Bytes as MiB: `64.2 MiB`. */
export function asMiB(bytes: number): string {
  return `${(bytes / 1024 ** 2).toFixed(1)} MiB`;
}
