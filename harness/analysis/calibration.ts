import { holds } from './estimate.ts';
import { rowsOf } from './finding.ts';
import type { Analysis, Estimate } from './model.ts';

/** One server whose extra cost is known, and what was measured. Times are CPU per request in µs. */
export interface CalibrationRow {
  task: string;
  title: string;
  trueUs: number;
  /** Null if the row is invalid, or no clock reads CPU time. */
  measured: Estimate | null;
  /** Measured minus true. */
  errorUs: number | null;
  /** Whether the interval holds the truth. */
  isCovered: boolean | null;
}

/** True against measured cost, for every row whose cost is known. */
export function calibrationRows({ tasks }: Analysis): CalibrationRow[] {
  return tasks.flatMap((task) =>
    rowsOf(task).flatMap(({ title, trueCostUs: trueUs, change }) => {
      if (trueUs === null) return [];
      const measured = change.cpuUs?.estimate ?? null;
      const errorUs = measured && measured.value - trueUs;
      return [{ task: task.name, title, trueUs, measured, errorUs, isCovered: measured && holds(measured, trueUs) }];
    }),
  );
}
