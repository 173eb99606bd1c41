import type { Row } from './summary.ts';

/** From here on a server counts as saturated: a client's wait is then the server's work. */
export const SATURATED_SHARE = 0.9;

/** How far from each other the two may lie, beyond what their intervals allow: clients have work of their own. */
const TOLERANCE = 0.1;

/**
 * Whether the two numbers tell the same story. In a closed loop on a saturated single-threaded server mean latency =
 * connections x service time, so the change in ms must be connections x the change of CPU per request.
 */
export interface Consistency {
  rows: { title: string; measuredUs: number; expectedUs: number; agrees: boolean }[];
}

/** Undefined where no row has both numbers on a server that was saturated on both sides. */
export function consistencyOf(rows: Row[], connections: number): Consistency | undefined {
  const baseline = rows.find(({ isBaseline }) => isBaseline)?.solo.figures;
  const baselineUs = baseline?.cpuPerRequestUs;
  if (!baselineUs || !isSaturated(baseline.cpuShare)) return undefined;
  const checked = rows.flatMap((row) => {
    const { solo, duet } = row;
    const change = solo.figures?.change;
    if (!change || !duet?.estimate || !isSaturated(solo.figures?.cpuShare)) return [];
    // At the cost that the baseline had in these very rounds: the machine may have been slower than in the duets.
    const inUs = (ratio: number) => (ratio - 1) * baselineUs * connections;
    const { ratio, ratioInterval } = duet.estimate;
    const expected = ratioInterval ?? { low: ratio, high: ratio };
    const measured = change.intervalUs ?? { low: change.minUs, high: change.maxUs };
    const slack = TOLERANCE * Math.abs(inUs(ratio));
    const agrees = measured.low <= inUs(expected.high) + slack && inUs(expected.low) - slack <= measured.high;
    return [{ title: row.title, measuredUs: change.meanUs, expectedUs: inUs(ratio), agrees }];
  });
  return checked.length > 0 ? { rows: checked } : undefined;
}

/** Whether a server was busy all the time. */
export function isSaturated(share: number | null | undefined): boolean {
  return share !== null && share !== undefined && share >= SATURATED_SHARE;
}
