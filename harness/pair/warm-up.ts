import { mean, sum } from 'simple-statistics';
import { compilerNsBetween, readThreads } from '../machine/threads.ts';
import type { Plan } from '../plan.ts';
import type { Loaded, Side } from '../result/schema.ts';
import type { PlannedTask } from '../suite/planned.ts';
import { RIG } from './rig.ts';
import { type Both, forBoth, loadOf, SIDES } from './sides.ts';
import { duetSlice } from './slices.ts';
import type { Started } from './starts.ts';

/** The first slice holds the start; two more show whether the cost still falls. */
const MIN_SLICES = 3;
/** How much the cost of a steady server may fall from one slice to the next. */
const STEADY_WITHIN = 0.03;
/** What the compiler threads of a steady server may take of its CPU time. */
const COMPILER_SHARE = 0.005;
/** A function is compiled after so many calls. While a slow server gets there, its compiler may rest for seconds. */
const REST_ANSWERS = 3_000;
/** A server that takes longer for that many answers need not rest longer. */
const MAX_REST_SLICES = 10;
/** What the average of a slice needs. */
const MIN_ANSWERS = 200;
/** A server that takes longer for that many answers is measured on fewer. */
const MAX_SLICE_SECONDS = 30;

/** Answers, CPU per request (null if nothing tells), and the compiler threads' share of the server's CPU time. */
export type WarmUpSlice = ReturnType<typeof warmUpSlice>;

/**
 * Loads both servers at once until both are steady, or the configured time is up. A slow server comes to its hot code
 * late, so its suite may name a task of short requests that come first. Errors don't count: the measurement has them.
 * Returns whether both are steady, how long a slice must last for some 200 answers, how many requests each answered, and
 * in how many slices.
 */
export async function warmUp(plan: Plan, task: PlannedTask, servers: Both<Started>, rig = RIG) {
  const { warmupSeconds, sliceSeconds } = plan.header.configuration;
  const short = task.warmUp.length > 0 && { ...task, exchanges: task.warmUp };
  const first = short ? await loadUntilSteady(plan, short, servers, Math.floor(warmupSeconds / 2), rig) : undefined;
  const own = await loadUntilSteady(plan, task, servers, warmupSeconds - (first?.seconds ?? 0), rig);
  return {
    isSteady: own.isSteady,
    sliceSeconds: sliceSecondsFor(own.slowestRate, sliceSeconds),
    requests: forBoth((side) => own.requests[side] + (first?.requests[side] ?? 0)),
    slices: own.seconds + (first?.seconds ?? 0),
  };
}

/** In slices of 1 s. `slowestRate`: of the slower server, in answers a second. */
async function loadUntilSteady(plan: Plan, task: PlannedTask, servers: Both<Started>, maxSeconds: number, rig = RIG) {
  // At whatever rate the task is measured: the more requests, the sooner the servers are steady.
  const load = loadOf({ ...task, rate: null }, 1, 2);
  const threadsOf = (side: Side) => readThreads(servers[side].server.pid);
  const slices = forBoth((): WarmUpSlice[] => []);
  const isDone = () => SIDES.every((side) => isSteady(slices[side]));
  const hasEnded = () => SIDES.some((side) => servers[side].server.child.exit);
  let slowestRate = Number.POSITIVE_INFINITY;
  while (slices.baseline.length < maxSeconds && !isDone() && !hasEnded()) {
    const before = forBoth(threadsOf);
    const slice = await duetSlice(plan, servers, load, 'baseline', rig);
    const after = forBoth(threadsOf);
    for (const side of SIDES) slices[side].push(warmUpSlice(slice[side], compilerNsBetween(before[side], after[side])));
    slowestRate = Math.min(rate(slice.baseline), rate(slice.scenario));
  }
  const requests = forBoth((side) => sum(slices[side].map((slice) => slice.requests)));
  return { isSteady: isDone(), seconds: slices.baseline.length, slowestRate, requests };
}

/**
 * Whether a server is steady: its CPU per request has stopped falling, and its compiler threads rested during the last
 * 3,000 answers. What the system does not tell does not count.
 */
export function isSteady(slices: WarmUpSlice[]): boolean {
  const [last, before] = slices.toReversed();
  if (slices.length < MIN_SLICES || !last || !before) return false;
  const hasStopped = last.cpuUs === null || before.cpuUs === null || last.cpuUs >= before.cpuUs * (1 - STEADY_WITHIN);
  const count = Math.min(Math.ceil(REST_ANSWERS / last.requests), MAX_REST_SLICES);
  const shares = slices.slice(-count).map(({ compilerShare }) => compilerShare);
  return hasStopped && shares.length === count && mean(shares) <= COMPILER_SHARE;
}

/** Seconds of a slice in which a server with this rate, in answers a second, gives some 200; at least those asked for. */
export function sliceSecondsFor(rate: number, askedSeconds: number): number {
  const needed = rate > 0 ? Math.ceil(MIN_ANSWERS / rate) : MAX_SLICE_SECONDS;
  return Math.max(askedSeconds, Math.min(needed, MAX_SLICE_SECONDS));
}

function warmUpSlice({ cpuNs, requests }: Loaded, compilerNs: number) {
  return {
    requests,
    cpuUs: cpuNs !== null && requests > 0 ? cpuNs / requests / 1_000 : null,
    compilerShare: cpuNs ? compilerNs / cpuNs : 0,
  };
}

/** In answers a second. A server that gives errors alone, or has ended, needs no longer slices. */
function rate({ requests, seconds, errors }: Loaded): number {
  if (requests === 0 && errors.length > 0) return Number.POSITIVE_INFINITY;
  return seconds > 0 ? requests / seconds : 0;
}
