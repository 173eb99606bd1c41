import { compilerNsBetween, readAllThreads } from '../machine/threads.ts';
import type { PlannedTask } from '../plan/plan.ts';
import { loadOf } from '../plan/task-load.ts';
import type { Fault } from '../result/faults.ts';
import type { Pair, Side } from '../result/schema.ts';
import { sentIn } from '../suite/select.ts';
import { checkWhileBusy } from './answers.ts';
import type { RunningPair } from './arms.ts';
import { watchIdle } from './idle.ts';
import { allEnded, forBoth, SIDES } from './sides.ts';
import { expectedRate, sliceSecondsFor } from './slice-length.ts';
import {
  isCompilerAtRest,
  isSteady,
  lastCpuRatio,
  type SampledSlice,
  type WarmUpSample,
  warmUpSamples,
} from './steadiness.ts';
import { loadUntilResting } from './under-load.ts';
import {
  faultsThatStay,
  isHopeless,
  type ObservedSlice,
  sampledSlicesOf,
} from './warm-up-faults.ts';

/**
 * The more requests, the sooner servers are steady: so a warm-up has no rate, and slices of a
 * second.
 */
const SLICE_SECONDS = 1;

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
  /** Why further slices make no sense: the pair ends with them. */
  faults: Fault[];
}

/**
 * Loads both servers at once until the pair is steady, or the time is up. If only one of them still
 * compiles, that one has the whole load and the core to itself. A slow server comes to its hot code
 * late, so its suite may name a task of short requests that come first. Errors that stay end it: no
 * slice after it could have figures.
 */
export async function warmUp(
  running: RunningPair,
  { warmupSeconds, sliceSeconds }: WarmUpSettings,
): Promise<WarmUp> {
  const { pair, arms } = running;
  const { task } = pair.row;
  const shortTask = { ...task, exchanges: task.warmUp };
  const shortSeconds = task.warmUp.length > 0 ? Math.floor(warmupSeconds / 2) : 0;
  const short = await slicesUntilSteady(running, shortTask, shortSeconds);
  const shortSlices = sampledSlicesOf(short);
  const shortFaults = faultsThatStay(arms, short);
  const ownSeconds = shortFaults.length > 0 ? 0 : warmupSeconds - shortSlices.length;
  const own = await slicesUntilSteady(running, task, ownSeconds);
  const ownSlices = sampledSlicesOf(own);
  const alone = await warmUpEachAlone(running, ownSlices);
  const aloneSlices = sampledSlicesOf(alone);
  const rate = expectedRate(arms, ownSlices);
  return {
    isSteady: isSteady(ownSlices),
    sliceSeconds: sliceSecondsFor(Math.min(rate, task.rate ?? rate), sliceSeconds),
    slices: shortSlices.length + ownSlices.length,
    cpuRatio: lastCpuRatio(ownSlices),
    kept: [...ownSlices, ...aloneSlices].map(keptSlice),
    faults: [
      ...shortFaults,
      ...faultsThatStay(arms, own),
      ...alone.flatMap(({ faults }) => faults).filter(isWrongAnswer),
    ],
  };
}

function isWrongAnswer({ kind }: Fault): boolean {
  return kind === 'wrong-answer-under-load';
}

function keptSlice(slice: SampledSlice): Pair['warmUp'][number] {
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
  running: RunningPair,
  task: PlannedTask,
  maxSlices: number,
): Promise<ObservedSlice[]> {
  const { arms } = running;
  const observed: ObservedSlice[] = [];
  const slices: SampledSlice[] = [];
  while (slices.length < maxSlices && !isSteady(slices) && !isHopeless(arms, slices)) {
    const compiling = SIDES.filter((side) => !isCompilerAtRest(warmUpSamples(side, slices)));
    const sides = compiling.length === 1 ? compiling : SIDES;
    const next = await warmUpSlice(running, task, sides);
    slices.push(next.slice);
    observed.push({ ...next, faults: atSlice(next.faults, slices.length) });
  }
  return observed;
}

function atSlice(faults: readonly Fault[], number: number): Fault[] {
  return faults.map((fault) => ({ ...fault, slice: { kind: 'warm-up', number } }));
}

async function warmUpSlice(
  { world, arms }: RunningPair,
  task: PlannedTask,
  sides: readonly Side[],
): Promise<ObservedSlice> {
  const load = loadOf({ ...task, rate: undefined }, SLICE_SECONDS, sides.length === 1 ? 1 : 2);
  const faults: Fault[] = [];
  const idle = SIDES.filter((side) => !sides.includes(side));
  const idleWatches = idle.map((side) => watchIdle(world, arms[side]));
  const samples = sides.map(async (side): Promise<[Side, WarmUpSample]> => {
    const { pid } = arms[side].server.child;
    const threadsBefore = readAllThreads(pid);
    const beforeMs = world.nowMs();
    const { loaded, faults: found } = await loadUntilResting(world, arms[side], load);
    faults.push(...found);
    const watchedMs = world.nowMs() - beforeMs;
    const compilerNs = compilerNsBetween(threadsBefore, readAllThreads(pid));
    return [side, { ...loaded, watchedMs, compilerNs }];
  });
  const slice: SampledSlice = Object.fromEntries(await allEnded(samples));
  for (const endWatch of idleWatches) endWatch();
  return { slice, faults };
}

/** Returns the slices in which each server was alone, of those that need one. */
async function warmUpEachAlone(
  running: RunningPair,
  slices: readonly SampledSlice[],
): Promise<ObservedSlice[]> {
  const alone: ObservedSlice[] = [];
  for (const side of SIDES) alone.push(...(await warmUpAlone(running, side, slices)));
  return alone;
}

/**
 * Gives a server whose compiler can't be seen, as on Node, a second under the whole load: its first
 * one takes 7 to 19 % more CPU. The server is asked meanwhile, too: V8 takes optimized code away at
 * an unusual request, and so does not do it when the server is asked while it is measured.
 * @returns that second, if there was one
 */
async function warmUpAlone(
  running: RunningPair,
  side: Side,
  slices: readonly SampledSlice[],
): Promise<ObservedSlice[]> {
  const { world, pair, arms } = running;
  const { task } = pair.row;
  const last = warmUpSamples(side, slices).at(-1);
  if (last?.compilerNs !== null || isHopeless(arms, slices)) return [];
  const [observed, wrongAnswers] = await allEnded([
    warmUpSlice(running, task, [side]),
    checkWhileBusy(world, arms[side], sentIn(task)),
  ]);
  const number = warmUpSamples(side, slices).length + 1;
  const faults = atSlice([...wrongAnswers, ...observed.faults], number);
  return [{ ...observed, faults }];
}
