import { sum } from 'simple-statistics';
import { fileLimit, isLimit } from '../load/limits.ts';
import { type CpuClock, cpuTimeBetween, watchCores } from '../machine/cpu-time.ts';
import { coresOf } from '../machine/pinning.ts';
import { ifThere } from '../machine/read.ts';
import type { Plan } from '../plan.ts';
import type { Fault, Loaded, Side } from '../result/schema.ts';
import { servicesNs } from '../server/services.ts';
import { RIG } from './rig.ts';
import { atOnce, type Both, forBoth, inTurn, SIDES, type TaskLoad } from './sides.ts';
import type { Started } from './starts.ts';

/** The fault of a server without an answer in a slice. */
export const NO_ANSWER = 'no request was answered';

/** Below this part of the requests asked for, and above this part of its cores for the load tool, a rate is not held. */
const MIN_ANSWERED = 0.99;
const MAX_TOOL_SHARE = 0.9;

/** A server that takes less than this part of a core has done all that its load left behind, such as spans to be sent. */
const RESTING_SHARE = 0.05;
const LOOK_EVERY_MS = 20;
const MAX_LOOKS = 150;

/** One server under the whole load and then the other, the idle one alive. `meanwhile`: what else goes wrong. */
export async function alternatingSlice(
  plan: Plan,
  servers: Both<Started>,
  load: TaskLoad,
  first: Side,
  rig = RIG,
  meanwhile = async (_: Side): Promise<Fault[]> => [],
) {
  const runs = await inTurn(first, async (side) => {
    const cores = watchCores(plan.pinning);
    const [run, seen] = await Promise.all([underLoad(plan, servers[side], load, rig), meanwhile(side)]);
    return { ...run, faults: [...run.faults, ...seen], cores: cores() };
  });
  const late = lateness(plan, load, [[runs.baseline.loaded], [runs.scenario.loaded]]);
  return seenOf(runs, { cores: forBoth((side) => runs[side].cores), late });
}

/**
 * Both servers under load at once, so that what disturbs the machine disturbs both. The load on `first` starts a moment
 * earlier: at a steady rate that server pays for more of the wake-ups.
 */
export async function duetSlice(plan: Plan, servers: Both<Started>, load: TaskLoad, first: Side, rig = RIG) {
  const cores = watchCores(plan.pinning);
  const runs = await atOnce(first, (side) => underLoad(plan, servers[side], load, rig));
  const late = lateness(plan, load, [[runs.baseline.loaded, runs.scenario.loaded]]);
  return seenOf(runs, { cores: cores(), late });
}

/** What was seen of both, and why it is not to be believed. */
function seenOf<More>(runs: Both<Awaited<ReturnType<typeof underLoad>>>, more: More) {
  const faults = SIDES.flatMap((side) => runs[side].faults);
  return { slice: { ...forBoth((side) => runs[side].loaded), ...more }, faults };
}

/**
 * One run of the load tool, the CPU time that the server's processes used from then until they rest, and what went wrong.
 * What a server puts off until the load has ended is of these requests, and would slow down the other server.
 */
export async function underLoad(plan: Plan, { planned, server, sink }: Started, load: TaskLoad, rig = RIG) {
  const { clock, tool, pinning } = plan;
  const { child, origin } = server;
  const read = () =>
    clock && {
      group: rig.readGroup(clock, child.pid),
      // Not a number without a sink, or if it has ended.
      sinkNs: ifThere(() => sink && clock.readNs(sink.child.pid)) ?? Number.NaN,
      servicesNs: servicesNs(clock),
    };
  const before = read();
  const answered = await rig.runLoad(tool, { ...load, origin }, pinning);
  if (clock) await resting(clock, child.pid, rig);
  const after = read();
  const used = before && after && cpuTimeBetween(before.group, after.group);
  const sinkNs = Number(after?.sinkNs) - Number(before?.sinkNs);
  const servicesCpuNs = Number(after?.servicesNs) - Number(before?.servicesNs);
  const strays = rig.adopt(child.pid);
  const sinkCpuNs = Number.isNaN(sinkNs) ? null : sinkNs;
  const loaded = { ...answered, cpuNs: used?.ns ?? null, sinkCpuNs, ...(servicesCpuNs > 0 && { servicesCpuNs }) };
  const faults: Fault[] = [];
  const add = (what: string, detail = '', count = 1) =>
    faults.push({ what, detail, count, scenario: planned.name, slice: null });
  // The first is the one that tables show.
  if (child.exit) add('the server ended', `with ${child.exit.how}; it said: ${child.complaint() || 'nothing'}`);
  else if (used?.lost) add('a process ended', `the CPU time of ${used.lost} is lost`);
  for (const { name, pid } of strays)
    add('a process was not counted', `nothing tells which server started ${name} (process ${pid})`);
  const tooFew = answered.errors.length > 0 && fileLimit(server.pid, load.connections);
  if (tooFew) add('a limit was reached', tooFew);
  if (answered.requests === 0) add(NO_ANSWER, answered.errors[0]?.detail);
  for (const { detail, count } of answered.errors)
    add(isLimit(detail) ? 'a limit was reached' : 'requests failed', detail, count);
  return { loaded, faults };
}

/** Waits until a server rests, at most 3 s: one that works without requests never does. */
async function resting(clock: CpuClock, pid: number, rig: typeof RIG): Promise<void> {
  let before = rig.readGroup(clock, pid);
  for (let looks = 0; looks < MAX_LOOKS; looks++) {
    await rig.sleep(LOOK_EVERY_MS);
    const after = rig.readGroup(clock, pid);
    const { ns = 0 } = cpuTimeBetween(before, after);
    if (ns < RESTING_SHARE * LOOK_EVERY_MS * 1e6) return;
    before = after;
  }
}

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
