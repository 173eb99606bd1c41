import type { TelemetryCounts } from '../result/schema.ts';
import type { LoadedTask } from '../suite/load.ts';
import { claimedSpans, type Scenario, telemetryOf } from '../suite/suite-schema.ts';

/**
 * Why the counts of the instrumentation don't fit the requests that were answered. Empty if they do, if nothing is
 * claimed, or nothing counted. What requests of a mix claim differently is left out. `unseen`: answers that the load
 * tool may have missed.
 */
export function accountingFaults(
  task: Pick<LoadedTask, 'exchanges'>,
  scenario: Scenario,
  counts: TelemetryCounts | null | undefined,
  requests: number,
  unseen: number,
): string[] {
  const claims = task.exchanges.flatMap((exchange) => telemetryOf(exchange, scenario) ?? []);
  const each = claimedSpans(task.exchanges, scenario);
  if (claims.length === 0 || each === null || !counts) return [];
  const ended = counts.spansExported + counts.spansDropped;
  const faults: string[] = [];
  const check = (what: string, actual: number, perRequest: number) => {
    const least = perRequest * requests;
    if (actual < least || actual > least + perRequest * unseen)
      faults.push(`${scenario.name}: ${actual} ${what}, but ${requests} answers should make ${least}`);
  };
  check('spans were exported or dropped', ended, each);
  const [measured, ...others] = new Set(claims.map(({ metrics }) => Number(metrics.length > 0)));
  if (measured !== undefined && others.length === 0)
    check('requests were counted by metrics', counts.requestsMeasured, measured);
  // A request that is under way at either moment is counted as started on one side of it, and as ended on the other.
  if (Math.abs(counts.spansStarted - ended) > unseen * each)
    faults.push(`${scenario.name}: ${counts.spansStarted} spans were started and ${ended} exported or dropped`);
  return faults;
}
