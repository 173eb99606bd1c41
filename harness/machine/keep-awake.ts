import { openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { Child, OWN_BUN } from '../processes/child.ts';
import { temporaryFolder } from '../processes/watchdog.ts';
import type { KeepAwake } from '../result/schema.ts';
import { orUndefined } from '../words/errors.ts';
import { readText } from '../words/files.ts';
import { asUs } from '../words/units.ts';
import { type Pinning, parseCpuList, pinned } from './pinning.ts';

const DEVICE = '/dev/cpu_dma_latency';
const SCRIPT = join(import.meta.dir, 'wake-up-main.ts');
/** It takes a fifth of a second, unless the cores are full. */
const WITHIN_MS = 3_000;

/** CPU time of a wake-up and its standard error. */
type WakeUp = { us: number; standardErrorUs: number };

/**
 * Keeps idle cores awake while the file is open that it returns: holds Linux's PM QoS device with a latency of 0 µs, so that
 * an idle core polls in place of halting (kernel.org, admin-guide/pm/cpuidle). Else a load tool that sleeps is woken by the
 * server's core, and a slower server, which pays for more of that, reads too dear (docs/notes.md). @throws Error if it can't.
 */
export function keepCoresAwake(device = DEVICE): number {
  const descriptor = openSync(device, 'r+');
  writeSync(descriptor, new Uint8Array(4));
  return descriptor;
}

/** What lets idle cores sleep, such as "haltpoll"; null if nothing does that can be held back. */
function cpuidleDriver(): string | null {
  const driver = readText('/sys/devices/system/cpu/cpuidle/current_driver')?.trim();
  return driver && driver !== 'none' ? driver : null;
}

/**
 * Keeps cores awake from now on, if it can. Of a result: what a wake-up costs here with and without it, and whether cores
 * are kept awake, which is only said where that was seen to make it cheaper.
 */
export async function tryKeepAwake(
  isWanted: boolean,
  pinning: Pinning | undefined,
  { driver = cpuidleDriver(), device = DEVICE, measure = measureWakeUp } = {},
) {
  const plain = await measure(pinning);
  const tried = (keepAwake: KeepAwake, held: WakeUp | null = null) => {
    return { cpuidleDriver: driver, keepAwake, wakeUp: plain ? { plain, held } : null };
  };
  if (!driver)
    return tried({
      missing: 'no cpuidle driver is there that could be held back',
      reason: 'no-driver',
    });
  if (!isWanted)
    return tried({ missing: 'switched off with --no-keep-awake', reason: 'switched-off' });
  try {
    keepCoresAwake(device);
  } catch (error) {
    return tried({
      missing: `${device} can't be opened (${(error as NodeJS.ErrnoException).code})`,
      reason: 'cannot-open',
    });
  }
  const held = plain && (await measure(pinning));
  if (!plain || !held)
    return tried({ missing: 'nobody measured whether that helps', reason: 'not-measured' });
  const prices = `waking a core costs ${asUs(held.us)}, and ${asUs(plain.us)} without`;
  if (!isCheaper(held, plain))
    return tried(
      { missing: `holding ${device} was not seen to help: ${prices}`, reason: 'no-help' },
      held,
    );
  return tried({ how: `${device} held at 0 µs: ${prices}` }, held);
}

/**
 * What it costs the server's core to wake the load tool's, in µs of CPU: a write to a pipe that wakes a reader there, less
 * one that wakes nobody. Undefined if nothing is pinned, or if it can't be measured.
 */
export async function measureWakeUp(pinning: Pinning | undefined): Promise<WakeUp | undefined> {
  const [other] = parseCpuList(pinning?.toolCores ?? '');
  if (!pinning || other === undefined) return undefined;
  const folder = temporaryFolder();
  const [there = '', back = '', own = ''] = ['there', 'back', 'own'].map((name) =>
    join(folder, name),
  );
  if (!Bun.spawnSync(['mkfifo', there, back, own]).success) return undefined;
  const start = (argv: string[], core: string) =>
    new Child(pinned(argv, core), { timeout: WITHIN_MS });
  await using _ = start(['sh', '-c', 'exec cat <"$0" >"$1"', there, back], String(other));
  await using writer = start([...OWN_BUN, SCRIPT, there, back, own], pinning.serverCore);
  await writer.exited;
  return orUndefined((): WakeUp => JSON.parse(writer.output.stdout()));
}

/** Where it helps, it took away nine tenths of the price; where it does not, nothing. */
const CHEAPER = 0.75;

/** Whether a wake-up is clearly cheaper, and not by chance. */
function isCheaper(one: WakeUp, than: WakeUp): boolean {
  const errorUs = Math.hypot(one.standardErrorUs, than.standardErrorUs);
  return one.us < CHEAPER * than.us && than.us - one.us > 2 * errorUs;
}
