import { mean, sum } from 'simple-statistics';
import { coresOf } from '../machine/pinning.ts';
import { loadOf, type Plan, type TaskLoad } from '../plan.ts';
import { type Fault, faultOf, type Loaded, type Side } from '../result/schema.ts';
import type { PlannedPair } from './order.ts';
import { allEnded, type Both, forBoth, otherSide, SIDES, sidesAt } from './sides.ts';
import type { Started } from './starts.ts';
import { isSilent, underLoad } from './under-load.ts';

/** Below this part of the requests asked for, and above this part of its cores for the load tool, a rate is not held. */
const MIN_ANSWERED = 0.99;
const MAX_TOOL_SHARE = 0.9;

/** Loads both in alternating slices, then in duet slices. Returns these, what was used meanwhile, and what went wrong. */
export async function measureSlices(
  plan: Plan,
  { row, loadedFirst }: PlannedPair,
  servers: Both<Started>,
  sliceSeconds: number,
) {
  const { alternatingSlices, duetSlices } = plan.header.configuration;
  const [memory, faults] = [[] as Both<number | null>[], [] as Fault[]];
  const pidOf = (side: Side) => servers[side].server.child.pid;
  /** Slices of one kind. A server that answers nothing costs no further seconds. */
  const seriesOf = async <Kind extends 'alternating' | 'duet', Slice extends { late: string | null }>(
    kind: Kind,
    length: number,
    measure: (order: [Side, Side]) => Promise<{ slice: Slice; faults: Fault[] }>,
  ) => {
    const slices: Slice[] = [];
    while (slices.length < length && !isSilent(faults)) {
      const seen = await measure(sidesAt(slices.length, loadedFirst));
      const number = slices.push(seen.slice);
      faults.push(...seen.faults.map((each) => ({ ...each, slice: { kind, number } })));
      // Once both are idle: to read it takes time of the core.
      memory.push(forBoth((side) => plan.rig.memoryBytes(pidOf(side))));
    }
    const why = slices[0]?.late;
    if (why && slices.every(({ late }) => late !== null)) faults.push(faultOf('rate not held', why));
    return slices;
  };
  for (const side of SIDES) await servers[side].server.probe.begin();
  const cpuBefore = forBoth((side) => plan.rig.cpuTimesUs(pidOf(side)));
  const whole = loadOf(row.task, sliceSeconds);
  const alternating = await seriesOf('alternating', alternatingSlices, (order) =>
    alternatingSlice(plan, servers, whole, order),
  );
  const half = loadOf(row.task, sliceSeconds, 2);
  const duets = await seriesOf('duet', duetSlices, (order) => duetSlice(plan, servers, half, order));
  const cpuUs = forBoth((side) => plan.rig.cpuTimesUs(pidOf(side), cpuBefore[side]));
  const usageOf = async (side: Side) => ({
    memoryBytes: meanOfKnown(memory.map((each) => each[side])),
    cpuUs: cpuUs[side],
    // A server that answers nothing would keep its probe waiting, too.
    probe: isSilent(faults) ? null : await servers[side].server.probe.end(),
  });
  const usage = { baseline: await usageOf('baseline'), scenario: await usageOf('scenario') };
  for (const side of SIDES) faults.push(...modeFaults(servers[side].planned.name, usage[side].probe));
  return { alternating, duets, usage, faults };
}

/** One server under the whole load and then the other, the idle one alive. */
async function alternatingSlice(plan: Plan, servers: Both<Started>, load: TaskLoad, order: [Side, Side]) {
  const runs = {} as Both<Awaited<ReturnType<typeof underLoad>>>;
  for (const side of order) {
    const idle = plan.rig.watchGroup(plan.clock, servers[otherSide(side)].server.child.pid);
    const run = await underLoad(plan, servers[side], load);
    // The idle one, which may still send what it has, is none of the others on the core; nor is what was asked by nobody.
    if (run.cores) run.cores.server.busyNs -= (idle().ns ?? 0) + run.unaskedNs;
    runs[side] = run;
  }
  const late = SIDES.flatMap((side) => lateness(coresOf(plan.pinning), load, [runs[side].loaded]));
  const cores = forBoth((side) => runs[side].cores);
  return seenOf(runs, cores, late);
}

/**
 * Both servers under load at once, so that what disturbs the machine disturbs both. The load on the first of them starts a
 * moment earlier: at a steady rate that server pays for more of the wake-ups.
 */
export async function duetSlice(plan: Plan, servers: Both<Started>, load: TaskLoad, [first, second]: [Side, Side]) {
  const cores = plan.rig.watchCores(plan.pinning);
  const [one, other] = await allEnded([underLoad(plan, servers[first], load), underLoad(plan, servers[second], load)]);
  const runs = forBoth((side) => (side === first ? one : other));
  const late = lateness(coresOf(plan.pinning), load, [runs.baseline.loaded, runs.scenario.loaded]);
  const used = cores();
  if (used) used.server.busyNs -= one.unaskedNs + other.unaskedNs;
  return seenOf(runs, used, late);
}

/** What was seen of both, and why it is not to be believed. */
function seenOf<Cores>(runs: Both<Awaited<ReturnType<typeof underLoad>>>, cores: Cores, late: string[]) {
  const slice = { ...forBoth((side) => runs[side].loaded), cores, late: late.join(', ') || null };
  return { slice, faults: SIDES.flatMap((side) => runs[side].faults) };
}

/** Why a rate was not held by what ran at the same time: too few answers, or a tool without time left. */
function lateness(toolCores: number, { rate, durationSeconds }: TaskLoad, runs: Loaded[]): string[] {
  if (!rate) return [];
  const toolShare = sum(runs.map(({ toolCpuNs }) => toolCpuNs)) / 1e9 / durationSeconds / toolCores;
  if (toolShare >= MAX_TOOL_SHARE) return ['the load tool used 90 % of its cores or more'];
  const asked = rate * durationSeconds;
  const isFew = ({ requests, underWay }: Loaded) => requests + underWay < Math.floor(MIN_ANSWERED * asked);
  return runs.filter(isFew).map(({ requests }) => `${requests} of ${asked} requests were answered`);
}

function meanOfKnown(bytes: (number | null)[]): { mean: number } | null {
  const known = bytes.filter((each) => each !== null);
  return known.length > 0 ? { mean: mean(known) } : null;
}

/** The fault of a server that says that it is not in production. */
function modeFaults(scenario: string, probe: { mode: string | null } | null): Fault[] {
  const { mode } = probe ?? { mode: 'production' };
  return mode === 'production' ? [] : [faultOf('development mode', `NODE_ENV is ${mode ?? 'not set'}`, scenario)];
}
