import { mean, sum } from 'simple-statistics';
import type { RowPrecision } from '../analysis/precision.ts';
import { morePairsText, precisionText } from '../analysis/precision-text.ts';
import { rowSliceKindOf } from '../analysis/slices.ts';
import { measureIdleCpu } from '../pair/idle-cpu.ts';
import { type KnownOfRow, measurePair } from '../pair/pair.ts';
import { ownSharesOf } from '../pair/rest.ts';
import { measureStartUps } from '../pair/start-ups.ts';
import type { World } from '../pair/world.ts';
import type { ExpectedSeconds, Plan, PlannedPair, PlannedRow } from '../plan/plan.ts';
import { readable } from '../result/file.ts';
import { pairSchema } from '../result/pair-schema.ts';
import type { Configuration, EndReason, Pair, Result } from '../result/schema.ts';
import { Problem } from '../words/errors.ts';
import { asDuration, createProgress, type Progress, type ProgressStep } from '../words/progress.ts';
import { listed } from '../words/text.ts';
import { isGivenUp } from './given-up.ts';
import { type Missing, missingIn } from './missing.ts';
import { pairsOf } from './of-row.ts';
import { endReasonOf, type RowNeed, roundsOf, rowNeeds } from './rounds.ts';
import { waitForPorts } from './wait-for-ports.ts';

const START_UP = 'start-up';
const IDLE = 'without requests';

/** What measuring acts on. */
interface Measuring {
  plan: Plan;
  world: World;
  result: Result;
  save: () => Promise<void>;
  progress: Progress;
}

/**
 * Measures start-ups, pairs and CPU without requests, as far as the result lacks them; adds each to
 * the result, and saves it. Returns why there are no more pairs.
 * @throws Problem if a server, or the load tool, does not start, or if the time is too short
 */
export async function measureAll(
  plan: Plan,
  world: World,
  result: Result,
  save: () => Promise<void>,
): Promise<EndReason> {
  const { configuration } = plan.header;
  const missing = missingIn(result, plan);
  const endMs = endOfPairs(plan, world, missing);
  const atMostSeconds = configuration.atMostSeconds ?? undefined;
  using progress = createProgress(stepsOf(plan, missing), process.stderr, atMostSeconds);
  expectPairs(progress, rowNeeds(plan, result), plan);
  for (const row of missing.startUps) {
    progress.step(`${START_UP}: ${row.label}`, START_UP);
    result.startUps.push(await measureStartUps(world, row, configuration.starts));
    await save();
  }
  const endReason = await measurePairs({ plan, world, result, save, progress }, endMs);
  if (endReason === 'failed') return endReason;
  for (const row of missing.idles) {
    progress.step(`${IDLE}: ${row.label}`, IDLE);
    const idle = await measureIdleCpu(world, row, configuration.idleSeconds);
    if (idle) result.idles.push(idle);
    await save();
  }
  return endReason;
}

/** Measures rounds until no row needs more, or until the time does not do for another pair. */
async function measurePairs(measuring: Measuring, endMs: number): Promise<EndReason> {
  const { plan, world, result, progress } = measuring;
  // The load tool may use the ports of another machine.
  let mayWaitForPorts = plan.header.tool.host === null;
  for (const { pairs, needs } of roundsOf(plan, result)) {
    expectPairs(progress, needs, plan);
    for (const pair of pairs) {
      // Its baseline may have failed in the pair before, of another row.
      if (isGivenUp(pair.row, result)) continue;
      if (mayWaitForPorts) mayWaitForPorts = await waitForPorts(world, progress, endMs);
      const expectedMs = 1_000 * expectedPairSeconds(pair.row, result, plan.expectedSeconds);
      if (world.nowMs() + expectedMs > endMs) {
        if (result.pairs.length === 0) throw tooShort(plan, expectedMs);
        return 'time';
      }
      await measureOne(measuring, pair, needs);
    }
  }
  return endReasonOf(plan, rowNeeds(plan, result), result);
}

async function measureOne(
  { plan, world, result, save, progress }: Measuring,
  pair: PlannedPair,
  needs: readonly RowNeed[],
): Promise<void> {
  const { row } = pair;
  const precisions = needs.find((need) => need.row === row)?.precisions ?? [];
  const earlier = pairsOf(row, result);
  const name = `pair ${earlier.length + 1}: ${row.label}`;
  progress.step(name + progressText(precisions, plan), row.label);
  const measured = await measurePair(world, pair, plan.header.configuration, knownOf(earlier));
  result.pairs.push(readable(pairSchema, measured, `A pair of ${row.label}`));
  await save();
}

/**
 * Returns how far a row is from the aim that it is farthest from, after a colon; empty if it has
 * too few pairs to tell.
 */
function progressText(precisions: readonly RowPrecision[], { header }: Plan): string {
  const [farthest] = precisions.toSorted((one, other) => other.morePairs - one.morePairs);
  if (farthest === undefined || farthest.pairs < header.configuration.pairs) return '';
  const text = precisionText(farthest);
  return text === '' ? '' : `: ${text}${morePairsText(farthest)}`;
}

/** Returns when pairs end, by the world's clock: what comes after them has its time, too. */
function endOfPairs({ header, expectedSeconds }: Plan, world: World, { idles }: Missing): number {
  const { atMostSeconds } = header.configuration;
  if (atMostSeconds === null) return Number.POSITIVE_INFINITY;
  return world.nowMs() + 1_000 * (atMostSeconds - idles.length * expectedSeconds.idle);
}

/** Returns what a pair of this row took so far; or one of any row; or what is expected of one. */
function expectedPairSeconds(row: PlannedRow, result: Result, expected: ExpectedSeconds): number {
  const own = pairsOf(row, result);
  const alike = own.length > 0 ? own : result.pairs;
  if (alike.length === 0) return expected.pair;
  return mean(alike.map(({ seconds }) => sum(Object.values(seconds))));
}

function tooShort({ header }: Plan, expectedMs: number): Problem {
  const atMost = asDuration(header.configuration.atMostSeconds ?? 0);
  return new Problem(
    `${atMost} are too short for a pair, which takes about ${asDuration(expectedMs / 1e3)}` +
      besidePairsText(header.configuration),
    'Give more time with --at-most',
  );
}

/** Returns what else takes of that time, after a comma; empty if nothing does. */
function besidePairsText({ starts, idleSeconds }: Configuration): string {
  const others = [
    ...(starts > 0 ? ['start-ups'] : []),
    ...(idleSeconds > 0 ? ['CPU without requests'] : []),
  ];
  return others.length === 0 ? '' : `, beside ${listed(others)}`;
}

/** Returns what is still to be done beside pairs, for the time that is left. */
function stepsOf({ expectedSeconds }: Plan, missing: Missing): ProgressStep[] {
  return [
    ...missing.startUps.map(() => ({ kind: START_UP, seconds: expectedSeconds.startUps })),
    ...missing.idles.map(() => ({ kind: IDLE, seconds: expectedSeconds.idle })),
  ];
}

function expectPairs(
  progress: Progress,
  needs: readonly RowNeed[],
  { expectedSeconds }: Plan,
): void {
  for (const { row, morePairs } of needs)
    progress.expect(row.label, morePairs, expectedSeconds.pair);
}

function knownOf(earlier: readonly Pair[]): KnownOfRow {
  const [first] = earlier.flatMap(({ restingShares }) => restingShares ?? []);
  return {
    cpuSliceKind: rowSliceKindOf(earlier) ?? undefined,
    sharesBeforeLoad: first && ownSharesOf(first),
  };
}
