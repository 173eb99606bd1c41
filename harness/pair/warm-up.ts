import { compilerNsBetween, readAllThreads } from '../machine/threads.ts';
import type { PlannedTask } from '../plan/plan.ts';
import { loadOf } from '../plan/task-load.ts';
import type { Pair, Side } from '../result/schema.ts';
import { sentIn } from '../suite/select.ts';
import { checkWhileBusy } from './answers.ts';
import { allEnded, forBoth, SIDES } from './sides.ts';
import type { Arm, Arms } from './start.ts';
import {
  isCompilerAtRest,
  isSteady,
  lastCpuRatio,
  samplesOf,
  type WarmUpSample,
  type WarmUpSlice,
} from './steadiness.ts';
import { loadUntilResting } from './under-load.ts';
import type { World } from './world.ts';

/**
 * The more requests, the sooner servers are steady: so a warm-up has no rate, and slices of a
 * second.
 */
const SLICE_SECONDS = 1;
/** A server that answers nothing for so many slices will not answer. */
const MAX_SILENT_SLICES = 10;
/** A load tool, or its host, may fail once. */
const MAX_FAILED_SLICES = 2;
/** So many answers make a good mean of a slice. */
const MIN_ANSWERS = 200;
/** A server that takes longer for that many answers is measured on fewer. */
const MAX_SLICE_SECONDS = 30;

/** How long a warm-up may take, and how long slices are to be after it. */
export interface WarmUpSettings {
  warmupSeconds: number;
  sliceSeconds: number;
}

/** How a warm-up ended. */
export interface WarmUp {
  isSteady: boolean;
  /** Of the slices to come: as long as the slower server needs for some 200 answers. */
  sliceSeconds: number;
  /** How many slices it took. */
  slices: number;
  /**
   * How many times the baseline's CPU per request the scenario took at last; null if no clock
   * tells.
   */
  cpuRatio: number | null;
  /** The slices with the requests of the task, as the result file keeps them. */
  kept: Pair['warmUp'];
}

/**
 * Loads both servers at once until the pair is steady, or the time is up. If only one of them still
 * compiles, that one has the whole load and the core to itself. A slow server comes to its hot code
 * late, so its suite may name a task of short requests that come first. Errors don't count: the
 * measurement has them.
 */
export async function warmUp(
  world: World,
  task: PlannedTask,
  arms: Arms,
  { warmupSeconds, sliceSeconds }: WarmUpSettings,
): Promise<WarmUp> {
  const shortTask = { ...task, exchanges: task.warmUp };
  const shortSeconds = task.warmUp.length > 0 ? Math.floor(warmupSeconds / 2) : 0;
  const shortSlices = await slicesUntilSteady(world, shortTask, arms, shortSeconds);
  const ownSeconds = warmupSeconds - shortSlices.length;
  const ownSlices = await slicesUntilSteady(world, task, arms, ownSeconds);
  const aloneSlices: WarmUpSlice[] = [];
  for (const side of SIDES)
    aloneSlices.push(...(await warmUpAlone(world, task, arms, side, ownSlices)));
  const slowestRate = SIDES.some((side) => hasFailed(arms[side], samplesOf(side, ownSlices)))
    ? // What fails needs no longer slices. A server that is silent without an error may need more than a slice for an
      // answer, since some load tools leave without their last ones.
      Number.POSITIVE_INFINITY
    : slowestRateIn(ownSlices);
  return {
    isSteady: isSteady(ownSlices),
    sliceSeconds: sliceSecondsFor(Math.min(slowestRate, task.rate ?? slowestRate), sliceSeconds),
    slices: shortSlices.length + ownSlices.length,
    cpuRatio: lastCpuRatio(ownSlices),
    kept: [...ownSlices, ...aloneSlices].map(keptSlice),
  };
}

function keptSlice(slice: WarmUpSlice): Pair['warmUp'][number] {
  return forBoth((side) => {
    const sample = slice[side];
    if (!sample) return null;
    const { requests, underWay, watchedMs, cpuNs } = sample;
    return {
      requests: requests + underWay,
      watchedMs,
      cpuMs: cpuNs === null ? null : cpuNs / 1e6,
    };
  });
}

async function slicesUntilSteady(
  world: World,
  task: PlannedTask,
  arms: Arms,
  maxSlices: number,
): Promise<WarmUpSlice[]> {
  const slices: WarmUpSlice[] = [];
  while (slices.length < maxSlices && !isSteady(slices) && !isHopeless(arms, slices)) {
    const compiling = SIDES.filter((side) => !isCompilerAtRest(samplesOf(side, slices)));
    const sides = compiling.length === 1 ? compiling : SIDES;
    slices.push(await warmUpSlice(world, task, arms, sides));
  }
  return slices;
}

async function warmUpSlice(
  world: World,
  task: PlannedTask,
  arms: Arms,
  sides: readonly Side[],
): Promise<WarmUpSlice> {
  const load = loadOf({ ...task, rate: undefined }, SLICE_SECONDS, sides.length === 1 ? 1 : 2);
  const samples = sides.map(async (side): Promise<[Side, WarmUpSample]> => {
    const { pid } = arms[side].server.child;
    const threadsBefore = readAllThreads(pid);
    const beforeMs = world.nowMs();
    const { loaded } = await loadUntilResting(world, arms[side], load);
    const watchedMs = world.nowMs() - beforeMs;
    const compilerNs = compilerNsBetween(threadsBefore, readAllThreads(pid));
    return [side, { ...loaded, watchedMs, compilerNs }];
  });
  return Object.fromEntries(await allEnded(samples));
}

/**
 * Gives a server whose compiler can't be seen, as on Node, a second under the whole load: its first
 * one takes 7 to 19 % more CPU. The server is asked meanwhile, too: V8 takes optimized code away at
 * an unusual request, and so does not do it when the server is asked while it is measured.
 * @returns that second, if there was one
 */
async function warmUpAlone(
  world: World,
  task: PlannedTask,
  arms: Arms,
  side: Side,
  slices: readonly WarmUpSlice[],
): Promise<WarmUpSlice[]> {
  const last = samplesOf(side, slices).at(-1);
  if (last?.compilerNs !== null || isHopeless(arms, slices)) return [];
  const [slice] = await allEnded([
    warmUpSlice(world, task, arms, [side]),
    checkWhileBusy(world, arms[side], sentIn(task)),
  ]);
  return [slice];
}

/** Returns whether further load makes no sense: a server has ended, or gives no answer. */
function isHopeless(arms: Arms, slices: readonly WarmUpSlice[]): boolean {
  return SIDES.some((side) => {
    const samples = samplesOf(side, slices);
    const isSilent = endsWith(samples, MAX_SILENT_SLICES, ({ requests }) => requests === 0);
    const isFailing = endsWith(samples, MAX_FAILED_SLICES, isFailed);
    return isSilent || isFailing || arms[side].server.child.exit !== undefined;
  });
}

/** Returns whether the last samples, so many of them, are all like that. */
function endsWith(
  samples: readonly WarmUpSample[],
  count: number,
  isLikeThat: (sample: WarmUpSample) => boolean,
): boolean {
  return samples.length >= count && samples.slice(-count).every(isLikeThat);
}

function isFailed({ requests, errors }: WarmUpSample): boolean {
  return requests === 0 && errors.length > 0;
}

function hasFailed(arm: Arm, samples: readonly WarmUpSample[]): boolean {
  const last = samples.at(-1);
  return arm.server.child.exit !== undefined || (last !== undefined && isFailed(last));
}

/**
 * Returns the rate of the slower server, in answers a second, in the last slice in which it
 * answered.
 */
export function slowestRateIn(slices: readonly WarmUpSlice[]): number {
  const lastSamples = SIDES.flatMap((side) => {
    const samples = samplesOf(side, slices);
    // A slice that failed says nothing of the server.
    return samples.findLast(({ requests }) => requests > 0) ?? samples.at(-1) ?? [];
  });
  return Math.min(...lastSamples.map(({ requests, seconds }) => requests / seconds));
}

/**
 * Returns the seconds of a slice in which a server gives some 200 answers, at least the wanted
 * ones.
 * @param rate answers a second of the slower server
 */
export function sliceSecondsFor(rate: number, wantedSeconds: number): number {
  const needed = rate > 0 ? Math.ceil(MIN_ANSWERS / rate) : MAX_SLICE_SECONDS;
  return Math.max(wantedSeconds, Math.min(needed, MAX_SLICE_SECONDS));
}
