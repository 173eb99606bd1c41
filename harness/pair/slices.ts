import { mean, sum } from 'simple-statistics';
import { fileLimit, isLimit } from '../load/limits.ts';
import { coresOf } from '../machine/pinning.ts';
import type { PlannedPair } from '../plan/plan.ts';
import { loadOf, type Plan, type TaskLoad } from '../plan/plan.ts';
import { type Fault, type FaultKind, faultOf } from '../result/faults.ts';
import type { Loaded, Side } from '../result/schema.ts';
import { watchServices } from '../server/services.ts';
import { sentIn } from '../suite/select.ts';
import type { Exchange } from '../suite/suite-schema.ts';
import { wrongWhileBusy } from './answers.ts';
import { allEnded, type Both, forBoth, otherSide, SIDES, sidesAt } from './sides.ts';
import type { Started } from './starts.ts';

/** Whether a server gave no answer in a slice: none follows. */
export const isSilent = (faults: Fault[]) => faults.some(({ kind }) => kind === 'no-answer');

/** A server that takes less than this part of a core has done all that its load left behind, such as spans to be sent. */
const RESTING_SHARE = 0.05;
const LOOK_EVERY_MS = 20;
const REST_WITHIN_MS = 3_000;
/** As many tell what a server does without requests; with more than this part of a core, it still has work to do. */
const LAST_LOOKS = 25;
const BACKLOG_SHARE = 0.5;

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
  const [whole, half] = [loadOf(row.task, sliceSeconds), loadOf(row.task, sliceSeconds, 2)];
  const [memory, faults] = [[] as Both<number | null>[], [] as Fault[]];
  const pidOf = (side: Side) => servers[side].server.child.pid;
  /** Slices of one kind. A server that answers nothing costs no further seconds. */
  const seriesOf = async <
    Kind extends 'alternating' | 'duet',
    Slice extends { late: string | null },
  >(
    kind: Kind,
    length: number,
    measure: (order: [Side, Side], isFirst: boolean) => Promise<{ slice: Slice; faults: Fault[] }>,
  ) => {
    const slices: Slice[] = [];
    while (slices.length < length && !isSilent(faults)) {
      const seen = await measure(sidesAt(slices.length, loadedFirst), slices.length === 0);
      const number = slices.push(seen.slice);
      faults.push(...seen.faults.map((each) => ({ ...each, slice: { kind, number } })));
      // Once both are idle: to read it takes time of the core.
      memory.push(forBoth((side) => plan.rig.memoryBytes(pidOf(side))));
    }
    const why = slices[0]?.late;
    if (why && slices.every(({ late }) => late !== null))
      faults.push(faultOf('rate-not-held', why));
    return slices;
  };
  for (const side of SIDES) await servers[side].server.probe.begin();
  const cpuBefore = forBoth((side) => plan.rig.cpuTimesUs(pidOf(side)));
  const alternating = await seriesOf('alternating', alternatingSlices, (order, isFirst) =>
    alternatingSlice(plan, servers, whole, order, isFirst ? sentIn(row.task) : []),
  );
  const duets = await seriesOf('duet', duetSlices, (order) =>
    duetSlice(plan, servers, half, order),
  );
  const cpuUs = forBoth((side) => plan.rig.cpuTimesUs(pidOf(side), cpuBefore[side]));
  const usageOf = async (side: Side) => ({
    memoryBytes: meanOfKnown(memory.map((each) => each[side])),
    cpuUs: cpuUs[side],
    // A server that answers nothing would keep its probe waiting, too.
    probe: isSilent(faults) ? null : await servers[side].server.probe.end(),
  });
  const usage = { baseline: await usageOf('baseline'), scenario: await usageOf('scenario') };
  for (const side of SIDES)
    faults.push(...modeFaults(servers[side].planned.name, usage[side].probe));
  return { alternating, duets, usage, faults };
}

/** One server under the whole load and then the other, the idle one alive. Each is asked meanwhile: it may answer otherwise. */
async function alternatingSlice(
  plan: Plan,
  servers: Both<Started>,
  load: TaskLoad,
  order: [Side, Side],
  asked: Exchange[],
) {
  const runs = {} as Both<Awaited<ReturnType<typeof underLoad>>>;
  for (const side of order) {
    const idle = plan.rig.watchGroup(servers[otherSide(side)].server.child.pid);
    const busy = wrongWhileBusy(plan, servers[side], asked);
    const [run, wrong] = await allEnded([underLoad(plan, servers[side], load), busy]);
    // The idle one, which may still send what it has, is none of the others on the core; nor is what was asked by nobody.
    if (run.cores) run.cores.server.busyNs -= (idle().ns ?? 0) + run.unaskedNs;
    runs[side] = { ...run, faults: [...wrong, ...run.faults] };
  }
  const late = SIDES.flatMap((side) => lateness(coresOf(plan.pinning), load, [runs[side].loaded]));
  const cores = forBoth((side) => runs[side].cores);
  return seenOf(runs, cores, late);
}

/**
 * Both servers under load at once, so that what disturbs the machine disturbs both. The load on the first of them starts a
 * moment earlier: at a steady rate that server pays for more of the wake-ups.
 */
export async function duetSlice(
  plan: Plan,
  servers: Both<Started>,
  load: TaskLoad,
  [first, second]: [Side, Side],
) {
  const cores = plan.rig.watchCores(plan.pinning);
  const [one, other] = await allEnded([
    underLoad(plan, servers[first], load),
    underLoad(plan, servers[second], load),
  ]);
  const runs = forBoth((side) => (side === first ? one : other));
  const late = lateness(coresOf(plan.pinning), load, [runs.baseline.loaded, runs.scenario.loaded]);
  const used = cores();
  if (used) used.server.busyNs -= one.unaskedNs + other.unaskedNs;
  return seenOf(runs, used, late);
}

/** What was seen of both, and why it is not to be believed. */
function seenOf<Cores>(
  runs: Both<Awaited<ReturnType<typeof underLoad>>>,
  cores: Cores,
  late: string[],
) {
  const slice = { ...forBoth((side) => runs[side].loaded), cores, late: late.join(', ') || null };
  return { slice, faults: SIDES.flatMap((side) => runs[side].faults) };
}

/** Why a rate was not held by what ran at the same time: too few answers, or a tool without time left. */
function lateness(
  toolCores: number,
  { rate, durationSeconds }: TaskLoad,
  runs: Loaded[],
): string[] {
  if (!rate) return [];
  const toolShare = sum(runs.map(({ toolCpuNs }) => toolCpuNs)) / 1e9 / durationSeconds / toolCores;
  if (toolShare >= MAX_TOOL_SHARE) return ['the load tool used 90 % of its cores or more'];
  const asked = rate * durationSeconds;
  const isFew = ({ requests, underWay }: Loaded) =>
    requests + underWay < Math.floor(MIN_ANSWERED * asked);
  return runs.filter(isFew).map(({ requests }) => `${requests} of ${asked} requests were answered`);
}

function meanOfKnown(bytes: (number | null)[]): { mean: number } | null {
  const known = bytes.filter((each) => each !== null);
  return known.length > 0 ? { mean: mean(known) } : null;
}

/** The fault of a server that says that it is not in production. */
function modeFaults(scenario: string, probe: { mode: string | null } | null): Fault[] {
  const { mode } = probe ?? { mode: 'production' };
  return mode === 'production'
    ? []
    : [faultOf('development-mode', `NODE_ENV is ${mode ?? 'not set'}`, scenario)];
}

/**
 * One run of the load tool, the CPU time that the server's processes used from then until they rest, what of that time was
 * for no request, what was used of the cores, and what went wrong. What a server puts off until the load has ended is of
 * these requests, and would slow down the other server.
 */
export async function underLoad(plan: Plan, started: Started, load: TaskLoad) {
  const { tool, pinning, rig } = plan;
  const { server, sink } = started;
  const cores = rig.watchCores(pinning);
  const used = rig.watchGroup(server.child.pid);
  const usedBySink = sink && rig.watchGroup(sink.child.pid);
  const usedByServices = watchServices();
  const answered = await rig.runLoad(tool, { ...load, origin: server.origin }, pinning);
  started.answered += answered.requests;
  // While the server comes to rest, the load tool's cores may work for its sink.
  const loadedCores = cores();
  const unaskedNs = await untilResting(used, rig);
  const { ns, lost } = used();
  const usedCores = cores();
  const servicesCpuNs = usedByServices();
  const loaded: Loaded = {
    ...answered,
    cpuNs: ns === undefined ? null : ns - unaskedNs,
    sinkCpuNs: usedBySink?.().ns ?? null,
    ...(servicesCpuNs > 0 && { servicesCpuNs }),
  };
  const ofCores = usedCores && loadedCores && { ...usedCores, tool: loadedCores.tool };
  return { loaded, unaskedNs, cores: ofCores, faults: faultsOf(plan, started, load, loaded, lost) };
}

/** What went wrong; `lost` names processes whose CPU time nobody knows. The first is the one that tables show. */
function faultsOf(
  { rig }: Plan,
  { planned, server }: Started,
  { connections }: TaskLoad,
  { requests, errors }: Loaded,
  lost: string | undefined,
): Fault[] {
  const { child, pid } = server;
  const faults: Fault[] = [];
  const add = (kind: FaultKind, detail = '', count = 1) =>
    faults.push(faultOf(kind, detail, planned.name, count));
  const { ending } = child;
  if (ending) add('server-ended', ending);
  else if (lost) add('process-ended', `the CPU time of ${lost} is lost`);
  for (const stray of rig.adopt(child.pid))
    add(
      'process-not-counted',
      `nothing tells which server started ${stray.name} (process ${stray.pid})`,
    );
  const tooFew = errors.length > 0 && fileLimit(pid, connections);
  if (tooFew) add('limit-reached', tooFew);
  for (const { detail, count } of errors.filter((each) => isLimit(each.detail)))
    add('limit-reached', detail, count);
  if (requests === 0) add('no-answer', errors[0]?.detail);
  for (const { detail, count } of errors.filter((each) => !isLimit(each.detail)))
    add('requests-failed', detail, count);
  return faults;
}

/**
 * Waits until a server rests, at most 3 s. Returns the CPU time in ns that it used meanwhile for no request: one that still
 * works a little then does so without requests, and one that works much has not come to its end.
 */
async function untilResting(
  used: ReturnType<Plan['rig']['watchGroup']>,
  rig: Plan['rig'],
): Promise<number> {
  const look = () => ({ ns: used().ns ?? 0, ms: rig.nowMs() });
  const first = look();
  const looks = [first];
  let last = first;
  while (last.ms - first.ms < REST_WITHIN_MS) {
    await rig.sleep(LOOK_EVERY_MS);
    const next = look();
    if (coreShare(last, next) < RESTING_SHARE) return 0;
    looks.push(next);
    last = next;
  }
  const share = coreShare(looks.at(-1 - LAST_LOOKS) ?? first, last);
  return share < BACKLOG_SHARE ? share * (last.ms - first.ms) * 1e6 : 0;
}

/** What a server used of a core between two moments; to look takes time, too, if many processes run here. */
const coreShare = (then: Record<'ns' | 'ms', number>, now: typeof then) =>
  (now.ns - then.ns) / 1e6 / (now.ms - then.ms);
