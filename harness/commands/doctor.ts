import { keepAwakeRemedy } from '../analysis/idle-cores.ts';
import { QUIET_REMEDY } from '../analysis/warnings/busy-machine.ts';
import { findTool } from '../load/find.ts';
import { TOOL_NAMES } from '../load/tools.ts';
import { watchCores } from '../machine/cores.ts';
import { environment } from '../machine/environment.ts';
import { tryKeepAwake } from '../machine/keep-awake.ts';
import { type Pinning, pinSelf, planPinning } from '../machine/pinning.ts';
import { HAS_CPU_CLOCK } from '../machine/process-clock.ts';
import { writableFile } from '../run/run.ts';
import { installedRuntimes } from '../software/runtimes.ts';
import { orUndefined } from '../words/errors.ts';
import { EXIT_STATUS, INVOKED_AS, print } from '../words/output.ts';
import { asPercent, asUs } from '../words/units.ts';

/** What is there, and what to do if that is too little: nothing if it is enough. */
type Finding = [found: string, remedy?: string | false | null];

const WATCH_MS = 1_000;
/** More than this of the cores is worth a word before a run; the warning `busy-machine` speaks of what was measured. */
const MAX_OTHERS = 0.05;
const MAX_STEAL = 0.01;

/** Prints what this machine offers before the first run, one line each with its remedy. Returns the exit status. */
export async function doctor(): Promise<number> {
  const { cpu, cores, kernel, memoryBytes, frequencyGovernor } = environment('.');
  const pinning = planPinning(true);
  const own = 'missing' in pinning ? undefined : pinning;
  if (own) pinSelf(own.toolCores);
  const gibibytes = (memoryBytes / 1024 ** 3).toFixed(0);
  const { cpuidleDriver, keepAwake, wakeUp } = await tryKeepAwake(true, own);
  const awake =
    'how' in keepAwake ? `kept awake by ${keepAwake.how}` : `they may sleep: ${keepAwake.missing}`;
  const wakeRemedy = keepAwakeRemedy({
    environment: { cpuidleDriver, wakeUp },
    keepAwake,
    pinning,
  });
  const isSteady = (frequencyGovernor ?? 'performance') === 'performance';
  const tools = TOOL_NAMES.flatMap((name) => orUndefined(() => findTool(name)) ?? []);
  const isWritable = orUndefined(() => writableFile(undefined, 'doctor')) !== undefined;
  const lines: [what: string, ...Finding][] = [
    ['Machine', `${cpu}, ${cores} cores, ${gibibytes} GiB, ${kernel}`],
    'missing' in pinning
      ? ['Cores', pinning.missing, 'Measure on Linux with two cores or more']
      : ['Cores', `server on core ${pinning.serverCore}, load tool on core ${pinning.toolCores}`],
    ['A wake-up', wakeUp ? `${asUs(wakeUp.plain.us)} of CPU` : 'not measured'],
    ['Idle cores', `cpuidle driver ${cpuidleDriver ?? 'none'}; ${awake}`, wakeRemedy],
    [
      'Frequency',
      `governor ${frequencyGovernor ?? 'not to be seen'}`,
      !isSteady && 'To keep it: cpupower frequency-set -g performance',
    ],
    ['Other load', ...(await otherLoad(own))],
    HAS_CPU_CLOCK
      ? ['CPU time', 'read by process, to the ns']
      : ['CPU time', 'no clock', 'Measure on Linux with glibc'],
    ['Load tools', ...loadTools(tools)],
    ['Runtimes', runtimes()],
    isWritable
      ? ['Results', 'can be written in this folder, to results/']
      : ['Results', "can't be written in this folder", 'Call it elsewhere, or use --out'],
  ];
  for (const [what, found, remedy] of lines)
    print(`${what}: ${found}.${remedy ? ` ${remedy}.` : ''}`);
  return tools.length > 0 ? EXIT_STATUS.success : EXIT_STATUS.failure;
}

async function otherLoad(pinning: Pinning | undefined): Promise<Finding> {
  const read = watchCores(pinning);
  await Bun.sleep(WATCH_MS);
  const used = read();
  if (!used || !pinning) return ['not to be seen'];
  const ns = used.wallNs * (1 + pinning.toolCoreCount);
  const busy = (used.server.busyNs + used.tool.busyNs) / ns;
  const steal = (used.server.stealNs + used.tool.stealNs) / ns;
  const found = `${asPercent(busy)} of the cores, and the hypervisor ${asPercent(steal)}`;
  return [found, (busy > MAX_OTHERS || steal > MAX_STEAL) && QUIET_REMEDY];
}

function loadTools(tools: ReturnType<typeof findTool>[]): Finding {
  if (tools.length === 0) return ['none', `Run ${INVOKED_AS} setup, or install one (docs/load.md)`];
  const more =
    'For percentiles at a steady rate, install oha, which times from when a request was due (docs/load.md)';
  const found = tools
    .map(({ tool, version, path }) => `${tool.name} ${version} (${path})`)
    .join(', ');
  return [found, tools.every(({ tool }) => tool.latencyFrom !== 'due') && more];
}

function runtimes(): string {
  const found = installedRuntimes().map(({ name, version }) => `${name} ${version}`);
  return found.join(', ') || 'none';
}
