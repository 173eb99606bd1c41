import { sum } from 'simple-statistics';
import { checkOpen } from '../machine/child.ts';
import type { Plan, PlannedRow } from '../plan.ts';
import { type Fault, faultOf, type Pair, type Side } from '../result/schema.ts';
import { NO_WHOLE_ANSWER } from '../server/check.ts';
import { sentIn } from '../suite/select.ts';
import { Problem, ScenarioProblem } from '../words/errors.ts';
import { exportedBy, exportFaults } from './exported.ts';
import type { PlannedPair } from './order.ts';
import { measureSlices } from './series.ts';
import { atOnce, SIDES } from './sides.ts';
import { isSilent } from './slices.ts';
import { type Started, startBoth } from './starts.ts';
import { warmUp } from './warm-up.ts';

/** In the middle of a slice of a second. */
const UNDER_LOAD_AFTER_MS = 500;

/** What finds how much a baseline can do. */
const ONE_SLICE = { sliceSeconds: 3, alternatingSlices: 1, duetSlices: 0 };

/**
 * Measures one pair: start, check, warm up, alternating slices, duet slices (Bulej et al., Duet Benchmarking, ICPE 2020),
 * check, stop. What goes wrong under load is among its faults. @throws Problem if a server, or the load tool, does not start.
 */
export async function measurePair(plan: Plan, pair: PlannedPair): Promise<Pair> {
  const { task, scenario } = pair.row;
  const lap = stopwatch();
  await using servers = await startBoth(plan, pair);
  const startSeconds = lap();
  const [unchecked, busy] = [new Set<Side>(SIDES), [] as Fault[]];
  // What a busy server answers may be another thing: asked once, as it has the whole load for the first time.
  const whileBusy = async (side: Side) => {
    if (!unchecked.delete(side)) return;
    await plan.rig.sleep(UNDER_LOAD_AFTER_MS);
    busy.push(...(await wrongAnswers(plan, servers[side], pair, 'under load')));
  };
  const { sliceSeconds, isSteady, requests } = await warmUp(plan, task, servers, whileBusy);
  const warmUpSeconds = lap();
  const { faults, ...measured } = await measureSlices(plan, pair, servers, sliceSeconds, whileBusy);
  faults.unshift(...busy);
  if (!isSilent(faults))
    for (const side of SIDES) faults.push(...(await wrongAnswers(plan, servers[side], pair, 'afterwards')));
  const slices = [...measured.alternating, ...measured.duets];
  // Of all that each server ever recorded: three checks of its answers, the warm-up and the slices.
  const answered = (side: Side) =>
    3 * sentIn(task).length + requests[side] + sum(slices.map((slice) => slice[side].requests));
  const areAlike = task.warmUp.length === 0;
  const exported = await atOnce('baseline', (side) => exportedBy(servers[side], answered(side), areAlike));
  const slicesSeconds = lap();
  await servers[Symbol.asyncDispose]();
  checkOpen();
  for (const side of SIDES) faults.push(...exportFaults(servers[side].planned, exported[side]));
  return {
    ...{ task: task.name, scenario: scenario.name, isSteady, sliceSeconds },
    seconds: { start: startSeconds, warmUp: warmUpSeconds, slices: slicesSeconds, stop: lap() },
    ...{ ...measured, exported, faults },
  };
}

/** Requests a second of the baseline of a row in a closed loop, once it is warm: of two servers in turn. @throws Problem */
export async function capacityOf(plan: Plan, { label, task, baseline }: PlannedRow): Promise<number> {
  const { header } = plan;
  const configuration = { ...header.configuration, ...ONE_SLICE };
  const row = { label, task: { ...task, rate: undefined }, baseline, scenario: baseline };
  const pair = { row, startedFirst: 'baseline', loadedFirst: 'baseline' } as const;
  const { alternating, faults } = await measurePair({ ...plan, header: { ...header, configuration } }, pair);
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
  { rig }: Plan,
  { planned, server }: Started,
  { row }: PlannedPair,
  when: 'under load' | 'afterwards',
): Promise<Fault[]> {
  if (server.child.exit) return [];
  try {
    for (const exchange of sentIn(row.task)) await rig.checkAnswer(planned, server.origin, exchange);
    return [];
  } catch (error) {
    if (!(error instanceof ScenarioProblem)) throw error;
    if (when === 'under load' && error.what === NO_WHOLE_ANSWER) return [];
    const detail = [error.what, error.detail].filter(Boolean).join(': ');
    return [faultOf(`wrong answer ${when}`, detail, planned.name)];
  }
}
