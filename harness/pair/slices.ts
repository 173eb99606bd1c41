import { loadOf } from '../plan/task-load.ts';
import { type Fault, faultOf } from '../result/faults.ts';
import type { AlternatingSlice, ContainerUse, Usage } from '../result/schema.ts';
import { sentIn } from '../suite/select.ts';
import { measureAlternatingSlice } from './alternating.ts';
import type { Arm, RunningPair } from './arms.ts';
import { watchClosed } from './closed-connections.ts';
import {
  type CpuSliceKind,
  type CpuSliceSettings,
  measureSlicesAtOnce,
  NO_SLICES_AT_ONCE,
  type SlicePlace,
  type SlicesAtOnce,
} from './cpu-slices.ts';
import { measureSeries, type Series, type SeriesSettings } from './series.ts';
import { type Both, forBoth, SIDES, sidesAt } from './sides.ts';
import { UsageMeter } from './usage.ts';

/** How many slices of each kind a pair has, and how long each is. */
export interface SliceSettings extends CpuSliceSettings {
  /** The fewest: `alternatingCount` adds to them if they are to tell the CPU, too. */
  alternatingSlices: number;
}

/** What the time before the slices told. */
export interface KnownBefore {
  cpuSliceKind: CpuSliceKind;
  /** Whether both servers held the steady rate, each alone; true if there is none. */
  wasRateHeld: boolean;
}

/** All slices of a pair, what its servers used meanwhile, and what went wrong. */
export interface MeasuredSlices extends SlicesAtOnce {
  /** Null if no slices tell the CPU. */
  cpuSliceKind: CpuSliceKind | null;
  alternating: AlternatingSlice[];
  usage: Both<Usage>;
  /** Undefined if nothing is limited. */
  container: ContainerUse | undefined;
  /** How many connections each server closed first in alternating slices; null if nothing tells. */
  closed: Both<number | null>;
}

/**
 * Loads both servers in alternating slices, and then in duets or turns. If alternating slices tell
 * the CPU, too, there are more of them, and neither of the others.
 */
export async function measureSlices(
  running: RunningPair,
  settings: SliceSettings,
  known: KnownBefore,
): Promise<MeasuredSlices> {
  const { world, arms } = running;
  const { cpuSliceKind } = known;
  const meter = await UsageMeter.start(running);
  const place = { ...running, meter };
  const containerSince = world.watchContainer(SIDES.map((side) => arms[side].server.child.pid));
  const closedSince = watchClosed(running);
  const alternating = await measureAlternating(place, settings, known);
  const closed = closedSince();
  const rest =
    alternating.faults.length > 0
      ? NO_SLICES_AT_ONCE
      : await measureSlicesAtOnce(place, cpuSliceKind, settings);
  const usage = meter.read();
  const container = containerSince();
  const modeFaults = SIDES.flatMap((side) => developmentModeFaults(arms[side], usage[side]));
  return {
    cpuSliceKind: settings.duetSlices > 0 ? cpuSliceKind : null,
    alternating: alternating.slices,
    duets: rest.duets,
    turns: rest.turns,
    usage,
    container,
    closed,
    faults: [...alternating.faults, ...rest.faults, ...modeFaults],
  };
}

async function measureAlternating(
  place: SlicePlace,
  settings: SliceSettings,
  { cpuSliceKind, wasRateHeld }: KnownBefore,
): Promise<Series<AlternatingSlice>> {
  const { row, loadedFirst } = place.pair;
  const wholeLoad = loadOf(row.task, settings.sliceSeconds);
  const series: SeriesSettings = {
    kind: 'alternating',
    length: alternatingCount(settings, cpuSliceKind),
    wasRateHeld,
  };
  return measureSeries(place.meter, series, (index) => {
    // The first slice asks each server once: an answer may turn wrong under load.
    const asked = index === 0 ? sentIn(row.task) : [];
    return measureAlternatingSlice(place, wholeLoad, sidesAt(index, loadedFirst), asked);
  });
}

function alternatingCount(
  { alternatingSlices, duetSlices }: SliceSettings,
  cpuSliceKind: CpuSliceKind,
): number {
  return cpuSliceKind === 'alternating' ? alternatingSlices + duetSlices : alternatingSlices;
}

/** Returns what there is of a pair whose warm-up showed that it can't be measured. */
export function withoutSlices(faults: Fault[]): MeasuredSlices {
  return {
    cpuSliceKind: null,
    alternating: [],
    duets: [],
    turns: [],
    usage: forBoth(() => ({ memoryBytes: null, cpuUs: null, probe: null })),
    container: undefined,
    closed: { baseline: null, scenario: null },
    faults,
  };
}

/** Returns the fault of a server that says that it is not in production: development mode costs. */
function developmentModeFaults({ planned }: Arm, { probe }: Usage): Fault[] {
  if (probe === null || probe.mode === 'production') return [];
  const detail = `NODE_ENV is ${probe.mode ?? 'not set'}`;
  return [faultOf('development-mode', detail, planned.name)];
}
