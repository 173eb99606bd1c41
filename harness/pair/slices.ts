import type { PlannedPair, PlannedTask } from '../plan/plan.ts';
import { loadOf } from '../plan/task-load.ts';
import { type Fault, faultOf } from '../result/faults.ts';
import type {
  AlternatingSlice,
  ContainerUse,
  DuetSlice,
  Side,
  TurnsSlice,
  Usage,
} from '../result/schema.ts';
import { sentIn } from '../suite/select.ts';
import { measureAlternatingSlice } from './alternating.ts';
import type { Arms } from './arms.ts';
import { watchClosed } from './closed-connections.ts';
import { measureDuetSlice } from './duet.ts';
import { measureSeries } from './series.ts';
import { type Both, forBoth, SIDES, sidesAt } from './sides.ts';
import { measureTurns } from './turns.ts';
import { hasNoAnswer } from './under-load.ts';
import { UsageMeter } from './usage.ts';
import type { World } from './world.ts';

/** In which slices CPU per request is measured. */
export type CpuSlices = 'duets' | 'turns';

/** How many slices of each kind a pair has, and how long each is. */
export interface SliceSettings {
  alternatingSlices: number;
  /** Turns take the time of all of these. */
  duetSlices: number;
  sliceSeconds: number;
}

/** All slices of a pair, what its servers used meanwhile, and what went wrong. */
export interface MeasuredSlices {
  alternating: AlternatingSlice[];
  duets: DuetSlice[];
  turns: TurnsSlice[];
  usage: Both<Usage>;
  /** Undefined if nothing is limited. */
  container: ContainerUse | undefined;
  /** How many connections each server closed first in alternating slices; null if nothing tells. */
  closed: Both<number | null>;
  faults: Fault[];
}

/** Loads both servers in alternating slices, and then in duets or turns. */
export async function measureSlices(
  world: World,
  { row, loadedFirst }: PlannedPair,
  arms: Arms,
  settings: SliceSettings,
  cpuSlices: CpuSlices,
): Promise<MeasuredSlices> {
  const { alternatingSlices, sliceSeconds } = settings;
  const meter = await UsageMeter.start(world, arms);
  const containerSince = world.watchContainer(SIDES.map((side) => arms[side].server.child.pid));
  const wholeLoad = loadOf(row.task, sliceSeconds);
  const closedSince = watchClosed(world, arms);
  const alternating = await measureSeries('alternating', alternatingSlices, meter, (index) => {
    // The first slice asks each server once: an answer may turn wrong under load.
    const asked = index === 0 ? sentIn(row.task) : [];
    return measureAlternatingSlice(world, arms, wholeLoad, sidesAt(index, loadedFirst), asked);
  });
  const closed = closedSince();
  const place: Place = { world, task: row.task, arms, meter, loadedFirst };
  const rest =
    alternating.faults.length > 0
      ? NO_CPU_SLICES
      : await measureCpuSlices[cpuSlices](place, settings);
  const usage = meter.read();
  const container = containerSince();
  const modeFaults = SIDES.flatMap((side) => developmentModeFaults(arms, side, usage[side]));
  return {
    alternating: alternating.slices,
    duets: rest.duets,
    turns: rest.turns,
    usage,
    container,
    closed,
    faults: [...alternating.faults, ...rest.faults, ...modeFaults],
  };
}

/** Returns what there is of a pair whose warm-up showed that it can't be measured. */
export function withoutSlices(faults: Fault[]): MeasuredSlices {
  return {
    alternating: [],
    duets: [],
    turns: [],
    usage: forBoth(() => ({ memoryBytes: null, cpuUs: null, probe: null })),
    container: undefined,
    closed: { baseline: null, scenario: null },
    faults,
  };
}

/** Where slices are measured, and with what. */
interface Place {
  world: World;
  task: PlannedTask;
  arms: Arms;
  meter: UsageMeter;
  loadedFirst: Side;
}

/** The slices of which CPU per request is read. */
type MeasuredCpuSlices = Pick<MeasuredSlices, 'duets' | 'turns' | 'faults'>;

const NO_CPU_SLICES: MeasuredCpuSlices = { duets: [], turns: [], faults: [] };

const measureCpuSlices = { duets: measureDuets, turns: measureAllTurns };

async function measureDuets(
  { world, task, arms, meter, loadedFirst }: Place,
  { duetSlices, sliceSeconds }: SliceSettings,
): Promise<MeasuredCpuSlices> {
  const halfLoad = loadOf(task, sliceSeconds, 2);
  const { slices, faults } = await measureSeries('duet', duetSlices, meter, (index) =>
    measureDuetSlice(world, arms, halfLoad, sidesAt(index, loadedFirst)),
  );
  if (!hasNoAnswer(faults)) await meter.readProbes();
  return { duets: slices, turns: [], faults };
}

/** All turns of a pair are in one slice, in the time of its duets. */
async function measureAllTurns(
  { world, task, arms, meter, loadedFirst }: Place,
  { duetSlices, sliceSeconds }: SliceSettings,
): Promise<MeasuredCpuSlices> {
  // The event loop of a stopped server is late by the turn of the other: the probes are read
  // before.
  await meter.readProbes();
  const load = loadOf(task, sliceSeconds * duetSlices);
  const { slices, faults } = await measureSeries('turns', Math.min(1, duetSlices), meter, () =>
    measureTurns(world, arms, load, loadedFirst),
  );
  return { duets: [], turns: slices, faults };
}

/** Returns the fault of a server that says that it is not in production: development mode costs. */
function developmentModeFaults(arms: Arms, side: Side, { probe }: Usage): Fault[] {
  if (probe === null || probe.mode === 'production') return [];
  const detail = `NODE_ENV is ${probe.mode ?? 'not set'}`;
  return [faultOf('development-mode', detail, arms[side].planned.name)];
}
