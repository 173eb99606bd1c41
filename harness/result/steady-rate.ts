/** What a task of a suite or of a result says of its rate: nothing, or null, for full load. */
interface WithRate {
  rate?: number | null | undefined;
  /** The rate as a part of what the baseline can do. */
  rateShare?: number | null | undefined;
}

/** Returns whether a task is sent at a steady rate. */
export function isPaced({ rate, rateShare }: WithRate): boolean {
  return (rate ?? null) !== null || (rateShare ?? null) !== null;
}
