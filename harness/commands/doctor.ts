import { keepAwakeRemedy, QUIET_REMEDY } from '../analysis/core-use.ts';
import { findTool, TOOL_NAMES } from '../load/find.ts';
import { watchCores } from '../machine/cores.ts';
import { openCpuClock } from '../machine/cpu-time.ts';
import { environment } from '../machine/environment.ts';
import { tryKeepAwake } from '../machine/keep-awake.ts';
import { type Pinning, pinSelf, planPinning } from '../machine/pinning.ts';
import { ifThere } from '../machine/read.ts';
import { writableFile } from '../run.ts';
import { problemLine } from '../words/errors.ts';
import { EXIT, print } from '../words/output.ts';
import { asPercent, asUs } from '../words/units.ts';

/** One thing that this machine offers, and what to do if that is too little: null if it is enough. */
interface Found {
  what: string;
  found: string;
  remedy: string | null;
  /** Nothing can be measured, since it is not there. */
  isLacking?: boolean;
}

const WATCH_MS = 1_000;
/** More than this of the cores is worth a word before a run; the warning `busy-machine` speaks of what was measured. */
const MAX_OTHERS = 0.05;
const MAX_STEAL = 0.01;
const RUNTIMES = { bun: '--version', node: '--version', deno: '--version', python3: '--version', go: 'version' };

/** Prints what this machine offers before the first run, one line each with its remedy. Returns the exit status. */
export async function doctor(): Promise<number> {
  const found = await examine();
  for (const { what, found: seen, remedy } of found) print(`${what}: ${seen}.${remedy === null ? '' : ` ${remedy}.`}`);
  return found.some(({ isLacking }) => isLacking) ? EXIT.failed : EXIT.done;
}

async function examine(): Promise<Found[]> {
  const { cpu, cores, kernel, memoryBytes, virtualization, frequencyGovernor } = environment('.');
  const plan = planPinning(true);
  const pinning = 'missing' in plan ? undefined : plan;
  if (pinning) pinSelf(pinning.toolCores);
  const gibibytes = (memoryBytes / 1024 ** 3).toFixed(0);
  const machine = [cpu, `${cores} cores`, `${gibibytes} GiB`, virtualization, kernel].filter(Boolean).join(', ');
  const unpinned = 'missing' in plan ? plan.missing : '';
  const pinned = pinning && `server on core ${pinning.serverCore}, load tool on core ${pinning.toolCores}`;
  const clock = openCpuClock();
  const isSteady = frequencyGovernor === null || frequencyGovernor === 'performance';
  return [
    { what: 'Machine', found: machine, remedy: null },
    { what: 'Cores', found: pinned ?? unpinned, remedy: pinned ? null : 'Measure on Linux with two cores or more' },
    ...(await idleCores(plan, pinning)),
    {
      what: 'Frequency',
      found: `governor ${frequencyGovernor ?? 'not to be seen'}`,
      remedy: isSteady ? null : 'To keep it: cpupower frequency-set -g performance',
    },
    await otherLoad(pinning),
    { what: 'CPU time', found: clock?.name ?? 'no clock', remedy: clock ? null : 'Measure on Linux with glibc' },
    loadTools(),
    runtimes(),
    await results(),
  ];
}

/** What a wake-up costs, and whether idle cores can be kept awake. */
async function idleCores(plan: ReturnType<typeof planPinning>, pinning: Pinning | undefined): Promise<Found[]> {
  const { cpuidleDriver, keepAwake, wakeUp } = await tryKeepAwake(true, pinning);
  const state = 'how' in keepAwake ? `kept awake by ${keepAwake.how}` : `they may sleep: ${keepAwake.missing}`;
  const prices = wakeUp
    ? `${asUs(wakeUp.plain.us)} of CPU, ${asUs(wakeUp.plain.roundTripUs)} there and back`
    : 'not measured';
  const header = { environment: { cpuidleDriver, wakeUp }, keepAwake, pinning: plan };
  return [
    { what: 'A wake-up', found: prices, remedy: null },
    {
      what: 'Idle cores',
      found: `cpuidle driver ${cpuidleDriver ?? 'none'}; ${state}`,
      remedy: keepAwakeRemedy(header),
    },
  ];
}

async function otherLoad(pinning: Pinning | undefined): Promise<Found> {
  const read = watchCores(pinning);
  await Bun.sleep(WATCH_MS);
  const used = read();
  if (!used) return { what: 'Other load', found: 'not to be seen', remedy: null };
  const { wallNs, server, tool } = used;
  const cores = 1 + (pinning?.toolCoreCount ?? 1);
  const [busy, steal] = [server.busyNs + tool.busyNs, server.stealNs + tool.stealNs].map((ns) => ns / wallNs / cores);
  const isQuiet = Number(busy) <= MAX_OTHERS && Number(steal) <= MAX_STEAL;
  return {
    what: 'Other load',
    found: `${asPercent(Number(busy))} of the cores, and the hypervisor ${asPercent(Number(steal))}`,
    remedy: isQuiet ? null : QUIET_REMEDY,
  };
}

function loadTools(): Found {
  const tools = TOOL_NAMES.flatMap((name) => ifThere(() => findTool(name)) ?? []);
  const names = tools.map(({ tool, version, path }) => `${tool.name} ${version} (${path})`);
  const isPaced = tools.some(({ tool }) => tool.latencyFrom === 'due');
  const more = 'For percentiles at a steady rate, install oha, which times from when a request was due (docs/load.md)';
  const none = 'Run scripts/setup.sh, or install one (docs/load.md)';
  const remedy = tools.length === 0 ? none : isPaced ? null : more;
  return { what: 'Load tools', found: names.join(', ') || 'none', remedy, isLacking: tools.length === 0 };
}

function runtimes(): Found {
  const found = Object.entries(RUNTIMES).flatMap(([name, argument]) => {
    const run = ifThere(() => Bun.spawnSync([name, argument], { stdin: 'ignore', timeout: 10_000 }));
    const version = /\d+\.\d+(\.\d+)?/.exec(run?.success ? run.stdout.toString() : '')?.[0];
    return version === undefined ? [] : `${name} ${version}`;
  });
  return { what: 'Runtimes', found: found.join(', ') || 'none', remedy: null };
}

/** Whether a result can be kept in this folder. */
async function results(): Promise<Found> {
  const failure = await writableFile(undefined, 'doctor').then(() => undefined, problemLine);
  return failure === undefined
    ? { what: 'Results', found: 'can be written in this folder, to results/', remedy: null }
    : { what: 'Results', found: "can't be written in this folder", remedy: 'Call it elsewhere, or use --out' };
}
