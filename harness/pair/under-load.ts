import { fileLimit, isLimit } from '../load/limits.ts';
import { ifThere } from '../machine/read.ts';
import type { Plan, TaskLoad } from '../plan.ts';
import { type Fault, faultOf, type Loaded } from '../result/schema.ts';
import { watchServices } from '../server/services.ts';
import type { Started } from './starts.ts';

/** The fault of a server without an answer in a slice: none follows. */
const NO_ANSWER = 'no request was answered';
export const isSilent = (faults: Fault[]) => faults.some(({ what }) => what === NO_ANSWER);

/** A server that takes less than this part of a core has done all that its load left behind, such as spans to be sent. */
const RESTING_SHARE = 0.05;
const LOOK_EVERY_MS = 20;
const REST_WITHIN_MS = 3_000;
/** As many tell what a server does without requests; with more than this part of a core, it still has work to do. */
const LAST_LOOKS = 25;
const BACKLOG_SHARE = 0.5;

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
  const used = rig.watchGroup(clock, server.child.pid);
  const usedByServices = watchServices(clock);
  const sinkBeforeNs = readSinkNs();
  const answered = await rig.runLoad(tool, { ...load, origin: server.origin }, pinning);
  // While the server comes to rest, the load tool's cores may work for its sink.
  const loadedCores = cores();
  const unaskedNs = clock ? await untilResting(used, rig) : 0;
  const { ns, lost } = used();
  const usedCores = cores();
  const sinkNs = readSinkNs() - sinkBeforeNs;
  const servicesCpuNs = usedByServices();
  const loaded: Loaded = {
    ...answered,
    cpuNs: ns === undefined ? null : ns - unaskedNs,
    sinkCpuNs: Number.isNaN(sinkNs) ? null : sinkNs,
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
async function untilResting(used: ReturnType<Plan['rig']['watchGroup']>, rig: Plan['rig']): Promise<number> {
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
