import { closeSync, openSync, writeSync } from 'node:fs';
import type { Environment, Result } from '../result/schema.ts';
import { asUs } from '../words/units.ts';
import type { Pinning } from './pinning.ts';
import { readText } from './read.ts';
import { isCheaper, measureWakeUp } from './wake-up.ts';

const DEVICE = '/dev/cpu_dma_latency';

/**
 * Keeps idle cores awake until it is disposed of, or the process ends: holds Linux's PM QoS device open with a latency
 * of 0 µs, so that an idle core polls in place of halting (kernel.org, admin-guide/pm/cpuidle). Else a load tool that
 * sleeps is woken by the server's core, and a slower server, which pays for more of that, reads too dear
 * (docs/notes.md). Tells why it can't.
 */
export function keepCoresAwake(isWanted: boolean, device = DEVICE) {
  const notKept = (missing: string) => ({ missing, [Symbol.dispose]() {} });
  if (!isWanted) return notKept('switched off with --no-keep-awake');
  try {
    const descriptor = openSync(device, 'r+');
    writeSync(descriptor, new Uint8Array(4));
    return { missing: undefined, [Symbol.dispose]: () => closeSync(descriptor) };
  } catch (error) {
    return notKept(`${device} can't be opened (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** What lets idle cores sleep, such as "haltpoll"; null if nothing does that can be held back. */
export function cpuidleDriver(): string | null {
  const driver = readText('/sys/devices/system/cpu/cpuidle/current_driver')?.trim();
  return driver && driver !== 'none' ? driver : null;
}

/**
 * Of a result: what a wake-up costs here with and without it, and whether cores are kept awake, which is only said where
 * that was seen to make it cheaper.
 */
export async function tryKeepAwake(
  isWanted: boolean,
  pinning: Pinning | undefined,
  { driver = cpuidleDriver(), device = DEVICE, measure = measureWakeUp } = {},
): Promise<Pick<Result, 'keepAwake'> & Pick<Environment, 'cpuidleDriver' | 'wakeUp'>> {
  const plain = await measure(pinning);
  const not = (missing: string, held: typeof plain | null = null) => ({
    ...{ cpuidleDriver: driver, keepAwake: { missing } },
    wakeUp: plain ? { plain, held: held ?? null } : null,
  });
  if (!driver) return not('no cpuidle driver is there that could be held back');
  using hold = keepCoresAwake(isWanted, device);
  if (hold.missing !== undefined) return not(hold.missing);
  const held = plain && (await measure(pinning));
  if (!plain || !held) return not('nobody measured whether that helps');
  const prices = `waking a core costs ${asUs(held.us)}, and ${asUs(plain.us)} without`;
  if (!isCheaper(held, plain)) return not(`holding ${device} was not seen to help: ${prices}`, held);
  return { cpuidleDriver: driver, keepAwake: { how: `${device} held at 0 µs: ${prices}` }, wakeUp: { plain, held } };
}
