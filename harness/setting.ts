import { findTool } from './load/find.ts';
import { openCpuClock } from './machine/cpu-time.ts';
import { environment } from './machine/environment.ts';
import { Host } from './machine/host.ts';
import { planPinning } from './machine/pinning.ts';
import type { MeasureOptions } from './options.ts';
import { type Plan, rowsOf } from './plan.ts';
import type { Configuration } from './result/schema.ts';
import { variablesOf } from './server/environment.ts';
import { LOOPBACK } from './server/server.ts';
import type { LoadedSuite, LoadedTask } from './suite/suite-schema.ts';
import { Problem } from './words/errors.ts';

/** The defaults. scripts/bench.sh shows the load that they make. */
export const FULL = {
  connections: 100,
  durationSeconds: 30,
  sliceSeconds: 1,
  pairs: 10,
  duetSlices: 3,
  warmupSeconds: 60,
  starts: 0,
};
/** Many short pairs tell more than few long ones, because processes differ from each other (docs/method.md). */
export const QUICK = { ...FULL, durationSeconds: 5, pairs: 5, duetSlices: 1, warmupSeconds: 3 };

/** How a suite is measured: all of a plan but the suite. */
export type Setting = Omit<Plan, 'header' | 'rows'> & { header: Omit<Plan['header'], 'suite' | 'proofs'> };

const NO_CLOCK = 'This system has no clock for the CPU time of another process';

/** The load tool, the cores and the configuration. @throws Problem for what is missing, or does not fit. */
export async function settingFor(
  options: MeasureOptions,
  suite: LoadedSuite,
  keepAwake: Plan['header']['keepAwake'],
): Promise<Setting> {
  const { precision, listen = LOOPBACK } = options;
  const configuration = configure(options, suite);
  const clock = openCpuClock();
  if (!clock && precision) throw new Problem(NO_CLOCK, 'Leave out --precision, which needs one');
  if (precision && (configuration.pairs === 1 || configuration.duetSlices === 0))
    throw new Problem('--precision needs intervals of CPU per request', 'Use --pairs 2 and --duet-slices 1, or more');
  if (options.loadHost !== undefined && listen === LOOPBACK)
    throw new Problem(`Other hosts can't reach ${listen}`, 'Name an address of this machine with --listen');
  const rows = rowsOf(suite, configuration);
  const hasSink = rows.some(({ baseline, scenario }) => baseline.sink || scenario.sink);
  const pinningOrReason = planPinning(options.pin, hasSink);
  const pinning = 'missing' in pinningOrReason ? undefined : pinningOrReason;
  const host = options.loadHost === undefined ? undefined : new Host(options.loadHost, pinning);
  await host?.connected();
  const tool = findTool(options.tool, needsOf(suite), host);
  const header = {
    startedAt: new Date().toISOString(),
    configuration,
    tool: { name: tool.tool.name, version: tool.version, host: host?.name ?? null, latencyFrom: tool.tool.latencyFrom },
    pinning: pinningOrReason,
    keepAwake,
    cpuClock: clock ? { name: clock.name } : { missing: NO_CLOCK },
    environment: { ...environment(suite.cwd), variables: variablesOf(rows) },
  };
  return { header, tool, pinning, clock, listen, keepAwake: options.keepAwake };
}

/** What the user says goes before what the suite says, and that before the defaults. */
function configure(options: MeasureOptions, suite: LoadedSuite): Configuration {
  const pace = options.quick ? { ...QUICK, ...suite.quick } : { ...FULL, ...suite.full };
  const { duration = pace.durationSeconds, slice: sliceSeconds = pace.sliceSeconds, pairs = pace.pairs } = options;
  const alternatingSlices = Math.max(1, Math.round(duration / pairs / sliceSeconds));
  return {
    connections: options.connections ?? pace.connections,
    durationSeconds: alternatingSlices * sliceSeconds * pairs,
    sliceSeconds,
    pairs,
    alternatingSlices,
    duetSlices: options.duetSlices ?? pace.duetSlices,
    warmupSeconds: options.warmup ?? pace.warmupSeconds,
    starts: pace.starts,
    idleSeconds: 0,
    precision: options.precision ?? null,
    export: options.export,
    isQuick: options.quick,
    seed: options.seed ?? Math.floor(Math.random() * 2 ** 31),
  };
}

/** What the load tool must be able to send. */
function needsOf({ tasks }: LoadedSuite) {
  const requests = tasks.flatMap(({ exchanges }) => exchanges.map(({ request }) => request));
  return {
    mix: tasks.some(({ exchanges }) => exchanges.length > 1),
    head: requests.some(({ method }) => method === 'HEAD'),
    text: requests.some(({ body }) => body !== undefined),
    rate: tasks.every(isPaced),
  };
}

/** Whether it is measured at a steady rate. */
export const isPaced = ({ rate, rateShare }: LoadedTask) => rate !== undefined || rateShare !== undefined;
