import { sum } from 'simple-statistics';
import { checkOpen } from '../machine/child.ts';
import type { Plan, PlannedRow } from '../plan.ts';
import { type Fault, faultOf, type Pair, type Side } from '../result/schema.ts';
import { NO_WHOLE_ANSWER } from '../server/check.ts';
import { sentIn } from '../suite/select.ts';
import { Problem, ScenarioProblem } from '../words/errors.ts';
import { exportedBy, exportFaults } from './exported.ts';
import type { PlannedPair } from './order.ts';
import { allEnded, type Both, SIDES } from './sides.ts';
import { isSilent, measureSlices } from './slices.ts';
import { type Started, startBoth } from './starts.ts';
import { warmUp } from './warm-up.ts';

/** In the middle of the first slice of the warm-up. */
const UNDER_LOAD_AFTER_MS = 500;

/** What finds how much a baseline can do. */
const ONE_SLICE = { sliceSeconds: 3, alternatingSlices: 1, duetSlices: 0 };

/**
 * Measures one pair: start, check, warm up, alternating slices, duet slices (Bulej et al., Duet Benchmarking, ICPE 2020),
 * check, stop. What goes wrong under load is among its faults. @throws Problem if a server, or the load tool, does not start.
 */
export async function measurePair(plan: Plan, pair: PlannedPair): Promise<Pair> {
  const { task } = pair.row;
  const lap = stopwatch();
  await using servers = await startBoth(plan, pair);
  const startSeconds = lap();
  // What a busy server answers may be another thing.
  const busy = plan.rig.sleep(UNDER_LOAD_AFTER_MS).then(() => wrongAnswers(plan, servers, pair, 'under load'));
  const [warm, wrongWhileBusy] = await allEnded([warmUp(plan, task, servers), busy]);
  const warmUpSeconds = lap();
  const { faults, ...measured } = await measureSlices(plan, pair, servers, warm.sliceSeconds);
  const wrongAfterwards = isSilent(faults) ? [] : await wrongAnswers(plan, servers, pair, 'afterwards');
  const slices = [...measured.alternating, ...measured.duets];
  const exportedOf = (side: Side) => {
    // Of all that the server ever recorded: three checks of its answers, the warm-up and the slices.
    const checks = 3 * sentIn(task).length;
    const answered = checks + warm.requests[side] + sum(slices.map((slice) => slice[side].requests));
    return exportedBy(servers[side], answered, task.warmUp.length === 0);
  };
  const [baseline, scenario] = await allEnded([exportedOf('baseline'), exportedOf('scenario')]);
  const slicesSeconds = lap();
  await servers[Symbol.asyncDispose]();
  checkOpen();
  const exported = { baseline, scenario };
  const ofExports = SIDES.flatMap((side) => exportFaults(servers[side].planned, exported[side]));
  return {
    ...{ task: task.name, scenario: pair.row.scenario.name, isSteady: warm.isSteady, sliceSeconds: warm.sliceSeconds },
    seconds: { start: startSeconds, warmUp: warmUpSeconds, slices: slicesSeconds, stop: lap() },
    ...{ ...measured, exported, faults: [...wrongWhileBusy, ...faults, ...wrongAfterwards, ...ofExports] },
  };
}

/** Requests a second of the baseline of a row in a closed loop, once it is warm: of two servers in turn. @throws Problem */
export async function capacityOf(plan: Plan, { label, task, baseline }: PlannedRow): Promise<number> {
  const { header } = plan;
  const configuration = { ...header.configuration, ...ONE_SLICE };
  const row = { label, task: { ...task, rate: undefined }, baseline, scenario: baseline };
  const pair = { row, startedFirst: 'baseline', loadedFirst: 'baseline' } as const;
  const { alternating, faults } = await measurePair({ ...plan, header: { ...header, configuration } }, pair);
  const cause = "The baseline's throughput, of which the rate is a share, could not be measured";
  const [fault] = faults;
  if (fault) throw new Problem(`${cause}: ${fault.what} (${fault.detail})`, 'Fix what failed');
  const runs = alternating.flatMap((slice) => [slice.baseline, slice.scenario]);
  return sum(runs.map(({ requests }) => requests)) / sum(runs.map(({ seconds }) => seconds));
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

/** What servers answer otherwise than before the load. One that has ended is not asked, and a busy one may be late. */
async function wrongAnswers(
  { rig }: Plan,
  servers: Both<Started>,
  { row }: PlannedPair,
  when: 'under load' | 'afterwards',
): Promise<Fault[]> {
  const faults: Fault[] = [];
  for (const { planned, server } of SIDES.map((side) => servers[side]))
    try {
      for (const exchange of server.child.exit ? [] : sentIn(row.task))
        await rig.checkAnswer(planned, server.origin, exchange);
    } catch (error) {
      if (!(error instanceof ScenarioProblem)) throw error;
      const isLate = when === 'under load' && error.what === NO_WHOLE_ANSWER;
      const detail = [error.what, error.detail].filter(Boolean).join(': ');
      if (!isLate) faults.push(faultOf(`wrong answer ${when}`, detail, planned.name));
    }
  return faults;
}
