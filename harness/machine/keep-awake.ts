import { closeSync, openSync, writeSync } from 'node:fs';

const DEVICE = '/dev/cpu_dma_latency';

/**
 * Keeps idle cores awake until it is disposed of, or the process ends: holds Linux's PM QoS device open with a latency
 * of 0 µs, so that an idle core polls in place of halting (kernel.org, admin-guide/pm/cpuidle). Else a load tool that
 * sleeps is woken by the server's core, and a slower server, which pays for more of that, reads too dear
 * (docs/method-trials.md). Tells how they are kept awake, or why not.
 */
export function keepCoresAwake(isWanted: boolean, device = DEVICE) {
  const notKept = (missing: string) => ({ missing, [Symbol.dispose]() {} });
  if (!isWanted) return notKept('switched off with --no-keep-awake');
  if (process.platform !== 'linux') return notKept(`not supported on ${process.platform}`);
  try {
    const descriptor = openSync(device, 'r+');
    writeSync(descriptor, new Uint8Array(4));
    return { how: `${device} held at 0 µs`, [Symbol.dispose]: () => closeSync(descriptor) };
  } catch (error) {
    return notKept(`${device} can't be opened (${(error as NodeJS.ErrnoException).code})`);
  }
}
