import { compilerNsBetween, readAllThreads } from '../machine/threads.ts';
import type { PlannedTask } from '../plan/plan.ts';
import { loadOf } from '../plan/task-load.ts';
import type { Fault } from '../result/faults.ts';
import type { Pair, Side } from '../result/schema.ts';
import { sentIn } from '../suite/select.ts';
import { checkWhileBusy } from './answers.ts';
import type { Arm, Arms } from './arms.ts';
import { watchIdle } from './idle.ts';
import { allEnded, forBoth, SIDES } from './sides.ts';
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
/** A load tool, or its host, may fail once, and so may a server that is not warm yet. */
const MAX_FAILED_SLICES = 2;
/** What the slices after the warm-up would show, too. */
const LASTING_FAULTS: ReadonlySet<Fault['kind']> = new Set([
  'server-ended',
  'out-of-memory',
  'limit-reached',
  'no-answer',
  'requests-failed',
  'connections-closed',
]);
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
  /** Why further slices make no sense: the pair ends with them. */
  faults: Fault[];
}

/** A slice of the warm-up, and what went wrong in it. */
interface ObservedSlice {
  slice: WarmUpSlice;
  faults: Fault[];
}

/**
 * Loads both servers at once until the pair is steady, or the time is up. If only one of them still
 * compiles, that one has the whole load and the core to itself. A slow server comes to its hot code
 * late, so its suite may name a task of short requests that come first. Errors that stay end it: no
 * slice after it could have figures.
 */
export async function warmUp(
  world: World,
  task: PlannedTask,
  arms: Arms,
  { warmupSeconds, sliceSeconds }: WarmUpSettings,
): Promise<WarmUp> {
  const shortTask = { ...task, exchanges: task.warmUp };
  const shortSeconds = task.warmUp.length > 0 ? Math.floor(warmupSeconds / 2) : 0;
  const short = await slicesUntilSteady(world, shortTask, arms, shortSeconds);
  const shortSlices = slicesOf(short);
  const shortFaults = faultsThatStay(arms, short);
  const ownSeconds = shortFaults.length > 0 ? 0 : warmupSeconds - shortSlices.length;
  const own = await slicesUntilSteady(world, task, arms, ownSeconds);
  const ownSlices = slicesOf(own);
  const alone: ObservedSlice[] = [];
  for (const side of SIDES) alone.push(...(await warmUpAlone(world, task, arms, side, ownSlices)));
  const aloneSlices = slicesOf(alone);
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
    faults: [
      ...shortFaults,
      ...faultsThatStay(arms, own),
      ...alone.flatMap(({ faults }) => faults).filter(isWrongAnswer),
    ],
  };
}

function slicesOf(observed: readonly ObservedSlice[]): WarmUpSlice[] {
  return observed.map(({ slice }) => slice);
}

function isWrongAnswer({ kind }: Fault): boolean {
  return kind === 'wrong-answer-under-load';
}

/**
 * Returns the faults of the last slices if they made the warm-up end: a server has ended, or
 * requests fail in one slice after the other. A server that is silent without an error may answer
 * in a longer slice.
 */
function faultsThatStay(arms: Arms, observed: readonly ObservedSlice[]): Fault[] {
  const slices = slicesOf(observed);
  const failing = SIDES.filter(
    (side) => isFailing(samplesOf(side, slices)) || arms[side].server.child.exit !== undefined,
  );
  const names = failing.map((side) => arms[side].planned.name);
  // The last slice may have been of the other server alone.
  const last = observed.slice(-MAX_FAILED_SLICES).flatMap(({ faults }) => faults);
  const lasting = last.filter(({ kind }) => LASTING_FAULTS.has(kind));
  const ofThem = lasting.filter(({ scenario }) => names.includes(scenario ?? ''));
  return lastOfEachKind(ofThem);
}

/** Returns the last fault of each kind, server and detail, in their order. */
function lastOfEachKind(faults: readonly Fault[]): Fault[] {
  const byKind = new Map<string, Fault>();
  for (const fault of faults)
    byKind.set(JSON.stringify([fault.kind, fault.scenario, fault.detail]), fault);
  return [...byKind.values()];
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
): Promise<ObservedSlice[]> {
  const observed: ObservedSlice[] = [];
  const slices: WarmUpSlice[] = [];
  while (slices.length < maxSlices && !isSteady(slices) && !isHopeless(arms, slices)) {
    const compiling = SIDES.filter((side) => !isCompilerAtRest(samplesOf(side, slices)));
    const sides = compiling.length === 1 ? compiling : SIDES;
    const next = await warmUpSlice(world, task, arms, sides);
    slices.push(next.slice);
    observed.push({ ...next, faults: atSlice(next.faults, slices.length) });
  }
  return observed;
}

function atSlice(faults: readonly Fault[], number: number): Fault[] {
  return faults.map((fault) => ({ ...fault, slice: { kind: 'warm-up', number } }));
}

async function warmUpSlice(
  world: World,
  task: PlannedTask,
  arms: Arms,
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
  const slice: WarmUpSlice = Object.fromEntries(await allEnded(samples));
  for (const endWatch of idleWatches) endWatch();
  return { slice, faults };
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
): Promise<ObservedSlice[]> {
  const last = samplesOf(side, slices).at(-1);
  if (last?.compilerNs !== null || isHopeless(arms, slices)) return [];
  const [observed, wrongAnswers] = await allEnded([
    warmUpSlice(world, task, arms, [side]),
    checkWhileBusy(world, arms[side], sentIn(task)),
  ]);
  const number = samplesOf(side, slices).length + 1;
  const faults = atSlice([...wrongAnswers, ...observed.faults], number);
  return [{ ...observed, faults }];
}

/** Returns whether further load makes no sense: a server has ended, or gives no right answer. */
function isHopeless(arms: Arms, slices: readonly WarmUpSlice[]): boolean {
  return SIDES.some((side) => {
    const samples = samplesOf(side, slices);
    const isSilent = endsWith(samples, MAX_SILENT_SLICES, ({ requests }) => requests === 0);
    return isSilent || isFailing(samples) || arms[side].server.child.exit !== undefined;
  });
}

/** Returns whether requests failed in the last slices, one after the other. */
function isFailing(samples: readonly WarmUpSample[]): boolean {
  return endsWith(samples, MAX_FAILED_SLICES, ({ errors }) => errors.length > 0);
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
