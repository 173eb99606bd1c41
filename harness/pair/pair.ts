import { mean, sum } from 'simple-statistics';
import { checkOpen } from '../machine/child.ts';
import type { Plan, PlannedRow } from '../plan.ts';
import type { Fault, Loaded, Pair, Side } from '../result/schema.ts';
import { NO_WHOLE_ANSWER } from '../server/check.ts';
import { sentIn } from '../suite/select.ts';
import { Problem, ScenarioProblem } from '../words/errors.ts';
import { exportedBy, exportFaults } from './exported.ts';
import { type PlannedPair, sideAt } from './order.ts';
import { RIG } from './rig.ts';
import { atOnce, type Both, forBoth, loadOf, SIDES } from './sides.ts';
import { alternatingSlice, duetSlice } from './slices.ts';
import { type Started, startBoth } from './starts.ts';
import { warmUp } from './warm-up.ts';

/** What finds how much a baseline can do. */
const ONE_SLICE = { sliceSeconds: 3, alternatingSlices: 1, duetSlices: 0 };

/**
 * Measures one pair: starts both servers on one core, checks their answers, warms them up, measures alternating slices
 * and then duet slices (Bulej et al., Duet Benchmarking, ICPE 2020), checks the answers again, and stops both. What goes
 * wrong under load is among its faults. @throws Problem if a server or the load tool does not do its part.
 */
export async function measurePair(plan: Plan, pair: PlannedPair, rig = RIG): Promise<Pair> {
  const { task, scenario } = pair.row;
  const { alternatingSlices, duetSlices } = plan.header.configuration;
  const lap = stopwatch();
  await using servers = await startBoth(plan, pair, rig);
  const start = lap();
  const { sliceSeconds, ...warmed } = await warmUp(plan, task, servers, rig);
  const warmUpSeconds = lap();
  const [load, duetLoad] = [loadOf(task, sliceSeconds), loadOf(task, sliceSeconds, 2)];
  const memory = forBoth((): (number | null)[] => []);
  const faults: Fault[] = [];
  const fault = (what: string, detail: string, scenario: string | null = null) =>
    faults.push({ what, detail, scenario, slice: null, count: 1 });
  let isSilent = false;
  const slices = async <Slice extends Both<Loaded> & { late: string | null }>(
    kind: 'alternating' | 'duet',
    length: number,
    measure: (first: Side, index: number) => Promise<{ slice: Slice; faults: Fault[] }>,
  ) => {
    const measured: Slice[] = [];
    // A server that answers nothing costs no further seconds.
    while (measured.length < length && !isSilent) {
      const seen = await measure(sideAt(measured.length, pair.loadedFirst), measured.length);
      const number = measured.push(seen.slice);
      faults.push(...seen.faults.map((each) => ({ ...each, slice: { kind, number } })));
      isSilent = SIDES.some((side) => seen.slice[side].requests === 0);
      // Both are idle now: to read it takes time of the core.
      for (const side of SIDES) memory[side].push(rig.memoryBytes(servers[side].server.child.pid));
    }
    const why = measured[0]?.late;
    if (why && measured.every(({ late }) => late !== null)) fault('rate not held', why);
    return measured;
  };
  await atOnce('baseline', (side) => servers[side].server.probe.begin());
  const cpuBefore = forBoth((side) => rig.cpuTimesUs(servers[side].server.child.pid));
  // What a busy server answers may be another thing. One request more changes neither latency nor CPU per request.
  const meanwhile = async (side: Side) => {
    await rig.sleep(sliceSeconds * 500);
    return wrongAnswers(servers[side], pair, 'under load', rig);
  };
  const alternating = await slices('alternating', alternatingSlices, (first, index) =>
    alternatingSlice(plan, servers, load, first, rig, index === 0 ? meanwhile : undefined),
  );
  const duets = await slices('duet', duetSlices, (first) => duetSlice(plan, servers, duetLoad, first, rig));
  const cpuUs = forBoth((side) => rig.cpuTimesUs(servers[side].server.child.pid, cpuBefore[side]));
  const memoryBytes = forBoth((side) => {
    const read = memory[side].filter((bytes) => bytes !== null);
    return read.length > 0 ? { mean: mean(read) } : null;
  });
  // A server that answers nothing would keep its probe waiting, too.
  const probes = isSilent ? forBoth(() => null) : await atOnce('baseline', (side) => servers[side].server.probe.end());
  for (const side of SIDES) {
    const { mode = 'production' } = { ...probes[side] };
    const { name } = servers[side].planned;
    if (mode !== 'production') fault('development mode', `NODE_ENV is ${mode ?? 'not set'}`, name);
  }
  for (const side of isSilent ? [] : SIDES)
    faults.push(...(await wrongAnswers(servers[side], pair, 'afterwards', rig)));
  // What arrived of all that each server ever recorded, the checks of its answers and the warm-up among it.
  const checks = (alternating.length > 0 ? 3 : 2) * sentIn(task).length;
  const measured = forBoth((side) => sum([...alternating, ...duets].map((slice) => slice[side].requests)));
  const requests = forBoth((side) => checks + warmed.requests[side] + measured[side]);
  const exported = await atOnce('baseline', (side) => exportedBy(servers[side], requests[side]));
  for (const side of SIDES) faults.push(...exportFaults(servers[side].planned, exported[side]));
  const slicesSeconds = lap();
  await servers[Symbol.asyncDispose]();
  checkOpen();
  return {
    ...{ task: task.name, scenario: scenario.name, isSteady: warmed.isSteady, sliceSeconds },
    seconds: { start, warmUp: warmUpSeconds, slices: slicesSeconds, stop: lap() },
    ...{ alternating, duets, exported, faults },
    usage: forBoth((side) => ({ memoryBytes: memoryBytes[side], cpuUs: cpuUs[side], probe: probes[side] })),
  };
}

/**
 * Requests a second that the baseline of a row answers in a closed loop, once it is warm: of two servers in turn.
 * @throws Problem if it does not answer as it should.
 */
export async function capacityOf(plan: Plan, { label, task, baseline }: PlannedRow, rig = RIG): Promise<number> {
  const { header } = plan;
  const configuration = { ...header.configuration, ...ONE_SLICE };
  const row = { label, task: { ...task, rate: undefined }, baseline, scenario: baseline };
  const pair = { row, startedFirst: 'baseline', loadedFirst: 'baseline' } as const;
  const { alternating, faults } = await measurePair({ ...plan, header: { ...header, configuration } }, pair, rig);
  const [slice] = alternating;
  const [fault] = faults;
  if (slice && !fault)
    return (slice.baseline.requests + slice.scenario.requests) / (slice.baseline.seconds + slice.scenario.seconds);
  const cause = "The baseline's throughput, of which the rate is a share, could not be measured";
  throw new Problem(`${cause}: ${fault?.what} (${fault?.detail})`, 'Fix what failed');
}

/** Seconds since it was called before. */
function stopwatch(): () => number {
  let beforeMs = performance.now();
  return () => {
    const seconds = (performance.now() - beforeMs) / 1_000;
    beforeMs += seconds * 1_000;
    return seconds;
  };
}

/** What a server answers otherwise than before the load. One that has ended is not asked, and a busy one may be late. */
async function wrongAnswers(
  { planned, server }: Started,
  { row }: PlannedPair,
  when: 'under load' | 'afterwards',
  rig: typeof RIG,
): Promise<Fault[]> {
  if (server.child.exit) return [];
  try {
    for (const exchange of sentIn(row.task)) await rig.checkAnswer(planned, server.origin, exchange);
    return [];
  } catch (error) {
    if (!(error instanceof ScenarioProblem)) throw error;
    if (when === 'under load' && error.what === NO_WHOLE_ANSWER) return [];
    const detail = [error.what, error.detail].filter(Boolean).join(': ');
    return [{ what: `wrong answer ${when}`, detail, scenario: planned.name, slice: null, count: 1 }];
  }
}
