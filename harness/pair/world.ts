import { checkAnswer } from '../exchange/check.ts';
import {
  type AskingLimits,
  askOnKeptConnections,
  type KeptConnections,
} from '../exchange/kept-connections.ts';
import type { Request, RequestAndAnswer } from '../exchange/request-schema.ts';
import { type FoundTool, toolFor } from '../load/find.ts';
import type { LoadResult } from '../load/load-result.ts';
import { runLoad } from '../load/run-load.ts';
import type { Load } from '../load/tool.ts';
import { keptPortShare } from '../machine/client-ports.ts';
import { watchContainer } from '../machine/container.ts';
import { watchCores } from '../machine/cores.ts';
import { memoryLimitBytes, watchOutOfMemory } from '../machine/memory-limit.ts';
import { toolCoreCountOf } from '../machine/pinning.ts';
import { type CpuUse, watchCpu } from '../machine/process-clock.ts';
import type { PlannedServer } from '../plan/planned-server.ts';
import { pauseTree, resumeTree } from '../processes/pause.ts';
import { adopt, membersOf, type Process } from '../processes/processes.ts';
import { cpuTimesUs, memoryBytes } from '../processes/usage.ts';
import type { ContainerUse, CoreUse, CpuTimes } from '../result/schema.ts';
import { type Place, type Server, startServer } from '../server/server.ts';
import { watchServices } from '../server/services.ts';
import { closedByServers, passiveOpens } from '../server/tcp-counts.ts';
import { type Sink, startSink } from '../sink/sink.ts';
import type { Exchange } from '../suite/suite.ts';

/**
 * All that a pair does to the world: it starts processes, sends load, reads clocks, and waits. It
 * is handed in beside the plan, so tests put a fake in its place, and then nothing is started and
 * nothing waits.
 */
export interface World {
  /** Starts the server, and resolves when it has answered each of these exchanges. */
  startServer(
    server: PlannedServer,
    exchanges: readonly Exchange[],
    sinkAddress: string | undefined,
    moreEnv?: Record<string, string>,
  ): Promise<Server>;
  /** Starts the receiver of a server's telemetry. */
  startSink(server: PlannedServer): Promise<Sink>;
  /** @throws ScenarioProblem if the answer is not the expected one. */
  checkAnswer(server: PlannedServer, origin: string, exchange: RequestAndAnswer): Promise<unknown>;
  runLoad(load: Load): Promise<LoadResult>;
  /** How many cores the load tool has. */
  readonly toolCoreCount: number;
  /** Whether the tool of steady rates ends only once all requests are answered, however late. */
  readonly waitsForAnswers: boolean;
  /**
   * Returns what reads the use of the cores since this call; it reads null if nothing is pinned.
   */
  watchCores(): () => CoreUse | null;
  /**
   * Returns what reads how far all that runs, and these process trees, came to the limits of their
   * container since this call; it reads undefined if nothing is limited.
   */
  watchContainer(trees: readonly number[]): () => ContainerUse | undefined;
  /**
   * Returns what tells whether the kernel killed a process of the tree for lack of memory since
   * this call. Processes of its control group count, too: nobody tells them apart.
   */
  watchOutOfMemory(tree: number): () => boolean;
  /** How much memory a container may use; null without a limit. */
  readonly memoryLimitBytes: number | null;
  /**
   * Returns how many connections anybody was asked for so far; null if nothing tells, or if those
   * of the tool that makes this load tell nothing.
   */
  passiveOpens(load: { isPaced: boolean }): number | null;
  /**
   * Returns which part of the ports for clients closed connections still keep, from 0 to 1; 0 if
   * nothing tells.
   */
  keptPortShare(): number;
  /** Returns connections to each port that the server there closed first; null if nothing tells. */
  closedByServers(ports: readonly number[]): ReadonlySet<string>[] | null;
  /** Sends requests one after the other on connections that are kept. */
  askOnKeptConnections(
    origin: string,
    requests: readonly Request[],
    limits: AskingLimits,
  ): Promise<KeptConnections>;
  /** Returns what reads the CPU time of a process tree since this call. */
  watchCpu(pid: number): () => CpuUse;
  /** Returns what reads the CPU time in ns of the suite's services since this call. */
  watchServices(): () => number;
  /**
   * Counts orphans that nothing ties to a server to this one from now on. Returns those that used
   * CPU time.
   */
  adoptOrphans(pid: number): Process[];
  /** Returns the memory of a process tree in bytes; null if nothing tells. */
  memoryBytes(pid: number): number | null;
  /**
   * Returns user and system time of a process tree in µs since an earlier reading; null if nothing
   * tells.
   */
  cpuTimesUs(pid: number, before?: CpuTimes | null): CpuTimes | null;
  /** Stops all processes of a server. */
  pause(pid: number): void;
  /** Lets all processes of a server go on. */
  resume(pid: number): void;
  sleep(ms: number): Promise<void>;
  nowMs(): number;
}

/** Returns the real world: this load tool, and servers at this place. */
export function worldOf(tool: FoundTool, place: Place): World {
  const { pinning } = place;
  const { interimRemedy } = place;
  return {
    startServer: (planned, exchanges, sinkAddress, moreEnv) =>
      startServer({ planned, place, exchanges, sinkAddress, moreEnv }),
    startSink: (server) => startSink(pinning, server),
    checkAnswer: (server, origin, exchange) =>
      checkAnswer(server, origin, exchange, { interimRemedy }),
    runLoad: (load) => runLoad(tool, load, pinning),
    toolCoreCount: toolCoreCountOf(pinning),
    waitsForAnswers: toolFor(tool, { isPaced: true }).tool.waitsForAnswers === true,
    watchCores: () => watchCores(pinning),
    watchContainer: (trees) => watchContainer(trees.flatMap(pidsOf)),
    watchOutOfMemory: (tree) => watchOutOfMemory(['self', ...pidsOf(tree)]),
    memoryLimitBytes: memoryLimitBytes(),
    passiveOpens: (load) => (toolFor(tool, load).tool.opensMore ? null : passiveOpens()),
    keptPortShare: () => keptPortShare(),
    closedByServers,
    askOnKeptConnections,
    watchCpu,
    watchServices,
    adoptOrphans: adopt,
    memoryBytes,
    cpuTimesUs,
    pause: pauseTree,
    resume: resumeTree,
    sleep: Bun.sleep,
    nowMs: () => performance.now(),
  };
}

function pidsOf(tree: number): number[] {
  return membersOf(tree).map(({ pid }) => pid);
}
