import { sum } from 'simple-statistics';
import { fileLimit, isLimit } from '../load/limits.ts';
import { type CpuClock, cpuTimeBetween, watchGroup } from '../machine/cpu-time.ts';
import { coresOf } from '../machine/pinning.ts';
import { ifThere } from '../machine/read.ts';
import type { Plan, TaskLoad } from '../plan.ts';
import { type Fault, faultOf, type Loaded, type Side } from '../result/schema.ts';
import { watchServices } from '../server/services.ts';
import { atOnce, type Both, forBoth, inTurn, otherSide, SIDES } from './sides.ts';
import type { Started } from './starts.ts';

/** The fault of a server without an answer in a slice: none follows. */
const NO_ANSWER = 'no request was answered';
export const isSilent = (faults: Fault[]) => faults.some(({ what }) => what === NO_ANSWER);

/** Below this part of the requests asked for, and above this part of its cores for the load tool, a rate is not held. */
const MIN_ANSWERED = 0.99;
const MAX_TOOL_SHARE = 0.9;

/** A server that takes less than this part of a core has done all that its load left behind, such as spans to be sent. */
const RESTING_SHARE = 0.05;
const LOOK_EVERY_MS = 20;
const REST_WITHIN_MS = 3_000;
/** As many tell what a server does without requests; with more than this part of a core, it still has work to do. */
const LAST_LOOKS = 25;
const BACKLOG_SHARE = 0.5;

/** One server under the whole load and then the other, the idle one alive. */
export async function alternatingSlice(
  plan: Plan,
  servers: Both<Started>,
  load: TaskLoad,
  first: Side,
  whileBusy: (side: Side) => Promise<void>,
) {
  const runs = await inTurn(first, async (side) => {
    const idle = watchGroup(plan.clock, servers[otherSide(side)].server.child.pid, plan.rig.readGroup);
    const [run] = await Promise.all([underLoad(plan, servers[side], load), whileBusy(side)]);
    // The idle one, which may still send what it has, is none of the others on the core; nor is what was asked by nobody.
    if (run.cores) run.cores.server.busyNs -= (idle().ns ?? 0) + run.unaskedNs;
    return run;
  });
  const late = lateness(plan, load, [[runs.baseline.loaded], [runs.scenario.loaded]]);
  return seenOf(runs, { cores: forBoth((side) => runs[side].cores), late });
}

/**
 * Both servers under load at once, so that what disturbs the machine disturbs both. The load on `first` starts a moment
 * earlier: at a steady rate that server pays for more of the wake-ups.
 */
export async function duetSlice(plan: Plan, servers: Both<Started>, load: TaskLoad, first: Side) {
  const cores = plan.rig.watchCores(plan.pinning);
  const runs = await atOnce(first, (side) => underLoad(plan, servers[side], load));
  const late = lateness(plan, load, [[runs.baseline.loaded, runs.scenario.loaded]]);
  const used = cores();
  if (used) used.server.busyNs -= sum(SIDES.map((side) => runs[side].unaskedNs));
  return seenOf(runs, { cores: used, late });
}

/** What was seen of both, and why it is not to be believed. */
function seenOf<More>(runs: Both<Awaited<ReturnType<typeof underLoad>>>, more: More) {
  const faults = SIDES.flatMap((side) => runs[side].faults);
  return { slice: { ...forBoth((side) => runs[side].loaded), ...more }, faults };
}

/**
 * One run of the load tool, the CPU time that the server's processes used from then until they rest, what of that time was
 * for no request, what was used of the cores, and what went wrong. What a server puts off until the load has ended is of
 * these requests, and would slow down the other server.
 */
export async function underLoad(plan: Plan, started: Started, load: TaskLoad) {
  const { clock, tool, pinning, rig } = plan;
  const { server, sink } = started;
  // Not a number without a sink, or if it has ended.
  const readSinkNs = () => ifThere(() => sink && clock?.readNs(sink.child.pid)) ?? Number.NaN;
  const cores = rig.watchCores(pinning);
  const used = watchGroup(clock, server.child.pid, rig.readGroup);
  const usedByServices = watchServices(clock);
  const sinkBeforeNs = readSinkNs();
  const answered = await rig.runLoad(tool, { ...load, origin: server.origin }, pinning);
  // While the server comes to rest, the load tool's cores may work for its sink.
  const loadedCores = cores();
  const unaskedNs = clock ? await untilResting(clock, server.child.pid, rig) : 0;
  const { ns, lost } = used();
  const usedCores = cores();
  const sinkNs = readSinkNs() - sinkBeforeNs;
  const servicesCpuNs = usedByServices();
  const loaded = {
    ...answered,
    cpuNs: ns === undefined ? null : ns - unaskedNs,
    sinkCpuNs: Number.isNaN(sinkNs) ? null : sinkNs,
    ...(servicesCpuNs > 0 && { servicesCpuNs }),
  };
  const ofCores = usedCores && loadedCores && { ...usedCores, tool: loadedCores.tool };
  return { loaded, unaskedNs, cores: ofCores, faults: faultsOf(plan, started, load, answered, lost) };
}

/** What went wrong; `lost` names processes whose CPU time nobody knows. The first is the one that tables show. */
function faultsOf(
  { rig }: Plan,
  { planned, server }: Started,
  { connections }: TaskLoad,
  { requests, errors }: Pick<Loaded, 'requests' | 'errors'>,
  lost: string | undefined,
): Fault[] {
  const { child, pid } = server;
  const faults: Fault[] = [];
  const add = (what: string, detail = '', count = 1) => faults.push(faultOf(what, detail, planned.name, count));
  const { ending } = child;
  if (ending) add('the server ended', ending);
  else if (lost) add('a process ended', `the CPU time of ${lost} is lost`);
  for (const stray of rig.adopt(child.pid))
    add('a process was not counted', `nothing tells which server started ${stray.name} (process ${stray.pid})`);
  const tooFew = errors.length > 0 && fileLimit(pid, connections);
  if (tooFew) add('a limit was reached', tooFew);
  for (const { detail, count } of errors.filter((each) => isLimit(each.detail)))
    add('a limit was reached', detail, count);
  if (requests === 0) add(NO_ANSWER, errors[0]?.detail);
  for (const { detail, count } of errors.filter((each) => !isLimit(each.detail))) add('requests failed', detail, count);
  return faults;
}

/**
 * Waits until a server rests, at most 3 s. Returns the CPU time in ns that it used meanwhile for no request: one that still
 * works a little then does so without requests, and one that works much has not come to its end.
 */
async function untilResting(clock: CpuClock, pid: number, rig: Plan['rig']): Promise<number> {
  const looks: Look[] = [];
  let [before, beforeMs] = [rig.readGroup(clock, pid), rig.nowMs()];
  const startedMs = beforeMs;
  while (beforeMs - startedMs < REST_WITHIN_MS) {
    await rig.sleep(LOOK_EVERY_MS);
    const [after, afterMs] = [rig.readGroup(clock, pid), rig.nowMs()];
    // To look takes time, too, if many processes run here.
    const look = { ns: cpuTimeBetween(before, after).ns ?? 0, ms: afterMs - beforeMs };
    if (coreShare([look]) < RESTING_SHARE) return 0;
    looks.push(look);
    [before, beforeMs] = [after, afterMs];
  }
  const share = coreShare(looks.slice(-LAST_LOOKS));
  return share < BACKLOG_SHARE ? share * (beforeMs - startedMs) * 1e6 : 0;
}

/** CPU time that a server used within a time. */
type Look = { ns: number; ms: number };

const coreShare = (looks: Look[]) => sum(looks.map(({ ns }) => ns)) / 1e6 / sum(looks.map(({ ms }) => ms));

/** Why a rate was not held: too few answers, or a tool without time left. `runs`: those at the same time together. */
function lateness({ pinning }: Plan, { rate, durationSeconds }: TaskLoad, runs: Loaded[][]): string | null {
  if (!rate) return null;
  const asked = rate * durationSeconds;
  const reasons = runs.flatMap((group) => {
    const toolShare = sum(group.map(({ toolCpuNs }) => toolCpuNs)) / 1e9 / durationSeconds / coresOf(pinning);
    if (toolShare >= MAX_TOOL_SHARE) return ['the load tool used 90 % of its cores or more'];
    const isFew = ({ requests, underWay }: Loaded) => requests + underWay < Math.floor(MIN_ANSWERED * asked);
    return group.filter(isFew).map(({ requests }) => `${requests} of ${asked} requests were answered`);
  });
  return reasons.length > 0 ? reasons.join(', ') : null;
}
