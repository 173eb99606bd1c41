import type { FoundTool } from '../load/find.ts';
import { type LoadRun, runLoad } from '../load/run.ts';
import type { Load, LoadResult } from '../load/tool.ts';
import { watchCores } from '../process/cores.ts';
import { type CpuClock, totalCpuNs } from '../process/cpu-clock.ts';
import type { Pinning } from '../process/pinning.ts';
import type { Configuration, SoloMeasurement, SoloRound } from '../results/schema.ts';
import { checkAnswers } from '../server/check.ts';
import { describeExit, type Server, startServer } from '../server/server.ts';
import type { LoadedSuite, LoadedTask } from '../suite/load.ts';
import type { Scenario } from '../suite/schema.ts';
import { accountingFaults } from './accounting.ts';
import { randomSource, shuffle } from './order.ts';

/** What a measurement needs to know and does not change. */
export interface Bench {
  suite: Pick<LoadedSuite, 'cwd'>;
  task: LoadedTask;
  tool: FoundTool;
  pinning: Pinning | undefined;
  configuration: Configuration;
  /** Undefined where no clock tells the CPU time of another process. */
  clock: CpuClock | undefined;
}

/** Measures one scenario on a fresh server; a fake one makes the order of rounds testable without waiting. */
export type SoloExecutor = (task: string, scenario: string, round: number) => Promise<SoloMeasurement>;

/** The tasks of a suite by name, each with the names of its scenarios. */
export type TaskNames = Map<string, string[]>;

/**
 * Rounds, each with every task once in random order, and for each task with every scenario once in random order.
 * Yields a task's round as it is complete.
 */
export async function* soloRounds(
  tasks: TaskNames,
  { rounds, seed }: Pick<Configuration, 'rounds' | 'seed'>,
  measure: SoloExecutor,
): AsyncGenerator<SoloRound> {
  const random = randomSource(seed);
  for (let index = 0; index < rounds; index++) {
    for (const task of shuffle([...tasks.keys()], random)) {
      const measurements: SoloMeasurement[] = [];
      for (const scenario of shuffle(tasks.get(task) ?? [], random))
        measurements.push(await measure(task, scenario, index));
      yield { task, measurements };
    }
  }
}

/**
 * One solo measurement: a fresh server, its answer checked, the warm-up, the load. The server is stopped in any case.
 * @throws Problem where the server or the load tool does not do its part; errors under load make it invalid instead.
 */
export async function measureSolo(bench: Bench, scenario: Scenario): Promise<SoloMeasurement> {
  const server = await startServer(scenario, bench.suite.cwd, bench.pinning);
  try {
    const load = loadOf(bench, server.port);
    await checkAnswers(scenario, load.origin, bench.task.exchanges);
    await warmUp(bench, load);
    await server.probe.begin();
    const startedAt = new Date().toISOString();
    const coreUse = watchCores(bench.pinning);
    const run = await underLoad(bench, server.child.processes(), load);
    const cores = coreUse();
    const usage = await server.probe.end();
    const unseen = 2 * load.connections;
    return {
      scenario: scenario.name,
      startedAt,
      command: run.command,
      output: run.output,
      load: run.result,
      cpuNs: run.cpuNs,
      toolCpuNs: run.toolCpuNs,
      usage,
      cores,
      invalid: [
        ...faults(server, run.result),
        ...accountingFaults(bench.task, scenario, usage?.telemetry, run.result.requests, unseen),
      ],
    };
  } finally {
    await server.child.stop();
  }
}

/** One run of the load tool, and the CPU time that these processes used meanwhile; null where no clock tells. */
export async function underLoad(
  { clock, tool, pinning }: Pick<Bench, 'clock' | 'tool' | 'pinning'>,
  pids: number[],
  load: Load,
): Promise<LoadRun & { cpuNs: number | null }> {
  const before = clock ? totalCpuNs(clock, pids) : 0;
  const run = await runLoad(tool, load, pinning);
  return { ...run, cpuNs: clock ? totalCpuNs(clock, pids) - before : null };
}

/** The load of the measurement itself. */
export function loadOf({ task, configuration }: Pick<Bench, 'task' | 'configuration'>, port: number): Load {
  const { connections, durationSeconds, requestCount } = configuration;
  return {
    origin: `http://127.0.0.1:${port}`,
    requests: task.exchanges.map(({ request, weight }) => ({ ...request, weight })),
    connections,
    durationSeconds,
    ...(requestCount !== null && { requestCount }),
  };
}

/** The same requests for a time of its own. */
export function during({ requestCount: _, ...load }: Load, durationSeconds: number): Load {
  return { ...load, durationSeconds };
}

/** Load before what is measured, until the runtime has compiled what runs often. */
export async function warmUp({ tool, pinning, configuration }: Bench, load: Load): Promise<void> {
  if (configuration.warmupSeconds === 0) return;
  await runLoad(tool, during(load, configuration.warmupSeconds), pinning);
}

/** Why a measurement is not to be believed; nothing for a good one. */
export function faults(
  { child }: Server,
  { requests, errors }: Pick<LoadResult, 'requests' | 'errors'>,
): string[] {
  const reasons = errors.map(
    ({ kind, detail, count }) => `${count} x ${kind === 'other' ? '' : `${kind}: `}${detail}`,
  );
  if (requests === 0) reasons.push('no request was answered');
  if (child.exit) reasons.push(`the server ended with ${describeExit(child)} under load`);
  return reasons;
}
