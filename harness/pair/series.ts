import { mean } from 'simple-statistics';
import { loadOf, type Plan } from '../plan.ts';
import { type Fault, faultOf, type Side } from '../result/schema.ts';
import { type PlannedPair, sideAt } from './order.ts';
import { atOnce, type Both, forBoth, SIDES } from './sides.ts';
import { alternatingSlice, duetSlice, isSilent } from './slices.ts';
import type { Started } from './starts.ts';

/**
 * Loads both in alternating slices, then in duet slices. Returns these, what was used meanwhile, and what went wrong.
 * `whileBusy` is done while a server has the whole load.
 */
export async function measureSlices(
  plan: Plan,
  { row, loadedFirst }: PlannedPair,
  servers: Both<Started>,
  sliceSeconds: number,
  whileBusy: (side: Side) => Promise<void>,
) {
  const { alternatingSlices, duetSlices } = plan.header.configuration;
  const [whole, half] = [loadOf(row.task, sliceSeconds), loadOf(row.task, sliceSeconds, 2)];
  const [memory, faults] = [[] as Both<number | null>[], [] as Fault[]];
  const pidOf = (side: Side) => servers[side].server.child.pid;
  // Once both are idle: to read it takes time of the core.
  const readMemory = () => memory.push(forBoth((side) => plan.rig.memoryBytes(pidOf(side))));
  await atOnce('baseline', (side) => servers[side].server.probe.begin());
  const cpuBefore = forBoth((side) => plan.rig.cpuTimesUs(pidOf(side)));
  const alternating = await seriesOf('alternating', alternatingSlices, faults, readMemory, (index) =>
    alternatingSlice(plan, servers, whole, sideAt(index, loadedFirst), whileBusy),
  );
  const duets = await seriesOf('duet', duetSlices, faults, readMemory, (index) =>
    duetSlice(plan, servers, half, sideAt(index, loadedFirst)),
  );
  const cpuUs = forBoth((side) => plan.rig.cpuTimesUs(pidOf(side), cpuBefore[side]));
  // A server that answers nothing would keep its probe waiting, too.
  const probeOf = async (side: Side) => (isSilent(faults) ? null : servers[side].server.probe.end());
  const probes = await atOnce('baseline', probeOf);
  const usage = forBoth((side) => ({
    memoryBytes: meanOfKnown(memory.map((each) => each[side])),
    ...{ cpuUs: cpuUs[side], probe: probes[side] },
  }));
  const ofMode = SIDES.flatMap((side) => modeFaults(servers[side].planned.name, probes[side]));
  return { alternating, duets, usage, faults: [...faults, ...ofMode] };
}

/** Slices of one kind, with something done after each. Adds what went wrong to the faults. */
async function seriesOf<Slice extends { late: string | null }>(
  kind: 'alternating' | 'duet',
  length: number,
  faults: Fault[],
  after: () => void,
  measure: (index: number) => Promise<{ slice: Slice; faults: Fault[] }>,
): Promise<Slice[]> {
  const slices: Slice[] = [];
  // A server that answers nothing costs no further seconds.
  while (slices.length < length && !isSilent(faults)) {
    const seen = await measure(slices.length);
    const number = slices.push(seen.slice);
    faults.push(...seen.faults.map((each) => ({ ...each, slice: { kind, number } })));
    after();
  }
  const why = slices[0]?.late;
  if (why && slices.every(({ late }) => late !== null)) faults.push(faultOf('rate not held', why));
  return slices;
}

function meanOfKnown(bytes: (number | null)[]): { mean: number } | null {
  const known = bytes.filter((each) => each !== null);
  return known.length > 0 ? { mean: mean(known) } : null;
}

/** The fault of a server that says that it is not in production. */
function modeFaults(scenario: string, probe: { mode: string | null } | null): Fault[] {
  const { mode } = probe ?? { mode: 'production' };
  return mode === 'production' ? [] : [faultOf('development mode', `NODE_ENV is ${mode ?? 'not set'}`, scenario)];
}
