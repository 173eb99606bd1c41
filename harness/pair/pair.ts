import type { PlannedPair } from '../plan/plan.ts';
import { throwIfEnding } from '../processes/child.ts';
import type { Fault } from '../result/faults.ts';
import type { Pair } from '../result/schema.ts';
import { sentIn } from '../suite/select.ts';
import { checkAnswers } from './answers.ts';
import { type RunningPair, startBoth } from './arms.ts';
import { connectionsOfBoth } from './closed-connections.ts';
import { type CpuSliceKind, cpuSliceKindFor } from './cpu-slices.ts';
import { exportFaults, noteWarmUpTelemetry, stopBothAndCountExports } from './exported.ts';
import { lookAfterLoad, lookBeforeLoad, type RestingShares } from './rest.ts';
import { settleAtRate } from './settle-at-rate.ts';
import { forBoth, SIDES } from './sides.ts';
import {
  type KnownBefore,
  type MeasuredSlices,
  measureSlices,
  type SliceSettings,
  withoutSlices,
} from './slices.ts';
import { type WarmUp, type WarmUpSettings, warmUp } from './warm-up.ts';
import type { World } from './world.ts';

/*
 * This room measures one pair: a fresh baseline server and a fresh scenario server on the same
 * core. A planned pair and a world go in; slices, usage and faults come out, as the result file
 * keeps them. Which pair comes next belongs to `run/`, and what the figures mean to `analysis/`.
 */

const NOTHING_EXPORTED: Pair['exported'] = { baseline: null, scenario: null };

/** How a pair is measured. */
export type PairSettings = WarmUpSettings & SliceSettings;

/** What the row's earlier pairs tell; nothing of the first. */
export interface KnownOfRow {
  /** A row has one kind for the whole run. */
  cpuSliceKind?: CpuSliceKind | undefined;
  /** What its servers do by themselves is looked at once. */
  sharesBeforeLoad?: RestingShares | undefined;
}

/**
 * Measures one pair: start both servers, check their answers, warm up, alternating slices, duets
 * or turns unless the first tell the CPU, too, check again, stop. It ends as soon as something is
 * wrong with it.
 * @returns what was measured; what goes wrong under load is among its faults
 * @throws Problem if a server, or the load tool, does not start
 */
export async function measurePair(
  world: World,
  pair: PlannedPair,
  settings: PairSettings,
  known: KnownOfRow = {},
): Promise<Pair> {
  const lapSeconds = stopwatch(world);
  await using arms = await startBoth(world, pair);
  const running = { world, pair, arms };
  const startSeconds = lapSeconds();
  const beforeLoad = await noteSharesBeforeLoad(running, known.sharesBeforeLoad);
  const warm = await warmUpForSlices(running, settings);
  const warmUpSeconds = lapSeconds();
  const slices = await slicesAfter(running, warm, settings, known.cpuSliceKind);
  const slicesSeconds = lapSeconds();
  const isFirst = known.sharesBeforeLoad === undefined;
  const after = await concludePair(running, slices, isFirst);
  // It ends here so that its time counts; whatever throws before is why it is `using`, too.
  await arms[Symbol.asyncDispose]();
  throwIfEnding();
  const seconds = {
    start: startSeconds,
    warmUp: warmUpSeconds,
    slices: slicesSeconds,
    stop: lapSeconds(),
  };
  return pairOf(running, { seconds, beforeLoad, warm, slices, after });
}

/**
 * Notes what both servers do by themselves, and returns it. They are looked at unless earlier pairs
 * told.
 */
async function noteSharesBeforeLoad(
  running: RunningPair,
  known: RestingShares | undefined,
): Promise<RestingShares> {
  const shares = known ?? (await lookBeforeLoad(running));
  for (const side of SIDES) running.arms[side].shareBeforeLoad = shares[side] ?? 0;
  return shares;
}

/** How a pair is before its slices. */
interface WarmPair extends WarmUp, Pick<KnownBefore, 'wasRateHeld'> {}

/**
 * Warms up both servers. If the task has a steady rate, they then settle at it, which shows what the
 * row costs there.
 */
async function warmUpForSlices(running: RunningPair, settings: WarmUpSettings): Promise<WarmPair> {
  const { task } = running.pair.row;
  const warm = await warmUp(running, settings);
  if (task.rate === undefined || warm.faults.length > 0) return { ...warm, wasRateHeld: true };
  await noteWarmUpTelemetry(running);
  const { cpuRatio, wasRateHeld, faults } = await settleAtRate(running);
  return { ...warm, cpuRatio: cpuRatio ?? warm.cpuRatio, wasRateHeld, faults };
}

/** Measures the slices of a pair that is warm; none if its warm-up went wrong. */
function slicesAfter(
  running: RunningPair,
  { faults, sliceSeconds, cpuRatio, wasRateHeld }: WarmPair,
  settings: PairSettings,
  knownKind: CpuSliceKind | undefined,
): MeasuredSlices | Promise<MeasuredSlices> {
  if (faults.length > 0) return withoutSlices(faults);
  const cpuSliceKind = knownKind ?? cpuSliceKindFor(running.pair.row, cpuRatio);
  const known = { cpuSliceKind, wasRateHeld };
  return measureSlices(running, { ...settings, sliceSeconds }, known);
}

/** All that a pair was asked for, in the order of time. */
interface Measured {
  seconds: Pair['seconds'];
  beforeLoad: RestingShares;
  warm: WarmPair;
  slices: MeasuredSlices;
  after: AfterSlices;
}

/** Returns the pair as the result file keeps it. */
function pairOf(
  { pair, arms }: RunningPair,
  { seconds, beforeLoad, warm, slices, after }: Measured,
): Pair {
  const { task, scenario } = pair.row;
  return {
    task: task.name,
    scenario: scenario.name,
    isSteady: warm.isSteady,
    sliceSeconds: warm.sliceSeconds,
    seconds,
    alternating: slices.alternating,
    duets: slices.duets,
    turns: slices.turns,
    ...(slices.cpuSliceKind && { cpuFrom: slices.cpuSliceKind }),
    warmUp: warm.kept,
    whileIdle: forBoth((side) => arms[side].whileIdle),
    usage: slices.usage,
    ...(slices.container && { container: slices.container }),
    connections: after.connections,
    restingShares: after.shares && { beforeLoad, afterLoad: after.shares },
    exported: after.exported,
    faults: [
      ...slices.faults,
      ...after.faults,
      ...SIDES.flatMap((side) => exportFaults(arms[side].planned, after.exported[side])),
    ],
  };
}

/** What is found out about a pair once its slices have ended. */
interface AfterSlices extends Pick<Pair, 'connections' | 'exported'> {
  /** What the servers still did; null if something went wrong before. */
  shares: RestingShares | null;
  /** Of answers that were wrong afterwards. */
  faults: Fault[];
}

/**
 * Asks both servers once more, and ends them if their spans are to be counted.
 * @param isFirst whether no earlier pair of the row told what its servers do by themselves
 */
async function concludePair(
  running: RunningPair,
  { faults, alternating, closed }: MeasuredSlices,
  isFirst: boolean,
): Promise<AfterSlices> {
  const isGood = faults.length === 0;
  const shares = isGood ? await lookAfterLoad(running, isFirst) : null;
  const wrongAnswers = isGood ? await checkBothAfterwards(running) : [];
  const all = [...faults, ...wrongAnswers];
  // Where a tool tells of closed connections, it has sent many more requests again in silence.
  const mayHaveClosedMore = all.every(({ kind }) => kind === 'connections-closed');
  const connections = mayHaveClosedMore
    ? await connectionsOfBoth(running, alternating, closed)
    : null;
  // Nobody waits for spans of requests that failed.
  const exported = all.length > 0 ? NOTHING_EXPORTED : await stopBothAndCountExports(running);
  return { shares, connections, exported, faults: wrongAnswers };
}

async function checkBothAfterwards({ world, pair, arms }: RunningPair): Promise<Fault[]> {
  const exchanges = sentIn(pair.row.task);
  const faults: Fault[] = [];
  for (const side of SIDES)
    faults.push(...(await checkAnswers(world, arms[side], exchanges, 'afterwards')));
  return faults;
}

/** Returns what tells the seconds since it was called before. */
function stopwatch(world: World): () => number {
  let beforeMs = world.nowMs();
  return () => {
    const nowMs = world.nowMs();
    const seconds = (nowMs - beforeMs) / 1e3;
    beforeMs = nowMs;
    return seconds;
  };
}
