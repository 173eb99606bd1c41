import { join } from 'node:path';
import { mean, sampleStandardDeviation } from 'simple-statistics';
import { z } from 'zod';
import type { Environment } from '../result/schema.ts';
import { Child } from './child.ts';
import { type Pinning, parseCpuList, pinned } from './pinning.ts';
import { ifThere } from './read.ts';
import { temporaryFolder } from './watchdog.ts';

const SCRIPT = join(import.meta.dir, 'wake-up-main.ts');
/** It takes a fifth of a second, unless the cores are full. */
const WITHIN_MS = 3_000;

export type WakeUp = NonNullable<NonNullable<Environment['wakeUp']>['held']>;

const figure = z.number();
const blocksSchema = z.array(z.object({ writeUs: figure, nobodyUs: figure, roundTripUs: figure })).min(2);

/**
 * What it costs the server's core to wake the load tool's, in µs of CPU: a write to a pipe that wakes a reader there, less
 * one that wakes nobody. Undefined if nothing is pinned, or if it can't be measured.
 */
export async function measureWakeUp(pinning: Pinning | undefined): Promise<WakeUp | undefined> {
  const other = parseCpuList(pinning?.toolCores ?? '')[0];
  if (!pinning || other === undefined) return undefined;
  const folder = temporaryFolder();
  const pipes = ['there', 'back', 'own'].map((name) => join(folder, name));
  if (!Bun.spawnSync(['mkfifo', ...pipes]).success) return undefined;
  const start = (role: string, core: string) =>
    new Child(pinned([process.execPath, SCRIPT, role, ...pipes], core), { timeout: WITHIN_MS });
  await using _ = start('pong', String(other));
  await using ping = start('ping', pinning.serverCore);
  await ping.exited;
  return wakeUpOf(ping.stdout());
}

/** By what the script printed; undefined if that is nothing to go by. */
export function wakeUpOf(printed: string): WakeUp | undefined {
  const { data } = blocksSchema.safeParse(ifThere(() => JSON.parse(printed)));
  if (!data) return undefined;
  const costs = data.map(({ writeUs, nobodyUs }) => writeUs - nobodyUs);
  return {
    us: mean(costs),
    standardErrorUs: sampleStandardDeviation(costs) / Math.sqrt(costs.length),
    roundTripUs: mean(data.map(({ roundTripUs }) => roundTripUs)),
  };
}

/** Where it helps, it took away nine tenths of the price; where it does not, nothing. */
const CHEAPER = 0.75;

/** Whether a wake-up is clearly cheaper, and not by chance. */
export function isCheaper(one: WakeUp, than: WakeUp): boolean {
  const errorUs = Math.hypot(one.standardErrorUs, than.standardErrorUs);
  return one.us < CHEAPER * than.us && than.us - one.us > 2 * errorUs;
}
