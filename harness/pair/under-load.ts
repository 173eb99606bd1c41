import { fileLimit } from '../load/limits.ts';
import type { LoadError, LoadResult } from '../load/load-result.ts';
import type { TaskLoad } from '../plan/task-load.ts';
import { type Fault, faultOf } from '../result/faults.ts';
import type { CoreUse, Loaded } from '../result/schema.ts';
import { orUndefined } from '../words/errors.ts';
import { asMemory } from '../words/units.ts';
import type { Arm } from './arms.ts';
import { waitUntilResting } from './rest.ts';
import type { World } from './world.ts';

/** One run of the load tool on one server, until the server rests. */
export interface LoadedRun {
  loaded: Loaded;
  /** CPU time of the server that was for no request. It is no part of `loaded`. */
  withoutRequestNs: number;
  /** Null if nothing is pinned. */
  cores: CoreUse | null;
  /** What went wrong; the first is the one that tables show. */
  faults: Fault[];
}

/** What is seen of a server that may answer nothing at all. */
const SILENT_FAULTS: ReadonlySet<Fault['kind']> = new Set([
  'no-answer',
  'answer-missing',
  'load-tool-failed',
]);

/** Returns whether a server may answer nothing at all: it would keep whoever asks it waiting. */
export function mayBeSilent(faults: readonly Fault[]): boolean {
  return faults.some(({ kind }) => SILENT_FAULTS.has(kind));
}

/**
 * Runs the load tool once on one server, and waits until the server rests: what a server puts off
 * until the load has ended belongs to these requests, and would slow down the other server.
 * @param onLoaded is called as soon as the load has ended
 */
export async function loadUntilResting(
  world: World,
  arm: Arm,
  load: TaskLoad,
  onLoaded: () => void = () => {},
): Promise<LoadedRun> {
  const { server } = arm;
  // A look at all processes takes time, so it comes before the clocks start.
  const isOutOfMemory = world.watchOutOfMemory(server.child.pid);
  const coresSince = world.watchCores();
  const cpuSince = world.watchCpu(server.child.pid);
  const servicesSince = world.watchServices();
  const loadResult = await world.runLoad({ ...load, origin: server.origin }).finally(onLoaded);
  const { failedAs: _failedAs, ...loadRun } = loadResult;
  arm.answered += loadRun.requests;
  arm.underWay += loadRun.underWay;
  // The tool's cores are read before the server rests: meanwhile they may work for its sink.
  const coresUnderLoad = coresSince();
  const rest = await waitUntilResting(world, cpuSince, arm.shareBeforeLoad);
  // What it did before its load may have been its start: it is never more than it did now.
  const withoutRequestNs = Math.min(arm.shareBeforeLoad * rest.ms * 1e6, Math.max(0, rest.cpuNs));
  const cpu = cpuSince();
  const coresAtRest = coresSince();
  const servicesCpuNs = servicesSince();
  const loaded: Loaded = {
    ...loadRun,
    cpuNs: cpu.ns === undefined ? null : cpu.ns - withoutRequestNs,
    ...(servicesCpuNs > 0 && { servicesCpuNs }),
  };
  const faults = [
    ...(isOutOfMemory() ? memoryFaults(world, arm, cpu.lost, loadResult) : []),
    ...processFaults(world, arm, cpu.lost),
    ...loadFaults(arm, load.connections, loadResult),
  ];
  // A server may log each of its requests. The last words of one that has ended are still asked for.
  if (!server.child.exit) orUndefined(() => server.child.output.trim());
  return {
    loaded,
    withoutRequestNs,
    cores: coresAtRest && coresUnderLoad && { ...coresAtRest, tool: coresUnderLoad.tool },
    faults,
  };
}

/**
 * Returns the fault of a server that shows that it is the one of which the kernel killed a process
 * for lack of memory: it, or a process of it, ended, or answers failed. If the load tool failed, it
 * may be that one.
 */
function memoryFaults(
  world: World,
  { planned, server }: Arm,
  lost: string | undefined,
  { errors, failedAs }: LoadResult,
): Fault[] {
  if (failedAs === 'load-tool-failed') return [];
  const isHit = server.child.exit !== undefined || lost !== undefined || errors.length > 0;
  if (!isHit) return [];
  const limit = world.memoryLimitBytes;
  const allowed = limit === null ? '' : `its container may use ${asMemory(limit)}, and `;
  const detail = `${allowed}the kernel killed a process of it`;
  return [faultOf('out-of-memory', detail, planned.name)];
}

/**
 * Returns what went wrong with the server's processes. `lost` names processes whose CPU time nobody
 * knows.
 */
function processFaults(world: World, { planned, server }: Arm, lost: string | undefined): Fault[] {
  const faults: Fault[] = [];
  const { exitDescription } = server.child;
  if (exitDescription) faults.push(faultOf('server-ended', exitDescription, planned.name));
  else if (lost)
    faults.push(faultOf('process-ended', `the CPU time of ${lost} is lost`, planned.name));
  for (const stray of world.adoptOrphans(server.child.pid)) {
    const detail = `nothing tells which server started ${stray.name} (process ${stray.pid})`;
    faults.push(faultOf('process-not-counted', detail, planned.name));
  }
  return faults;
}

/** Returns what went wrong with the load: with the tool itself, or by the errors that it tells. */
function loadFaults(
  arm: Arm,
  connections: number,
  { requests, errors, failedAs }: LoadResult,
): Fault[] {
  if (failedAs) return [faultOf(failedAs, errors[0]?.detail, arm.planned.name)];
  const ofLimits = limitFaults(arm, connections, errors);
  const ofAnswers = answerFaults(arm, requests, errors);
  // A server that answers nothing in time is silent, however long the tool waits. If it may open too
  // few files, there are more limits than errors.
  const areAllLate = errors.every(({ limit }) => limit === 'slow-answer');
  const isSilent = requests === 0 && areAllLate && ofLimits.length === errors.length;
  return isSilent ? [...ofAnswers, ...ofLimits] : [...ofLimits, ...ofAnswers];
}

/** Returns the limits of load tool and system that were reached. */
function limitFaults(
  { planned, server }: Arm,
  connections: number,
  errors: readonly LoadError[],
): Fault[] {
  const faults: Fault[] = [];
  // A status is an answer: that connection was open.
  const mayLackFiles = errors.some(({ detail }) => !detail.startsWith('status '));
  const tooFewFiles = mayLackFiles && fileLimit(server.pid, connections);
  if (tooFewFiles) faults.push(faultOf('limit-reached', tooFewFiles, planned.name));
  for (const { limit, detail, count } of errors)
    if (limit) faults.push(faultOf('limit-reached', detail, planned.name, count));
  return faults;
}

/** Returns what went wrong with the answers. */
function answerFaults({ planned }: Arm, requests: number, errors: readonly LoadError[]): Fault[] {
  const faults: Fault[] = [];
  if (requests === 0) faults.push(faultOf('no-answer', errors[0]?.detail, planned.name));
  for (const { limit, detail, count, isClosed } of errors) {
    const kind = isClosed ? 'connections-closed' : 'requests-failed';
    if (!limit) faults.push(faultOf(kind, detail, planned.name, count));
  }
  return faults;
}
