import { openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { Child, OWN_BUN } from '../processes/child.ts';
import { temporaryFolder } from '../processes/watchdog.ts';
import type { KeepAwake } from '../result/schema.ts';
import { orUndefined } from '../words/errors.ts';
import { readText } from '../words/files.ts';
import { asUs } from '../words/units.ts';
import { type Pinning, parseCpuList, pinned } from './pinning.ts';

/*
 * Keeping idle cores awake: whether that is possible, whether it helps, and what a wake-up costs.
 * Another way to do it goes into `keepCoresAwake`, and its words into `holdDevice` and
 * `keepAwakeOf`.
 */

const DEVICE = '/dev/cpu_dma_latency';
const SCRIPT = join(import.meta.dir, 'wake-up-main.ts');
/** Measuring takes a fifth of a second, unless the cores are full. */
const MEASURING_TIMEOUT_MS = 3_000;

/** CPU time of a wake-up and its standard error. */
export interface WakeUp {
  us: number;
  standardErrorUs: number;
}

/** Whether idle cores are kept awake, and what it costs to wake one. */
export interface IdleCores {
  /** What lets idle cores sleep, such as "haltpoll"; null if nothing does that can be held back. */
  cpuidleDriver: string | null;
  keepAwake: KeepAwake;
  /** Null if nothing was measured. `held`: with cores kept awake; null if they were not. */
  wakeUp: { plain: WakeUp; held: WakeUp | null } | null;
}

/** What tests put in place of the machine. */
interface IdleCoresMachine {
  driver: string | null;
  device: string;
  measure: (pinning: Pinning | undefined) => Promise<WakeUp | undefined>;
}

/**
 * Keeps idle cores awake while the file is open that it returns: holds Linux's PM QoS device with a
 * latency of 0 µs, so that an idle core polls in place of halting (kernel.org,
 * admin-guide/pm/cpuidle). Else a load tool that sleeps is woken by the server's core, and a slower
 * server, which pays for more of that, reads too dear (benchmarks/keep-awake.ts). @throws Error if
 * it can't be done
 */
export function keepCoresAwake(device = DEVICE): number {
  const descriptor = openSync(device, 'r+');
  writeSync(descriptor, new Uint8Array(4));
  return descriptor;
}

function cpuidleDriver(): string | null {
  const driver = readText('/sys/devices/system/cpu/cpuidle/current_driver')?.trim();
  return driver && driver !== 'none' ? driver : null;
}

/**
 * Keeps cores awake from now on, if it can. That they are is only said where it was seen to make a
 * wake-up cheaper.
 * @param isWanted by the user
 */
export async function tryKeepAwake(
  isWanted: boolean,
  pinning: Pinning | undefined,
  machine: Partial<IdleCoresMachine> = {},
): Promise<IdleCores> {
  const { driver = cpuidleDriver(), device = DEVICE, measure = measureWakeUp } = machine;
  const plain = await measure(pinning);
  const failure = driver === null || !isWanted ? undefined : holdDevice(device);
  const isHeld = driver !== null && isWanted && failure === undefined;
  const held = isHeld && plain ? await measure(pinning) : undefined;
  return {
    cpuidleDriver: driver,
    keepAwake: failure ?? keepAwakeOf({ driver, isWanted, device, plain, held }),
    wakeUp: plain ? { plain, held: held ?? null } : null,
  };
}

/**
 * Returns what is known of idle cores without touching them, as a dry run must not.
 * @param isWanted by the user
 */
export function untouchedIdleCores(isWanted: boolean, driver = cpuidleDriver()): IdleCores {
  return {
    cpuidleDriver: driver,
    keepAwake: keepAwakeOf({ driver, isWanted, device: DEVICE }),
    wakeUp: null,
  };
}

/** Holds the device, which keeps cores awake. Returns why it can't; undefined if it can. */
function holdDevice(device: string): KeepAwake | undefined {
  try {
    keepCoresAwake(device);
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return { missing: `${device} can't be opened (${code})`, reason: 'cannot-open' };
  }
}

/** What is known of a device that is to keep cores awake. */
interface DeviceKnowledge {
  driver: string | null;
  /** Whether the user wants it to be held. */
  isWanted: boolean;
  device: string;
  /** What a wake-up costs without it, and while it is held; undefined if nobody measured that. */
  plain?: WakeUp | undefined;
  held?: WakeUp | undefined;
}

/** Returns what is said of cores whose device, if it was wanted, could be held. */
function keepAwakeOf({ driver, isWanted, device, plain, held }: DeviceKnowledge): KeepAwake {
  if (driver === null)
    return {
      missing: 'no cpuidle driver is there that could be held back',
      reason: 'no-driver',
    };
  if (!isWanted) return { missing: 'switched off with --no-keep-awake', reason: 'switched-off' };
  if (!plain || !held)
    return { missing: 'nobody measured whether that helps', reason: 'not-measured' };
  const prices = `waking a core costs ${asUs(held.us)}, and ${asUs(plain.us)} without`;
  return isCheaper(held, plain)
    ? { how: `${device} held at 0 µs: ${prices}` }
    : { missing: `holding ${device} was not seen to help: ${prices}`, reason: 'no-help' };
}

/**
 * Returns what it costs the server's core to wake the load tool's, in µs of CPU: a write to a pipe
 * that wakes a reader there, less one that wakes nobody. Undefined if nothing is pinned, or if it
 * can't be measured within the time.
 */
export async function measureWakeUp(
  pinning: Pinning | undefined,
  timeoutMs = MEASURING_TIMEOUT_MS,
): Promise<WakeUp | undefined> {
  const [other] = parseCpuList(pinning?.toolCores ?? '');
  if (!pinning || other === undefined) return undefined;
  const folder = temporaryFolder();
  const [there = '', back = '', own = ''] = ['there', 'back', 'own'].map((name) =>
    join(folder, name),
  );
  if (!Bun.spawnSync(['mkfifo', there, back, own]).success) return undefined;
  const start = (argv: string[], core: string) => new Child(pinned(argv, core), { timeoutMs });
  await using _ = start(['sh', '-c', 'exec cat <"$0" >"$1"', there, back], String(other));
  await using writer = start([...OWN_BUN, SCRIPT, there, back, own], pinning.serverCore);
  await writer.exited;
  return orUndefined((): WakeUp => JSON.parse(writer.output.stdout()));
}

/**
 * Where holding the device helps, it takes away nine tenths of the price; where it does not,
 * nothing.
 */
const CHEAPER = 0.75;

/** Returns whether a wake-up is clearly cheaper, and not by chance. */
function isCheaper(one: WakeUp, than: WakeUp): boolean {
  const errorUs = Math.hypot(one.standardErrorUs, than.standardErrorUs);
  return one.us < CHEAPER * than.us && than.us - one.us > 2 * errorUs;
}
