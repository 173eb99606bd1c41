/** How figures look in the tables that are printed here. */

/** Returns a share in per cent; an empty cell if it is not a number. */
export function percent(share: number): string {
  return Number.isNaN(share) ? '' : `${(share * 100).toFixed(1)} %`;
}
