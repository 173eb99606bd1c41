import { sum } from 'simple-statistics';
import type { CoreUse, Environment, Loaded, Result } from '../result/schema.ts';
import { asPercent, decimalsOf } from '../words/units.ts';
import { estimate, halfWidth } from './estimate.ts';
import { wokenShare } from './figures.ts';
import { rowsOf } from './rows.ts';
import { inRows, inRun, inTasks, listed, warn } from './warning.ts';

/** Who used the cores while they were under load: the servers, the load tool, or somebody else. */

/** From here on a core counts as full. */
const FULL = 0.9;

/** By alternating slices: in duets the cores are full together, and CPU per request does not suffer. */
export const loadTool = inTasks(({ prefix, rate, baseline, rows }, { header: { pinning, tool } }) => {
  const toolCores = 'missing' in pinning || tool.host !== null ? Number.NaN : pinning.toolCoreCount;
  const idle = [baseline, ...rows].filter(({ figures }) => (figures?.busyShare ?? 1) < FULL);
  const shares = idle.map(({ figures }) => (figures?.toolBusyCores ?? Number.NaN) / toolCores);
  const isFull = shares.some((share) => share >= FULL);
  // At a steady rate a server is meant to be idle at times.
  if (idle.length === 0 || (rate !== null && !isFull)) return null;
  const least = asPercent(Math.min(...idle.map(({ figures }) => figures?.busyShare ?? 1)));
  const seen = `the server's core was only ${least} busy for ${listed(idle.map(({ title }) => title))}`;
  const about = (text: string, remedy: string) => warn(`${prefix}The change in ms ${text}`, remedy, 'latencyUs');
  const faster = 'Give the load tool more cores, or use a faster one (--tool)';
  const more = 'Use more connections (--connections), or CPU per request alone';
  const either = 'Try more cores for the load tool, then more connections (--connections)';
  if (shares.every(Number.isNaN))
    return about(`may not be work: ${seen}, and nobody sees how busy the load tool was`, either);
  return isFull
    ? about(`understates the cost: the load tool was full, and ${seen}`, faster)
    : about(`is waiting, not work: ${seen}`, more);
});

/** Less than this part of what a row costs changes nobody's mind. */
const MIN_CHANGE = 0.05;

/**
 * An answer must wake a load tool that sleeps, and the server pays for that. It is no cost of the scenario: a tool that
 * never sleeps beside the baseline does sleep beside any slower server. By the price that was measured on this machine;
 * without one, nobody knows.
 */
export const wakeUps = inRows(({ label, pairs, change: { cpuUs } }, { rate }, { header }) => {
  const { plain, held } = { ...header.environment.wakeUp };
  // With cores kept awake, if that can be.
  const price = held ?? plain;
  if (!price || !cpuUs) return null;
  const more = estimate(pairs.map(({ duets }) => wokenShare(duets, 'scenario') - wokenShare(duets, 'baseline')));
  const tooHighUs = more.value * price.us;
  const { value: costUs } = cpuUs.estimate;
  if (!(tooHighUs > MIN_CHANGE * Math.abs(costUs)) || tooHighUs <= halfWidth(cpuUs.estimate)) return null;
  const errorUs = Math.hypot(halfWidth(more) * price.us, 2 * price.standardErrorUs * more.value);
  const [about, error] = [tooHighUs, errorUs].map((us) => us.toFixed(decimalsOf(errorUs)));
  const size = `${about} ±${error} µs too high`;
  const other = rate === null ? 'Measure at a steady rate (--rate): the baseline wakes it then, too' : NO_HYPERVISOR;
  const text = `${label}: CPU per request reads about ${size}: more of its answers wake the load tool`;
  return warn(text, keepAwakeRemedy(header) ?? other, 'cpuUs');
});

const NO_HYPERVISOR = 'Measure on a machine that is not virtual, where it costs less to wake a core';

type IdleCores = Pick<Result, 'keepAwake' | 'pinning'> & { environment: Pick<Environment, 'cpuidleDriver' | 'wakeUp'> };

/** Whether idle cores slept that could be kept awake; whether that was seen to help is another matter: noise may hide it. */
export function idleCores(header: IdleCores): 'asleep' | 'kept awake' {
  return keepAwakeRemedy(header) === null ? 'kept awake' : 'asleep';
}

/** How idle cores can be kept awake that were not; null if nobody knows a way that helps. */
export function keepAwakeRemedy({ environment, keepAwake, pinning }: IdleCores): string | null {
  const { cpuidleDriver, wakeUp } = environment;
  if ('how' in keepAwake || 'missing' in pinning || cpuidleDriver === null || wakeUp?.held) return null;
  // They were kept awake then, too.
  if (keepAwake.missing.startsWith('nobody measured')) return null;
  const rule = 'KERNEL=="cpu_dma_latency", MODE="0660", GROUP="bench"';
  return `Run as root, without --no-keep-awake, or add a udev rule for a group of yours: ${rule}`;
}

export const QUIET_REMEDY = 'Stop what else runs, or measure on a dedicated machine';
/** With more of its time taken, a core makes other figures, and not only wider intervals. */
const MUCH = 0.1;
/** In so many slices it may be chance. */
const OFTEN = 0.05;

export const busyMachine = inRun(({ tasks }) => {
  const pairs = tasks.flatMap(rowsOf).flatMap((row) => row.pairs);
  const taken = pairs.flatMap(({ alternating, duets }) => [
    ...alternating.flatMap(({ baseline, cores }) => takenOf(cores.baseline, [baseline])),
    ...alternating.flatMap(({ scenario, cores }) => takenOf(cores.scenario, [scenario])),
    ...duets.flatMap(({ baseline, scenario, cores }) => takenOf(cores, [baseline, scenario])),
  ]);
  return (['other processes', 'the hypervisor'] as const).map((who) => {
    const share = taken.filter((each) => each[who] > MUCH).length / taken.length;
    const seen = `in ${asPercent(share)} of the slices ${who} took more than a tenth of the server's core`;
    return share > OFTEN && warn(`Figures may be off by more than their intervals say: ${seen}`, QUIET_REMEDY);
  });
});

/** What others took of the server's core in a slice, as shares of its time, in which the server also came to rest. */
function takenOf(cores: CoreUse | null, loaded: Loaded[]) {
  // A load tool that failed made no load.
  if (!cores || loaded.every(({ seconds }) => seconds === 0)) return [];
  const { server, wallNs } = cores;
  // Without a clock for a server all of its core's time may be its own.
  const ownNs = sum(loaded.map(({ cpuNs }) => cpuNs ?? server.busyNs));
  return [{ 'other processes': (server.busyNs - ownNs) / wallNs, 'the hypervisor': server.stealNs / wallNs }];
}
