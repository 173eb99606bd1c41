import { keepAwakeRemedy } from '../analysis/idle-cores.ts';
import { coresText, memoryText, processorText, quotaRemedy } from '../analysis/machine-text.ts';
import { QUIET_REMEDY } from '../analysis/warnings/busy-machine.ts';
import { pinningRemedy } from '../analysis/warnings/unpinned.ts';
import { type FoundTool, findTool } from '../load/find.ts';
import { TOOL_NAMES } from '../load/list.ts';
import { watchCores } from '../machine/cores.ts';
import { type MachineFacts, machineFacts } from '../machine/environment.ts';
import { type IdleCores, tryKeepAwake } from '../machine/keep-awake.ts';
import { moveSelfTo, type NoPinning, type Pinning, planPinning } from '../machine/pinning.ts';
import { HAS_CPU_CLOCK } from '../machine/process-clock.ts';
import type { ContainerLimits } from '../result/schema.ts';
import { writableFile } from '../run/result-path.ts';
import { installedRuntimes } from '../software/runtimes.ts';
import { orUndefined } from '../words/errors.ts';
import { EXIT_STATUS, INVOKED_AS, print } from '../words/output.ts';
import { asPercent, asUs } from '../words/units.ts';

/** The command `doctor`: it says what this machine offers before anything is measured. */

/** What is there. */
interface Finding {
  subject: string;
  found: string;
  /** What to do about it; left out if what is there is enough. */
  remedy?: string | undefined;
}

/** The cores that a run would use, or why it would pin nothing. */
type PlannedPinning = Pinning | NoPinning;

const WATCH_MS = 1_000;
/**
 * A larger share of the cores is worth a word before a run; the warning `busy-machine` speaks of
 * what was measured.
 */
const MAX_BUSY_SHARE = 0.05;
const MAX_STEAL_SHARE = 0.01;

/**
 * Prints what this machine offers, one line each with its remedy. Returns the exit status: a
 * failure without a load tool.
 */
export async function doctor(): Promise<number> {
  const planned = planPinning(true);
  const pinning = 'missing' in planned ? undefined : planned;
  if (pinning) moveSelfTo(pinning.toolCores);
  const { frequencyGovernor, ...machine } = machineFacts('.');
  const idleCores = await tryKeepAwake(true, pinning);
  const tools = TOOL_NAMES.flatMap((name) => orUndefined(() => findTool(name)) ?? []);
  const findings: Finding[] = [
    { subject: 'Machine', found: machineText(machine) },
    findCores(planned, machine.limits),
    findWakeUp(idleCores),
    findIdleCores(idleCores, planned),
    findFrequency(frequencyGovernor),
    await findOtherLoad(pinning),
    findCpuClock(),
    findTools(tools),
    { subject: 'Runtimes', found: runtimesText() },
    findResults(),
  ];
  for (const finding of findings) print(findingText(finding));
  return tools.length > 0 ? EXIT_STATUS.success : EXIT_STATUS.failure;
}

function findingText({ subject, found, remedy }: Finding): string {
  return `${subject}: ${found}.${remedy === undefined ? '' : ` ${remedy}.`}`;
}

function machineText(machine: Omit<MachineFacts, 'frequencyGovernor'>): string {
  const { kernel } = machine;
  return `${processorText(machine)}, ${coresText(machine)}, ${memoryText(machine)}, ${kernel}`;
}

function findCores(pinning: PlannedPinning, limits: ContainerLimits | undefined): Finding {
  const subject = 'Cores';
  if ('missing' in pinning)
    return { subject, found: pinning.missing, remedy: pinningRemedy(pinning) };
  const { serverCore, toolCores, toolCoreCount } = pinning;
  const found = `server on core ${serverCore}, load tool on core ${toolCores}`;
  const quotaCores = limits?.quotaCores ?? Number.POSITIVE_INFINITY;
  if (quotaCores >= 1 + toolCoreCount) return { subject, found };
  return {
    subject,
    found: `${found}; the quota stops both before these are full`,
    remedy: quotaRemedy(quotaCores),
  };
}

function findWakeUp({ wakeUp }: IdleCores): Finding {
  const found = wakeUp ? `${asUs(wakeUp.plain.us)} of CPU` : 'not measured';
  return { subject: 'A wake-up', found };
}

function findIdleCores(idleCores: IdleCores, pinning: PlannedPinning): Finding {
  const { cpuidleDriver, keepAwake, wakeUp } = idleCores;
  const awake =
    'how' in keepAwake ? `kept awake by ${keepAwake.how}` : `they may sleep: ${keepAwake.missing}`;
  const environment = { cpuidleDriver, wakeUp };
  return {
    subject: 'Idle cores',
    found: `cpuidle driver ${cpuidleDriver ?? 'none'}; ${awake}`,
    remedy: keepAwakeRemedy({ environment, keepAwake, pinning }) ?? undefined,
  };
}

function findFrequency(governor: string | null): Finding {
  const isSteady = governor === null || governor === 'performance';
  return {
    subject: 'Frequency',
    found: `governor ${governor ?? 'not to be seen'}`,
    remedy: isSteady ? undefined : 'To keep it: cpupower frequency-set -g performance',
  };
}

/** Watches for a second what else uses the cores, as shares of all that a run would use. */
async function findOtherLoad(pinning: Pinning | undefined): Promise<Finding> {
  const subject = 'Other load';
  const coresSince = watchCores(pinning);
  await Bun.sleep(WATCH_MS);
  const used = coresSince();
  if (!used || !pinning) return { subject, found: 'not to be seen' };
  const allNs = used.wallNs * (1 + pinning.toolCoreCount);
  const busyShare = (used.server.busyNs + used.tool.busyNs) / allNs;
  const stealShare = (used.server.stealNs + used.tool.stealNs) / allNs;
  const isQuiet = busyShare <= MAX_BUSY_SHARE && stealShare <= MAX_STEAL_SHARE;
  return {
    subject,
    found: `${asPercent(busyShare)} of the cores, and the hypervisor ${asPercent(stealShare)}`,
    remedy: isQuiet ? undefined : QUIET_REMEDY,
  };
}

function findCpuClock(): Finding {
  const subject = 'CPU time';
  return HAS_CPU_CLOCK
    ? { subject, found: 'read by process, to the ns' }
    : { subject, found: 'no clock', remedy: 'Measure on Linux with glibc' };
}

function findTools(tools: FoundTool[]): Finding {
  const subject = 'Load tools';
  if (tools.length === 0) {
    const remedy = `Run ${INVOKED_AS} setup, or install one (docs/load.md)`;
    return { subject, found: 'none', remedy };
  }
  const names = tools.map(({ tool, version, path }) => `${tool.name} ${version} (${path})`);
  const knowsDueTimes = tools.some(({ tool }) => tool.latencyFrom === 'due');
  return {
    subject,
    found: names.join(', '),
    remedy: knowsDueTimes
      ? undefined
      : 'For percentiles at a steady rate, install oha, which times from when a request was due' +
        ' (docs/load.md)',
  };
}

function runtimesText(): string {
  const names = installedRuntimes().map(({ name, version }) => `${name} ${version}`);
  return names.join(', ') || 'none';
}

function findResults(): Finding {
  const subject = 'Results';
  const isWritable = orUndefined(() => writableFile(undefined, 'doctor')) !== undefined;
  return isWritable
    ? { subject, found: 'can be written in this folder, to results/' }
    : {
        subject,
        found: "can't be written in this folder",
        remedy: 'Call it elsewhere, or use --out',
      };
}
