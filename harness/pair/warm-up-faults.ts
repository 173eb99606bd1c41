import type { Fault } from '../result/faults.ts';
import type { Arm, Arms } from './arms.ts';
import { SIDES } from './sides.ts';
import { type SampledSlice, type WarmUpSample, warmUpSamples } from './steadiness.ts';

/*
 * What goes wrong in a warm-up, and whether it will go on to do so: then the pair ends with it.
 */

/** A server that answers nothing for so many slices will not answer. */
const MAX_SILENT_SLICES = 10;
/** A load tool, or its host, may fail once, and so may a server that is not warm yet. */
const MAX_SLICES_WITH_ERRORS = 2;
/** What the slices after the warm-up would show, too. */
const LASTING_FAULTS: ReadonlySet<Fault['kind']> = new Set([
  'server-ended',
  'out-of-memory',
  'load-tool-failed',
  'limit-reached',
  'no-answer',
  'answer-missing',
  'requests-failed',
  'connections-closed',
]);

/** A slice of the warm-up, and what went wrong in it. */
export interface ObservedSlice {
  slice: SampledSlice;
  faults: Fault[];
}

/** Returns every slice, those with faults too, but not what went wrong in it. */
export function sampledSlicesOf(observed: readonly ObservedSlice[]): SampledSlice[] {
  return observed.map(({ slice }) => slice);
}

/**
 * Returns the faults of the last slices if they made the warm-up end: a server has ended, or
 * requests fail in one slice after the other. A server that is silent without an error may answer
 * in a longer slice.
 */
export function faultsThatStay(arms: Arms, observed: readonly ObservedSlice[]): Fault[] {
  const slices = sampledSlicesOf(observed);
  const failing = SIDES.filter(
    (side) => isFailing(warmUpSamples(side, slices)) || hasEnded(arms[side]),
  );
  const names = failing.map((side) => arms[side].planned.name);
  // The last slice may have been of the other server alone.
  const last = observed.slice(-MAX_SLICES_WITH_ERRORS).flatMap(({ faults }) => faults);
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

/** Returns whether further load makes no sense: a server has ended, or gives no right answer. */
export function isHopeless(arms: Arms, slices: readonly SampledSlice[]): boolean {
  return SIDES.some((side) => {
    const samples = warmUpSamples(side, slices);
    const isSilent = endsWith(samples, MAX_SILENT_SLICES, ({ requests }) => requests === 0);
    return isSilent || isFailing(samples) || hasEnded(arms[side]);
  });
}

/** Returns whether requests failed in the last slices, one after the other. */
function isFailing(samples: readonly WarmUpSample[]): boolean {
  return endsWith(samples, MAX_SLICES_WITH_ERRORS, ({ errors }) => errors.length > 0);
}

/** Returns whether the last samples, so many of them, are all like that. */
function endsWith(
  samples: readonly WarmUpSample[],
  count: number,
  isLikeThat: (sample: WarmUpSample) => boolean,
): boolean {
  return samples.length >= count && samples.slice(-count).every(isLikeThat);
}

/** Returns whether a server has ended, or gave errors alone in its last slice. */
export function answersNoMore(arm: Arm, samples: readonly WarmUpSample[]): boolean {
  const last = samples.at(-1);
  return hasEnded(arm) || (last !== undefined && hasErrorsAlone(last));
}

function hasErrorsAlone({ requests, errors }: WarmUpSample): boolean {
  return requests === 0 && errors.length > 0;
}

function hasEnded({ server }: Arm): boolean {
  return server.child.exit !== undefined;
}
