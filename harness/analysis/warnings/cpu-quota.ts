import { quotaRemedy, quotaText } from '../machine-text.ts';
import { type MeasuredRun, rowsWithNoiseFloor } from '../rows.ts';
import { throttlingOf } from '../throttling.ts';
import { type Finding, finding } from './finding.ts';

/**
 * A container that had used up its CPU quota, and was stopped by the kernel until the next period:
 * servers and load tool alike.
 */
export function findCpuQuota({ tasks, header }: MeasuredRun): Finding[] {
  const use = throttlingOf(tasks.flatMap(rowsWithNoiseFloor).flatMap(({ pairs }) => pairs));
  if (use === undefined) return [];
  const quota = quotaText(use.quotaCores, header.environment.cores);
  const stops = `was stopped in ${use.stoppedPeriods} of ${use.periods} periods`;
  const text = `Latency is waiting, not work: its container may use ${quota}, and ${stops}`;
  return [finding(text, `${quotaRemedy(use.quotaCores)}, or go by CPU per request`)];
}
