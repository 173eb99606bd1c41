import { mean } from 'simple-statistics';
import type { Plan } from '../plan.ts';
import { type Fault, faultOf, type Loaded, type Side } from '../result/schema.ts';
import { type PlannedPair, sideAt } from './order.ts';
import { RIG } from './rig.ts';
import { atOnce, type Both, forBoth, loadOf, SIDES } from './sides.ts';
import { alternatingSlice, duetSlice } from './slices.ts';
import type { Started } from './starts.ts';

/**
 * Loads both servers in alternating slices, then in duet slices; `meanwhile` is done while each has its first one alone.
 * Returns what was seen, used and wrong. `isSilent`: a server answered nothing in a slice, so none followed.
 */
export async function measureSlices(
  plan: Plan,
  { row, loadedFirst }: PlannedPair,
  servers: Both<Started>,
  sliceSeconds: number,
  meanwhile: (side: Side) => Promise<Fault[]>,
  rig = RIG,
) {
  const { alternatingSlices, duetSlices } = plan.header.configuration;
  const [whole, half] = [loadOf(row.task, sliceSeconds), loadOf(row.task, sliceSeconds, 2)];
  const pidOf = (side: Side) => servers[side].server.child.pid;
  const readMemory = () => forBoth((side) => rig.memoryBytes(pidOf(side)));
  await atOnce('baseline', (side) => servers[side].server.probe.begin());
  const cpuBefore = forBoth((side) => rig.cpuTimesUs(pidOf(side)));
  const alternating = await seriesOf('alternating', alternatingSlices, readMemory, (index) =>
    alternatingSlice(plan, servers, whole, sideAt(index, loadedFirst), rig, index === 0 ? meanwhile : undefined),
  );
  const duets = await seriesOf('duet', alternating.isSilent ? 0 : duetSlices, readMemory, (index) =>
    duetSlice(plan, servers, half, sideAt(index, loadedFirst), rig),
  );
  const cpuUs = forBoth((side) => rig.cpuTimesUs(pidOf(side), cpuBefore[side]));
  const isSilent = alternating.isSilent || duets.isSilent;
  // A server that answers nothing would keep its probe waiting, too.
  const probes = isSilent ? forBoth(() => null) : await atOnce('baseline', (side) => servers[side].server.probe.end());
  const memory = [...alternating.memory, ...duets.memory];
  return {
    ...{ alternating: alternating.slices, duets: duets.slices, isSilent },
    usage: forBoth((side) => ({
      memoryBytes: meanOfKnown(memory.map((each) => each[side])),
      ...{ cpuUs: cpuUs[side], probe: probes[side] },
    })),
    faults: [
      ...[...alternating.faults, ...duets.faults],
      ...SIDES.flatMap((side) => modeFaults(servers[side].planned.name, probes[side])),
    ],
  };
}

/** Slices of one kind, the memory of both servers after each, and what went wrong. */
async function seriesOf<Slice extends Both<Loaded> & { late: string | null }>(
  kind: 'alternating' | 'duet',
  length: number,
  readMemory: () => Both<number | null>,
  measure: (index: number) => Promise<{ slice: Slice; faults: Fault[] }>,
) {
  const [slices, memory, faults] = [[] as Slice[], [] as Both<number | null>[], [] as Fault[]];
  let isSilent = false;
  // A server that answers nothing costs no further seconds.
  while (slices.length < length && !isSilent) {
    const seen = await measure(slices.length);
    const number = slices.push(seen.slice);
    faults.push(...seen.faults.map((each) => ({ ...each, slice: { kind, number } })));
    isSilent = SIDES.some((side) => seen.slice[side].requests === 0);
    // Both are idle now: to read it takes time of the core.
    memory.push(readMemory());
  }
  const why = slices[0]?.late;
  if (why && slices.every(({ late }) => late !== null)) faults.push(faultOf('rate not held', why));
  return { slices, memory, faults, isSilent };
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
