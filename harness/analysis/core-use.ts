import { sum } from 'simple-statistics';
import type { CoreUse, Environment, Loaded, Result } from '../result/schema.ts';
import { asPercent, decimalsOf } from '../words/units.ts';
import { meanEstimate } from './estimate.ts';
import { wokenShare } from './figures.ts';
import { halfWidth } from './interval.ts';
import { type Row, rowsOf, serversOf } from './rows.ts';
import { type Find, listed, validRows, warn } from './warning.ts';

/** Who used the cores while they were under load: the servers, the load tool, or somebody else. */

/** From here on a core counts as full. */
const FULL = 0.9;

/** By alternating slices: in duets the cores are full together, and CPU per request does not suffer. */
export const loadTool: Find = ({ tasks, header: { pinning, tool } }) => {
  // Of a load tool elsewhere, nobody sees how busy it was.
  const toolCores = 'missing' in pinning || tool.host !== null ? Number.NaN : pinning.toolCoreCount;
  return tasks.map((task) => {
    const idle = serversOf(task).filter(({ figures }) => (figures?.busyShare ?? 1) < FULL);
    const isFull = idle.some(({ figures }) => (figures?.toolBusyCores ?? 0) / toolCores >= FULL);
    // At a steady rate a server is meant to be idle at times.
    if (idle.length === 0 || (task.rate !== null && !isFull)) return null;
    const least = asPercent(Math.min(...idle.map(({ figures }) => figures?.busyShare ?? 1)));
    const seen = `the server's core was only ${least} busy for ${listed(idle.map(({ title }) => title))}`;
    const about = (why: string, remedy: string) =>
      warn(`${task.prefix}The change in ms ${why}`, remedy);
    if (Number.isNaN(toolCores))
      return about(
        `may be waiting: ${seen}, and nobody sees how busy the load tool was`,
        'Use CPU per request alone',
      );
    return isFull
      ? about(
          `understates the cost: the load tool was full, and ${seen}`,
          'Give the load tool more cores, or use a faster one (--tool)',
        )
      : about(
          `is waiting, not work: ${seen}`,
          'Use more connections (--connections), or CPU per request alone',
        );
  });
};

/** Less than this part of what a row costs changes nobody's mind. */
const MIN_CHANGE = 0.05;

/**
 * An answer must wake a load tool that sleeps, and the server pays for that. It is no cost of the scenario: a tool that
 * never sleeps beside the baseline does sleep beside any slower server. By the price that was measured on this machine,
 * with cores kept awake if that can be; without one, nobody knows.
 */
export const wakeUps: Find = ({ tasks, header }) => {
  const price = header.environment.wakeUp?.held ?? header.environment.wakeUp?.plain;
  const waking = (row: Row, rate: number | null) => {
    const cost = row.change.cpuUs;
    if (!price || !cost) return null;
    const more = meanEstimate(
      row.pairs.map(({ duets }) => wokenShare(duets, 'scenario') - wokenShare(duets, 'baseline')),
    );
    const tooHighUs = more.value * price.us;
    if (!(tooHighUs > MIN_CHANGE * Math.abs(cost.value)) || tooHighUs <= halfWidth(cost))
      return null;
    const errorUs = Math.hypot(halfWidth(more) * price.us, 2 * price.standardErrorUs * more.value);
    const [about, error] = [tooHighUs, errorUs].map((us) => us.toFixed(decimalsOf(errorUs)));
    const seen = `reads about ${about} ±${error} µs too high: more of its answers wake the load tool`;
    const steadier = 'Measure at a steady rate (--rate): the baseline wakes it then, too';
    const other =
      rate === null
        ? steadier
        : 'Measure on a machine that is not virtual, where it costs less to wake a core';
    return warn(`${row.label}: CPU per request ${seen}`, keepAwakeRemedy(header) ?? other, row);
  };
  return tasks.flatMap((task) => validRows([task]).map((row) => waking(row, task.rate)));
};

type IdleCores = Pick<Result, 'keepAwake' | 'pinning'> & {
  environment: Pick<Environment, 'cpuidleDriver' | 'wakeUp'>;
};

/** Whether idle cores slept that could be kept awake; whether that was seen to help is another matter: noise may hide it. */
export function idleCores(header: IdleCores): 'asleep' | 'kept awake' {
  return keepAwakeRemedy(header) === null ? 'kept awake' : 'asleep';
}

/** How idle cores can be kept awake that were not; null if nobody knows a way that helps. */
export function keepAwakeRemedy({ environment, keepAwake, pinning }: IdleCores): string | null {
  const { cpuidleDriver, wakeUp } = environment;
  if ('how' in keepAwake || 'missing' in pinning || cpuidleDriver === null || wakeUp?.held)
    return null;
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

export const busyMachine: Find = ({ tasks }) => {
  const pairs = tasks.flatMap(rowsOf).flatMap((row) => row.pairs);
  const taken = pairs.flatMap(({ alternating, duets }) => [
    ...alternating.flatMap(({ baseline, cores }) => takenOf(cores.baseline, [baseline])),
    ...alternating.flatMap(({ scenario, cores }) => takenOf(cores.scenario, [scenario])),
    ...duets.flatMap(({ baseline, scenario, cores }) => takenOf(cores, [baseline, scenario])),
  ]);
  return (['other processes', 'the hypervisor'] as const).map((who) => {
    const share = taken.filter((each) => each[who] > MUCH).length / taken.length;
    const seen = `in ${asPercent(share)} of the slices ${who} took more than a tenth of the server's core`;
    return (
      share > OFTEN &&
      warn(`Figures may be off by more than their intervals say: ${seen}`, QUIET_REMEDY)
    );
  });
};

/** What others took of the server's core in a slice, as shares of its time, in which the server also came to rest. */
function takenOf(cores: CoreUse | null, loaded: Loaded[]) {
  // A load tool that failed made no load.
  if (!cores || loaded.every(({ seconds }) => seconds === 0)) return [];
  const { server, wallNs } = cores;
  // Without a clock for a server all of its core's time may be its own.
  const ownNs = sum(loaded.map(({ cpuNs }) => cpuNs ?? server.busyNs));
  return [
    {
      'other processes': (server.busyNs - ownNs) / wallNs,
      'the hypervisor': server.stealNs / wallNs,
    },
  ];
}
