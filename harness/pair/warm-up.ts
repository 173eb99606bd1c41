import { mean, sum } from 'simple-statistics';
import { compilerNsBetween, readAllThreads } from '../machine/cpu-time.ts';
import { loadOf, type Plan } from '../plan/plan.ts';
import type { PlannedTask } from '../plan/planned-server.ts';
import type { Loaded, Side } from '../result/schema.ts';
import { sentIn } from '../suite/select.ts';
import { wrongWhileBusy } from './answers.ts';
import { allEnded, type Both, SIDES } from './sides.ts';
import { underLoad } from './slices.ts';
import type { Started } from './starts.ts';

/** The first slice holds the start; two more show whether the ratio still moves. */
const MIN_SLICES = 3;
/** By how much the ratio of two steady servers may have moved, in one direction, over three slices. */
const STEADY_WITHIN = 0.02;
/** A server that answers nothing for so long will not; a load tool, or its host, may fail once. */
const MAX_SILENT_SLICES = 10;
const MAX_FAILED_SLICES = 2;
/** What the compiler threads of a steady server may take of its CPU time. */
const COMPILER_SHARE = 0.02;
/** A function is compiled after so many calls. While a slow server gets there, its compiler may rest for seconds. */
const REST_ANSWERS = 3_000;
/**
 * A server that takes longer for that many answers need not rest longer. One whose compiler can't be told from the rest, as
 * on Node, must have had as many slices: after three, requests of traced servers still took up to 60 % more.
 */
const MAX_REST_SLICES = 10;
/** What the average of a slice needs. */
const MIN_ANSWERS = 200;
/** A server that takes longer for that many answers is measured on fewer. */
const MAX_SLICE_SECONDS = 30;

/** What was seen of one server in a slice, and the CPU time of its compiler threads; null if it shows none. */
type Warming = Pick<Loaded, 'requests' | 'seconds' | 'errors' | 'cpuNs'> & {
  compilerNs: number | null;
};

/** Of both servers, or of the one that warms up alone. */
type WarmUpSlice = Partial<Both<Warming>>;

/**
 * Loads both servers at once until the pair is steady, or the configured time is up. If only one of them still compiles, it
 * has the whole load and the core to itself. A slow server comes to its hot code late, so its suite may name a task of short
 * requests that come first. Errors don't count: the measurement has them. `sliceSeconds`: for some 200 answers in each.
 */
export async function warmUp(plan: Plan, task: PlannedTask, servers: Both<Started>) {
  const { warmupSeconds, sliceSeconds } = plan.header.configuration;
  const shortSeconds = task.warmUp.length > 0 ? Math.floor(warmupSeconds / 2) : 0;
  const first = await slicesUntilSteady(
    plan,
    { ...task, exchanges: task.warmUp },
    servers,
    shortSeconds,
  );
  const own = await slicesUntilSteady(plan, task, servers, warmupSeconds - first.length);
  // What fails needs no longer slices. What is silent without an error may be slower than a slice: some load tools leave
  // without their last answers.
  const hasFailed = (side: Side) =>
    servers[side].server.child.exit || of(side, own).slice(-1).some(isFailed);
  const slowestRate = SIDES.some(hasFailed) ? Number.POSITIVE_INFINITY : slowestRateIn(own);
  // What shows no compiler, as Node, is slower in its first second under the whole load: by 7 to 19 %. It is asked, too: V8
  // then takes code away, and not when it is asked while it is measured.
  for (const side of SIDES)
    if (of(side, own).at(-1)?.compilerNs === null && !isOver(own, servers))
      await allEnded([
        warmUpSlice(plan, task, servers, [side]),
        wrongWhileBusy(plan, servers[side], sentIn(task)),
      ]);
  return {
    isSteady: isSteady(own),
    sliceSeconds: sliceSecondsFor(Math.min(slowestRate, task.rate ?? slowestRate), sliceSeconds),
    slices: first.length + own.length,
  };
}

async function slicesUntilSteady(
  plan: Plan,
  task: PlannedTask,
  servers: Both<Started>,
  most: number,
) {
  const slices: WarmUpSlice[] = [];
  while (slices.length < most && !isSteady(slices) && !isOver(slices, servers)) {
    const compiling = SIDES.filter((side) => !isAtRest(of(side, slices)));
    slices.push(await warmUpSlice(plan, task, servers, compiling.length === 1 ? compiling : SIDES));
  }
  return slices;
}

/** A second under load, at whatever rate the task is measured: the more requests, the sooner servers are steady. */
async function warmUpSlice(
  plan: Plan,
  task: PlannedTask,
  servers: Both<Started>,
  sides: readonly Side[],
): Promise<WarmUpSlice> {
  const load = loadOf({ ...task, rate: undefined }, 1, sides.length === 1 ? 1 : 2);
  const measured = sides.map(async (side) => {
    const { pid } = servers[side].server.child;
    const before = readAllThreads(pid);
    const { loaded } = await underLoad(plan, servers[side], load);
    return [
      side,
      { ...loaded, compilerNs: compilerNsBetween(before, readAllThreads(pid)) },
    ] as const;
  });
  return Object.fromEntries(await allEnded(measured));
}

/** Whether loading them on makes no sense: one has ended, or answers nothing. A load tool that gives up took long for it. */
function isOver(slices: WarmUpSlice[], servers: Both<Started>): boolean {
  return SIDES.some((side) => {
    const all = of(side, slices);
    const isSo = (most: number, what: (slice: Warming) => boolean) =>
      all.length >= most && all.slice(-most).every(what);
    const isSilent =
      isSo(MAX_SILENT_SLICES, ({ requests }) => requests === 0) ||
      isSo(MAX_FAILED_SLICES, isFailed);
    return isSilent || servers[side].server.child.exit !== undefined;
  });
}

const isFailed = ({ requests, errors }: Warming) => requests === 0 && errors.length > 0;

/** Of the slower server in its last slice, when it is warm, in answers a second. */
export function slowestRateIn(slices: WarmUpSlice[]): number {
  // What failed in that slice says nothing of the server.
  const last = SIDES.flatMap((side) => {
    const own = of(side, slices);
    return own.findLast(({ requests }) => requests > 0) ?? own.at(-1) ?? [];
  });
  return Math.min(...last.map(({ requests, seconds }) => requests / seconds));
}

function of(side: Side, slices: WarmUpSlice[]): Warming[] {
  return slices.flatMap((slice) => slice[side] ?? []);
}

function isDuet(slice: WarmUpSlice): slice is Both<Warming> {
  return SIDES.every((side) => slice[side]);
}

/**
 * Whether the ratio of the CPU per request under load at once, which no disturbance of both changes, has stopped moving, and
 * the compiler threads of both rested during the last 3,000 answers. A cost that nothing tells does not count.
 */
export function isSteady(slices: WarmUpSlice[]): boolean {
  const duets = slices.filter(isDuet);
  // The ratio of a pair of which one was alone since is an old one.
  if (duets.length < MIN_SLICES || duets.at(-1) !== slices.at(-1)) return false;
  const ratios = duets
    .slice(-MIN_SLICES)
    .map(({ baseline, scenario }) => costOf(scenario) / costOf(baseline) || 1);
  const steps = ratios.slice(1).map((ratio, at) => ratio / (ratios[at] as number) - 1);
  const isMoving =
    Math.abs(sum(steps.map(Math.sign))) === steps.length && Math.abs(sum(steps)) > STEADY_WITHIN;
  return !isMoving && SIDES.every((side) => isAtRest(of(side, slices)));
}

/** CPU per request; not a number if nothing tells. */
const costOf = ({ cpuNs, requests }: Warming) => (cpuNs ?? Number.NaN) / requests;

function isAtRest(slices: Warming[]): boolean {
  const { requests = 0, compilerNs = null } = slices.at(-1) ?? {};
  const needed = compilerNs === null ? MAX_REST_SLICES : Math.ceil(REST_ANSWERS / requests);
  const count = Math.min(needed, MAX_REST_SLICES);
  const shares = slices
    .slice(-count)
    .map(({ compilerNs, cpuNs }) => (compilerNs && cpuNs ? compilerNs / cpuNs : 0));
  return shares.length === count && mean(shares) <= COMPILER_SHARE;
}

/** Seconds of a slice in which a server with this rate, in answers a second, gives some 200; at least those asked for. */
export function sliceSecondsFor(rate: number, askedSeconds: number): number {
  const needed = rate > 0 ? Math.ceil(MIN_ANSWERS / rate) : MAX_SLICE_SECONDS;
  return Math.max(askedSeconds, Math.min(needed, MAX_SLICE_SECONDS));
}
