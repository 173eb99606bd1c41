import { mean, sum } from 'simple-statistics';
import type { Loaded, Side } from '../result/schema.ts';
import { type Both, SIDES } from './sides.ts';

/** The first slice holds the start; two more show whether the ratio still moves. */
const MIN_SLICES = 3;
/**
 * By how much the ratio of two steady servers may have moved, in one direction, over three slices.
 */
const MAX_RATIO_DRIFT = 0.02;
/** The share of its CPU time that the compiler threads of a steady server may take. */
const MAX_COMPILER_SHARE = 0.02;
/**
 * A function is compiled after so many calls. While a slow server gets there, its compiler may rest
 * for seconds.
 */
const ANSWERS_AT_REST = 3_000;
/**
 * A server that takes longer for that many answers need not rest longer. One whose compiler can't
 * be told from the rest, as on Node, must have had as many slices: after three, requests of traced
 * servers still took up to 60 % more.
 */
const MAX_SLICES_AT_REST = 10;

/** What tells the CPU of a request. */
type CpuSample = Pick<Loaded, 'cpuNs' | 'requests'>;

/** What one server did in a slice of the warm-up. */
export interface WarmUpSample {
  requests: number;
  /** Requests that were sent and not yet answered at the end. */
  underWay: number;
  seconds: number;
  /** How long its CPU was watched: the load, its start, and until the server rested. */
  watchedMs: number;
  errors: Loaded['errors'];
  cpuNs: number | null;
  /** CPU time of its compiler threads; null if its runtime shows none. */
  compilerNs: number | null;
}

/** A slice of the warm-up: of both servers, or of the one that warms up alone. */
export type SampledSlice = Partial<Both<WarmUpSample>>;

/** Returns the samples of one side, in their order. */
export function warmUpSamples(side: Side, slices: readonly SampledSlice[]): WarmUpSample[] {
  return slices.flatMap((slice) => slice[side] ?? []);
}

/**
 * Returns whether the ratio of both servers' CPU per request has stopped moving, and the compilers
 * of both rested during the last 3,000 answers. Nothing that disturbs both servers alike changes
 * the ratio. A cost that no clock tells does not count.
 */
export function isSteady(slices: readonly SampledSlice[]): boolean {
  const duets = slices.filter(hasBothSides);
  const lastDuet = duets.at(-1);
  // If one of the servers was alone since then, the ratio is an old one.
  if (duets.length < MIN_SLICES || lastDuet !== slices.at(-1)) return false;
  const ratios = duets.slice(-MIN_SLICES).map((slice) => cpuRatio(slice) || 1);
  return (
    !isDrifting(ratios) && SIDES.every((side) => isCompilerAtRest(warmUpSamples(side, slices)))
  );
}

function hasBothSides(slice: SampledSlice): slice is Both<WarmUpSample> {
  return SIDES.every((side) => slice[side] !== undefined);
}

/**
 * Returns how many times the baseline's CPU per request the scenario takes, in the mean of the last
 * slices with both; null if there is none, or no clock.
 */
export function lastCpuRatio(slices: readonly SampledSlice[]): number | null {
  const ratios = slices.filter(hasBothSides).slice(-MIN_SLICES).map(cpuRatio);
  const known = ratios.filter(Number.isFinite);
  return known.length > 0 ? mean(known) : null;
}

/**
 * Returns how many times the baseline's CPU per request the scenario takes; NaN if no clock tells.
 */
export function cpuRatio({ baseline, scenario }: Both<CpuSample>): number {
  return cpuPerRequest(scenario) / cpuPerRequest(baseline);
}

function cpuPerRequest({ cpuNs, requests }: CpuSample): number {
  return (cpuNs ?? Number.NaN) / requests;
}

/**
 * Returns whether all steps from one ratio to the next have one direction, and lead farther than
 * steady servers go.
 */
function isDrifting(ratios: readonly number[]): boolean {
  const steps = ratios.slice(1).map((ratio, index) => ratio / (ratios[index] as number) - 1);
  const haveOneDirection = Math.abs(sum(steps.map(Math.sign))) === steps.length;
  return haveOneDirection && Math.abs(sum(steps)) > MAX_RATIO_DRIFT;
}

/**
 * Returns whether the compiler threads of a server did next to nothing during the last 3,000
 * answers, or ten slices.
 */
export function isCompilerAtRest(samples: readonly WarmUpSample[]): boolean {
  const last = samples.at(-1);
  const slicesForAnswers = Math.ceil(ANSWERS_AT_REST / (last?.requests ?? 0));
  const isHidden = (last?.compilerNs ?? null) === null;
  const needed = isHidden ? MAX_SLICES_AT_REST : Math.min(slicesForAnswers, MAX_SLICES_AT_REST);
  const recent = samples.slice(-needed);
  return recent.length === needed && mean(recent.map(compilerShare)) <= MAX_COMPILER_SHARE;
}

function compilerShare({ compilerNs, cpuNs }: WarmUpSample): number {
  return compilerNs && cpuNs ? compilerNs / cpuNs : 0;
}
