import { measurePair } from '../pair/pair.ts';
import type { CpuSlices } from '../pair/slices.ts';
import { measureStandingCost } from '../pair/standing-cost.ts';
import { measureStartUps } from '../pair/start-ups.ts';
import { hasNoAnswer } from '../pair/under-load.ts';
import type { World } from '../pair/world.ts';
import type { Plan, PlannedRow } from '../plan/plan.ts';
import { readable } from '../result/file.ts';
import { pairSchema } from '../result/pair-schema.ts';
import type { Pair, Result } from '../result/schema.ts';
import { createProgress, type ProgressStep } from '../words/progress.ts';
import { isOfRow, type Missing, missingIn, type NumberedPair } from './missing.ts';

/** A server that hangs goes on to hang. A load tool, or its host, may go away once: then other rows are still measured. */
const MAX_SILENT_PAIRS = 2;

const START_UP = 'start-up';
const IDLE = 'without requests';

/**
 * Measures start-ups, pairs and standing costs that the result lacks; adds each to the result, and saves it.
 * @throws Problem if a server, or the load tool, does not start
 */
export async function measureAll(
  plan: Plan,
  world: World,
  result: Result,
  save: () => Promise<void>,
): Promise<void> {
  const { configuration } = plan.header;
  const missing = missingIn(result, plan);
  using progress = createProgress(stepsOf(plan, missing));
  for (const row of missing.startUps) {
    progress.step(`${START_UP}: ${row.label}`, START_UP);
    result.startUps.push(await measureStartUps(world, row, configuration.starts));
    await save();
  }
  for (const { round, pair } of missing.pairs) {
    const { label } = pair.row;
    if (isGivenUp(pairsOf(pair.row, result))) {
      progress.skip(label);
      continue;
    }
    progress.step(`pair ${round}: ${label}`, label);
    const kind = cpuSlicesOf(pairsOf(pair.row, result));
    const measured = await measurePair(world, pair, configuration, kind);
    result.pairs.push(readable(pairSchema, measured, `A pair of ${label}`));
    await save();
  }
  for (const row of missing.idles) {
    progress.step(`${IDLE}: ${row.label}`, IDLE);
    const idle = await measureStandingCost(world, row, configuration.idleSeconds);
    if (idle) result.idles.push(idle);
    await save();
  }
}

/** Returns what is still to be done, for the time that is left. */
function stepsOf({ expectedSeconds }: Plan, missing: Missing): ProgressStep[] {
  return [
    ...missing.startUps.map(() => ({ kind: START_UP, seconds: expectedSeconds.startUps })),
    ...missing.pairs.map(({ pair }: NumberedPair) => ({
      kind: pair.row.label,
      seconds: expectedSeconds.pair,
    })),
    ...missing.idles.map(() => ({ kind: IDLE, seconds: expectedSeconds.idle })),
  ];
}

/** Returns in which slices a row's CPU was measured so far; undefined if nothing was measured. */
function cpuSlicesOf([first]: readonly Pair[]): CpuSlices | undefined {
  if (first === undefined || first.duets.length + first.turns.length === 0) return undefined;
  return first.turns.length > 0 ? 'turns' : 'duets';
}

function pairsOf(row: PlannedRow, { pairs }: Result): Pair[] {
  return pairs.filter((pair) => isOfRow(row, pair));
}

/** Returns whether the last pairs of a row, one after the other, had a slice without an answer. */
function isGivenUp(pairs: readonly Pair[]): boolean {
  const last = pairs.slice(-MAX_SILENT_PAIRS);
  return last.length === MAX_SILENT_PAIRS && last.every(({ faults }) => hasNoAnswer(faults));
}
