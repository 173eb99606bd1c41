import { measurePair } from '../pair/pair.ts';
import { isSilent } from '../pair/slices.ts';
import { measureIdle, measureStartUps } from '../pair/starts.ts';
import type { Plan, PlannedRow } from '../plan/plan.ts';
import { readable } from '../result/file.ts';
import { pairSchema } from '../result/pair-schema.ts';
import type { Result } from '../result/schema.ts';
import { createProgress } from '../words/progress.ts';
import { planPairs } from './order.ts';

/** A server that hangs goes on to hang. A load tool, or its host, may go away once: its row is invalid, others are not. */
const MAX_SILENT_PAIRS = 2;

/**
 * Measures start-ups, pairs and standing costs that the result lacks, since an earlier run may have done some; adds each, and
 * saves. @throws Problem
 */
export async function measureAll(
  plan: Plan,
  result: Result,
  save: () => Promise<void>,
): Promise<void> {
  const { rows, seconds } = plan;
  const { pairs, seed, starts, idleSeconds } = plan.header.configuration;
  const isOf = (row: PlannedRow) => (done: { task: string; scenario: string }) =>
    done.task === row.task.name && done.scenario === row.scenario.name;
  const starting = rows.filter((row) => starts > 0 && !result.startUps.some(isOf(row)));
  const pairing = planPairs(rows, pairs, seed)
    .map((pair, at) => ({ ...pair, round: Math.floor(at / rows.length) + 1 }))
    .filter(({ row, round }) => result.pairs.filter(isOf(row)).length < round);
  const idling = rows.filter((row) => idleSeconds > 0 && !result.idles.some(isOf(row)));
  using progress = createProgress([
    ...starting.map(() => ({ kind: 'start-up', seconds: seconds.startUps })),
    ...pairing.map(({ row }) => ({ kind: row.label, seconds: seconds.pair })),
    ...idling.map(() => ({ kind: 'without requests', seconds: seconds.idle })),
  ]);
  for (const row of starting) {
    progress.step(`start-up: ${row.label}`, 'start-up');
    result.startUps.push(await measureStartUps(plan, row));
    await save();
  }
  for (const { round, ...pair } of pairing) {
    const { label } = pair.row;
    if (isGivenUp(result.pairs.filter(isOf(pair.row)))) {
      progress.skip(label);
      continue;
    }
    progress.step(`pair ${round}: ${label}`, label);
    const measured = await measurePair(plan, pair);
    result.pairs.push(readable(pairSchema, measured, `A pair of ${label}`));
    await save();
  }
  for (const row of idling) {
    progress.step(`without requests: ${row.label}`, 'without requests');
    result.idles.push(...(await measureIdle(plan, row)));
    await save();
  }
}

/** Whether the last pairs of a row, one after the other, had a slice without an answer. */
function isGivenUp(pairs: Result['pairs']): boolean {
  const last = pairs.slice(-MAX_SILENT_PAIRS);
  return last.length === MAX_SILENT_PAIRS && last.every(({ faults }) => isSilent(faults));
}
